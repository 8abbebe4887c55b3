import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { endWithParent } from './parent.js'
import { Refusal } from './refusal.js'
import { inProcess, under } from './run.js'

const root = fileURLToPath(new URL('../..', import.meta.url))

/**
 * Brings what is missing, then runs the program: in this process where Node is new enough, else in a child under Node 24 that
 * starts again at the same entry. Everything here runs on Node 18.
 */
export async function launch({ program, args, userArgs, packages, entry, entryArgs }) {
  endWithParent()
  try {
    if (Number.parseInt(process.versions.node, 10) < 24) {
      const { node24 } = await import('./node24.js')
      await under(await node24(cacheFolder(packages), say), [entry, ...entryArgs])
    } else {
      if (packages !== 'none') await (await import('./packages.js')).install(root, packages, say)
      await inProcess(join(root, program), [...args, ...userArgs])
    }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    console.error(`rackwright: ${error.message}`)
    process.exit(error.exitCode)
  }
}

/** A checkout keeps its downloads with its state; an installed package may stand where nobody can write. */
function cacheFolder(packages) {
  if (process.env.XDG_CACHE_HOME) return join(process.env.XDG_CACHE_HOME, 'rackwright')
  if (packages !== 'none') return join(root, '.rackwright', 'cache')
  return resolve(process.env.RACKWRIGHT_HOME ?? '.rackwright', 'cache')
}

function say(line) {
  console.error(line)
}
