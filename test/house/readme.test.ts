import { execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const root = join(import.meta.dirname, '../..')
const readme = readFileSync(join(root, 'README.md'), 'utf8')

/** The commands of the README's console blocks, each with the output it shows. */
const shown = [...readme.matchAll(/```console\n([\s\S]*?)```/g)].flatMap(block =>
  block[1]!
    .split(/^\$ /m)
    .slice(1)
    .map(part => ({ command: part.split('\n')[0]!, output: part.split('\n').slice(1).join('\n').trim() })),
)
const showing = (start: string) => shown.find(({ command }) => command.startsWith(start))!

/** Paths, ports, seconds and ages differ from machine to machine; everything else is as the README says. */
const plain = (text: string): string =>
  text
    .replace(/\S+\/(\.rackwright|home)\b/g, '<home>')
    .replace(/127\.0\.0\.1:\d+/g, '127.0.0.1:<port>')
    .replace(/\(\d+\.\d s\)/g, '(<time>)')
    .replace(/\b\d+m?\d*s$/gm, '<age>')
    .trim()

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'rackwright-readme-')))
const home = join(folder, 'home')
const kubectl = (() => {
  try {
    return execFileSync('sh', ['-c', 'command -v kubectl'], { encoding: 'utf8' }).trim()
  } catch {
    return undefined
  }
})()
let started = ''
let stop = async (): Promise<void> => {}

beforeAll(async () => {
  const child = spawn(process.execPath, ['bin/launch.js', 'start', '--port', '0', '--home', home], {
    cwd: root,
    env: { ...process.env, NO_COLOR: '1' },
  })
  const ended = new Promise(done => child.once('close', done))
  stop = async () => {
    child.kill('SIGTERM')
    await ended
  }
  await new Promise<void>((up, failed) => {
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      started += text
      if (started.includes('Ctrl-C stops it.')) up()
    })
    let complained = ''
    child.stderr.setEncoding('utf8').on('data', (text: string) => (complained += text))
    void ended.then(() => failed(new Error(`npm start ended: ${complained}`)))
  })
})
afterAll(async () => {
  await stop()
  rmSync(folder, { recursive: true, force: true })
})

describe('the README', () => {
  it('shows what `npm start` prints', () => {
    const afterInstall = showing('npm start')
      .output.split('\n')
      .filter(line => !/^(Fetching|Installing)/.test(line))
      .join('\n')
    // After that it tells what happens in the rack, in whatever order that does.
    const banner = started.slice(0, started.indexOf('Ctrl-C stops it.') + 'Ctrl-C stops it.'.length)
    expect(plain(banner)).toBe(plain(afterInstall))
  })

  it.skipIf(!kubectl)(`shows what kubectl answers${kubectl ? '' : ' (skipped: there is no kubectl)'}`, () => {
    for (const { command, output } of shown.filter(({ command }) => command.startsWith('kubectl '))) {
      const answer = execFileSync('sh', ['-c', command], {
        encoding: 'utf8',
        env: { ...process.env, KUBECONFIG: join(home, 'kubeconfig') },
      })
      expect(plain(answer), command).toBe(plain(output))
    }
  })

  it('names folders that are there', () => {
    for (const name of ['kubeconfig', 'data', 'logs']) expect(existsSync(join(home, name)), name).toBe(true)
  })

  it('names scripts and files that are there', () => {
    const scripts = Object.keys((JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: object }).scripts)
    for (const page of ['README.md', 'CONTRIBUTING.md']) {
      const text = readFileSync(join(root, page), 'utf8')
      for (const [, script] of text.matchAll(/`npm (?:run )?([a-z]+)/g))
        expect([...scripts, 'ci', 'install'], `${page}: npm ${script}`).toContain(script)
      for (const [, file] of text.matchAll(/\]\((?!https?:)([^)#]+)\)/g))
        expect(existsSync(join(root, file!)), `${page}: ${file}`).toBe(true)
    }
  })

  it('says how to remove everything, and that does it', async () => {
    await stop()
    const { command } = showing('node bin/rackwright.js reset')
    const output = execFileSync('sh', ['-c', `${command} --home '${home}' --yes`.replace(/^node/, `'${process.execPath}'`)], {
      cwd: root,
      encoding: 'utf8',
    })
    expect(output).toContain(home)
    expect(existsSync(home)).toBe(false)
  })
})
