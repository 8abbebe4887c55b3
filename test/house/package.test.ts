import { execFileSync, spawn } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { publint } from 'publint'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const root = join(import.meta.dirname, '../..')
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'rackwright-package-')))
const stage = join(folder, 'stage')
const installed = join(folder, 'elsewhere/node_modules/rackwright')
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { files: string[]; dependencies: Record<string, string> }

/** Builds, packs and unpacks as npm would, without a network: the dependencies are the ones that are here. */
beforeAll(() => {
  mkdirSync(stage)
  for (const name of [...manifest.files, 'package.json'])
    if (name !== 'dist') cpSync(join(root, name), join(stage, name), { recursive: true })
  const tsc = realpathSync(join(root, 'node_modules/.bin/tsc'))
  execFileSync(process.execPath, [tsc, '-p', join(root, 'tsconfig.build.json'), '--outDir', join(stage, 'dist')], { encoding: 'utf8' })
  const packed = execFileSync('npm', ['pack', '--ignore-scripts', '--silent', '--pack-destination', folder], {
    cwd: stage,
    encoding: 'utf8',
  }).trim()
  mkdirSync(installed, { recursive: true })
  execFileSync('tar', ['-xzf', join(folder, packed), '-C', installed, '--strip-components=1'])
  for (const name of readdirSync(join(root, 'node_modules'))) {
    if (!name.startsWith('.')) symlinkSync(join(root, 'node_modules', name), join(folder, 'elsewhere/node_modules', name))
  }
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const program = join(installed, 'bin/rackwright.js')

describe('the published package', () => {
  it('holds compiled files, the launcher and the manifests, and no sources', () => {
    for (const name of ['dist/main.js', 'bin/rackwright.js', 'config/crd', 'README.md', 'LICENSE'])
      expect(existsSync(join(installed, name)), name).toBe(true)
    expect(existsSync(join(installed, 'src'))).toBe(false)
  })

  it('is in order by the rules of package managers', async () => {
    const { messages } = await publint({ pkgDir: installed, level: 'warning', pack: false })
    expect(messages).toEqual([])
  })

  it('starts from inside node_modules, store and worker included, and stops on a signal', async () => {
    const home = join(folder, 'home')
    const child = spawn(process.execPath, [program, 'up', '--port', '0', '--home', home], { cwd: join(folder, 'elsewhere') })
    let text = ''
    const ended = new Promise<number | null>(done => child.once('close', done))
    await new Promise<void>((up, failed) => {
      for (const stream of [child.stdout, child.stderr]) {
        stream.setEncoding('utf8').on('data', (more: string) => {
          text += more
          if (text.includes('Ctrl-C stops it.')) up()
        })
      }
      void ended.then(() => failed(new Error(text)))
    })
    child.kill('SIGTERM')
    expect(await ended).toBe(0)
    expect(execFileSync(process.execPath, [program, 'crds'], { encoding: 'utf8' })).toContain('kind: CustomResourceDefinition')
  })
})
