import { execFile } from 'node:child_process'
import { isObject } from '../../core/json.ts'
import { decodeYaml } from '../../net/body/yaml.ts'
import type { NetworkConfigs } from '../../ports/host-images.ts'

const most = { milliseconds: 20_000, bytes: 1 << 20, words: 400 }
const safeName = /^[A-Za-z0-9][A-Za-z0-9_.:-]{0,127}$/

/** Asks `nmstatectl`, where it is installed: the only one who knows how its language becomes files of NetworkManager. */
export const nmstatectl = (program = 'nmstatectl'): NetworkConfigs => ({
  keyfiles: (nmstate, signal) =>
    new Promise(resolve => {
      const child = execFile(
        program,
        ['gc', '-'],
        { timeout: most.milliseconds, maxBuffer: most.bytes, signal },
        (error, stdout, stderr) => {
          if ((error as NodeJS.ErrnoException | null)?.code === 'ENOENT')
            resolve({ wrong: 'network data needs nmstatectl, which is not installed where this runs' })
          else if (error)
            resolve({ wrong: `nmstatectl does not take the network data: ${stderr.trim().slice(0, most.words) || 'it gives no reason'}` })
          else resolve(filesIn(stdout))
        },
      )
      child.stdin?.on('error', () => undefined)
      child.stdin?.end(nmstate)
    }),
})

function filesIn(stdout: string): Awaited<ReturnType<NetworkConfigs['keyfiles']>> {
  let found: unknown
  try {
    found = decodeYaml(Buffer.from(stdout))
  } catch {
    return { wrong: 'nmstatectl answers something that is no YAML' }
  }
  const pairs = isObject(found) ? found['NetworkManager'] : undefined
  if (!Array.isArray(pairs) || pairs.length === 0) return { wrong: 'the network data describes no network' }
  const files = pairs.flatMap((pair: unknown) => {
    const [name, content] = Array.isArray(pair) ? (pair as unknown[]) : []
    return typeof name === 'string' && safeName.test(name) && typeof content === 'string' ? [{ name, content }] : []
  })
  return files.length === pairs.length ? { files } : { wrong: 'nmstatectl answers files with names that make no sense' }
}
