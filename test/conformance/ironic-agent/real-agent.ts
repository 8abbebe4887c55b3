import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const nobody = 65_534

/** Where ironic-python-agent is, as it comes from PyPI, for a user who may do nothing; or why it is not. */
export function realAgent(): { readonly folder: string } | { readonly missing: string } {
  const isRoot = process.getuid?.() === 0
  if (isRoot && !existsSync('/usr/bin/setpriv')) return { missing: 'there is no setpriv here, and an agent is never run as root' }
  try {
    const made = execFileSync(new URL('../../../tools/python/venv', import.meta.url).pathname, ['ironic-python-agent', '--shared'], {
      stdio: ['ignore', 'pipe', 'pipe'],
      encoding: 'utf8',
    })
    return { folder: made.trim() }
  } catch (error) {
    const { stderr, message } = error as { stderr?: string; message: string }
    return { missing: (stderr ?? message).trim().split('\n').at(-1) ?? 'it could not be installed' }
  }
}

export interface AgentProcess {
  readonly pid: number
  /** What it said so far. */
  log(): string
  stop(): Promise<void>
}

export interface AgentOrder {
  /** Where it calls. */
  readonly api: string
  readonly mac: string
  readonly port: number
  readonly inspects: boolean
  /** The system bus of its machine; then it has our own steps, too. */
  readonly systemBus?: string | undefined
}

/** Starts the agent with a made-up machine below it. As root it becomes nobody first, without any capability; and it finds no program that could change anything. */
export function startAgent(folder: string, { api, mac, port, inspects, systemBus }: AgentOrder): AgentProcess {
  const home = mkdtempSync(join(tmpdir(), 'rackwright-agent-'))
  const stubs = join(home, 'bin')
  mkdirSync(stubs)
  for (const name of ['lsblk', 'sync', 'udevadm']) {
    writeFileSync(join(stubs, name), '#!/bin/sh\nexit 0\n')
    chmodSync(join(stubs, name), 0o755)
  }
  const managers = join(home, 'managers')
  mkdirSync(join(managers, 'rackwright_lane-1.dist-info'), { recursive: true })
  copyFileSync(join(import.meta.dirname, 'rackwright_lane.py'), join(managers, 'rackwright_lane.py'))
  writeFileSync(join(managers, 'rackwright_lane-1.dist-info', 'METADATA'), 'Metadata-Version: 2.1\nName: rackwright-lane\nVersion: 1\n')
  writeFileSync(
    join(managers, 'rackwright_lane-1.dist-info', 'entry_points.txt'),
    '[ironic_python_agent.hardware_managers]\nmade_up = rackwright_lane:MadeUp\n',
  )
  if (systemBus !== undefined) addOwnSteps(managers)
  writeFileSync(join(home, 'agent.conf'), configuration({ api, mac, port, inspects }))
  const isRoot = process.getuid?.() === 0
  if (isRoot) for (const path of [home, managers, join(home, 'agent.conf')]) chownSync(path, nobody, nobody)
  chmodSync(home, 0o755)
  const program = [join(folder, 'bin', 'python'), join(folder, 'bin', 'ironic-python-agent'), '--config-file', join(home, 'agent.conf')]
  const drop = [
    '/usr/bin/setpriv',
    `--reuid=${nobody}`,
    `--regid=${nobody}`,
    '--clear-groups',
    '--inh-caps=-all',
    '--ambient-caps=-all',
    '--bounding-set=-all',
    '--no-new-privs',
  ]
  const [command = '', ...args] = isRoot ? [...drop, ...program] : program
  const child = spawn(command, args, {
    cwd: home,
    env: {
      PATH: stubs,
      HOME: home,
      LANE_MAC: mac,
      PYTHONPATH: managers,
      PYTHONUNBUFFERED: '1',
      ...(systemBus === undefined ? {} : { DBUS_SYSTEM_BUS_ADDRESS: systemBus, RACKWRIGHT_POLL_SECONDS: '0.3' }),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  const hear = (chunk: Buffer): void => {
    said += chunk.toString('utf8')
  }
  child.stdout.on('data', hear)
  child.stderr.on('data', hear)
  return { pid: child.pid ?? 0, log: () => said, stop: () => ended(child, home) }
}

/** As pip would install them, and of the system's Python nothing but its way to D-Bus. */
function addOwnSteps(managers: string): void {
  const source = join(import.meta.dirname, '../../../src/agent/ironic')
  cpSync(join(source, 'rackwright_agent'), join(managers, 'rackwright_agent'), { recursive: true })
  const info = join(managers, 'rackwright_agent-0.1.0.dist-info')
  mkdirSync(info)
  writeFileSync(join(info, 'METADATA'), 'Metadata-Version: 2.1\nName: rackwright-agent\nVersion: 0.1.0\n')
  const [, entry = ''] = /\[project\.entry-points\.[^\]]*\]\n(.*)\n/.exec(readFileSync(join(source, 'pyproject.toml'), 'utf8')) ?? []
  writeFileSync(join(info, 'entry_points.txt'), `[ironic_python_agent.hardware_managers]\n${entry.replaceAll('"', '')}\n`)
  const system = '/usr/lib/python3/dist-packages'
  for (const name of readdirSync(system).filter(found => /^_?dbus(_bindings.*)?$/.test(found)))
    symlinkSync(join(system, name), join(managers, name))
}

async function ended(child: ChildProcess, home: string): Promise<void> {
  const over = new Promise(resolve =>
    child.exitCode === null && child.signalCode === null ? child.once('exit', resolve) : resolve(undefined),
  )
  child.kill('SIGKILL')
  await over
  rmSync(home, { recursive: true, force: true })
}

const configuration = ({ api, port, inspects }: AgentOrder): string => `[DEFAULT]
api_url = ${api}
listen_host = 127.0.0.1
advertise_host = 127.0.0.1
listen_port = ${port}
advertise_port = ${port}
disk_wait_attempts = 0
lookup_interval = 1
collect_lldp = false
ntp_server =
${
  inspects
    ? `inspection_callback_url = ${api}/v1/continue_inspection
inspection_collectors = default
inspection_dhcp_wait_timeout = 0
`
    : 'inspection_collectors =\n'
}`

/** Whether a process runs as somebody who may do nothing: what the kernel says of it. */
export const isHarmless = (pid: number): boolean => {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return !/^Uid:\s+0\s/m.test(status) && /^CapEff:\s+0+$/m.test(status)
}

/** A port that nobody has at this moment. */
export const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
