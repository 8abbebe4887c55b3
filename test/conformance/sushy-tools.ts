import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface SushyTools {
  readonly url: string
  readonly username: string
  readonly password: string
  readonly systems: readonly string[]
  stop(): Promise<void>
}

/** The folder of its Python environment, or why there is none. */
export function sushyTools(): { readonly folder: string } | { readonly missing: string } {
  try {
    const made = execFileSync(new URL('../../tools/python/venv', import.meta.url).pathname, ['sushy-tools'], {
      stdio: ['ignore', 'pipe', 'pipe'],
      encoding: 'utf8',
    })
    return { folder: made.trim() }
  } catch (error) {
    const { stderr, message } = error as { stderr?: string; message: string }
    return { missing: (stderr ?? message).trim().split('\n').at(-1) ?? 'it could not be installed' }
  }
}

/** Starts the emulator as it comes from PyPI, with its own fake driver: two servers behind one BMC, basic authentication. */
export async function startSushyTools(folder: string): Promise<SushyTools> {
  const home = mkdtempSync(join(tmpdir(), 'rackwright-sushy-'))
  const python = join(folder, 'bin', 'python')
  const [username, password] = ['admin', 'a secret for tests']
  const systems = ['27946b59-9e44-4fa7-8e91-f3527a1ef094', 'f0000000-9e44-4fa7-8e91-f3527a1ef095']
  const hash = execFileSync(
    python,
    ['-c', 'import bcrypt,sys; print(bcrypt.hashpw(sys.argv[1].encode(), bcrypt.gensalt(4)).decode())', password],
    { encoding: 'utf8' },
  ).trim()
  writeFileSync(join(home, 'htpasswd'), `${username}:${hash}\n`)
  writeFileSync(join(home, 'emulator.conf'), configuration(home, systems))
  const child = spawn(join(folder, 'bin', 'sushy-emulator'), ['--config', join(home, 'emulator.conf')], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, PYTHONUNBUFFERED: '1' },
  })
  const stop = async (): Promise<void> => {
    const ended = new Promise(resolve =>
      child.exitCode === null && child.signalCode === null ? child.once('exit', resolve) : resolve(undefined),
    )
    child.kill('SIGKILL')
    await ended
    rmSync(home, { recursive: true, force: true })
  }
  try {
    return { url: await listening(child), username, password, systems, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

const configuration = (home: string, systems: readonly string[]): string => `
SUSHY_EMULATOR_LISTEN_IP = '127.0.0.1'
SUSHY_EMULATOR_LISTEN_PORT = 0
SUSHY_EMULATOR_FAKE_DRIVER = True
SUSHY_EMULATOR_STATE_DIR = '${home}'
SUSHY_EMULATOR_AUTH_FILE = '${home}/htpasswd'
SUSHY_EMULATOR_FAKE_SYSTEMS = [
${systems.map((uuid, n) => `    {'uuid': '${uuid}', 'name': 'fake-${n}', 'power_state': 'Off', 'external_notifier': False, 'nics': [{'mac': '00:5c:52:31:3a:9${n}', 'ip': '172.22.0.10${n}'}]},`).join('\n')}
]
SUSHY_EMULATOR_STORAGE = {
${systems.map(uuid => `    '${uuid}': [{'Id': '1', 'Name': 'c', 'StorageControllers': [{'MemberId': '0', 'Name': 'r', 'SpeedGbps': 12}], 'Drives': ['D1']}],`).join('\n')}
}
SUSHY_EMULATOR_DRIVES = {
${systems.map(uuid => `    ('${uuid}', '1'): [{'Id': 'D1', 'Name': 'd', 'CapacityBytes': 128849018880, 'Protocol': 'SATA'}],`).join('\n')}
}
SUSHY_EMULATOR_VOLUMES = {
${systems.map(uuid => `    ('${uuid}', '1'): [],`).join('\n')}
}
`

function listening(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = ''
    const hear = (chunk: Buffer): void => {
      text += chunk.toString('utf8')
      const found = /Running on (http:\/\/127\.0\.0\.1:\d+)/.exec(text)
      if (found) resolve(found[1]!)
    }
    child.stdout?.on('data', hear)
    child.stderr?.on('data', hear)
    child.once('error', reject)
    child.once('exit', code => reject(new Error(`sushy-emulator ended with ${code}: ${text.slice(-2_000)}`)))
  })
}
