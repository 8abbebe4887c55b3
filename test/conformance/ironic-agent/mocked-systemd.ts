import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const python = '/usr/bin/python3'

/** What is missing for a systemd that is made up; undefined where nothing is. */
export function systemdMissing(): string | undefined {
  if (spawnSync('dbus-daemon', ['--version']).error) return 'there is no dbus-daemon (Debian: dbus)'
  return spawnSync(python, ['-c', 'import dbusmock, dbus']).status === 0 ? undefined : 'there is no python3-dbusmock'
}

export interface MockedSystemd {
  /** For DBUS_SYSTEM_BUS_ADDRESS. */
  readonly address: string
  stop(): void | Promise<void>
}

/** A system bus of our own with somebody on it who speaks as systemd does about agent.service. */
export async function mockedSystemd(story: string): Promise<MockedSystemd> {
  const folder = mkdtempSync(join(tmpdir(), 'rackwright-bus-'))
  chmodSync(folder, 0o755)
  const address = `unix:path=${join(folder, 'bus')}`
  const config = join(folder, 'bus.conf')
  writeFileSync(
    config,
    `<busconfig><type>system</type><listen>${address}</listen><auth>EXTERNAL</auth>
<policy context="default"><allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/><allow user="*"/></policy></busconfig>`,
  )
  const children: ChildProcess[] = []
  const stop = (): void => {
    for (const child of children) child.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  }
  const run = (command: string, args: readonly string[]): void =>
    void children.push(spawn(command, args, { stdio: 'ignore', env: { PATH: '/usr/bin:/bin', DBUS_SYSTEM_BUS_ADDRESS: address } }))
  run('dbus-daemon', ['--nofork', '--config-file', config])
  const mock = ['-m', 'dbusmock', '--template', join(import.meta.dirname, 'systemd_template.py'), '-p', JSON.stringify({ story })]
  const asks = [
    '-c',
    "import dbus; dbus.SystemBus().get_object('org.freedesktop.systemd1', '/org/freedesktop/systemd1/unit/agent_2eservice').GetAll('org.freedesktop.systemd1.Unit', dbus_interface='org.freedesktop.DBus.Properties')",
  ]
  await until(
    () => spawnSync(python, ['-c', 'import dbus; dbus.SystemBus()'], { env: { DBUS_SYSTEM_BUS_ADDRESS: address } }).status === 0,
    stop,
  )
  run(python, mock)
  await until(() => spawnSync(python, asks, { env: { DBUS_SYSTEM_BUS_ADDRESS: address } }).status === 0, stop)
  return { address, stop }
}

async function until(so: () => boolean, otherwise: () => void): Promise<void> {
  for (let i = 0; i < 60; i++) {
    if (so()) return
    await new Promise(resolve => setTimeout(resolve, 100))
  }
  otherwise()
  throw new Error('the mocked systemd does not come up')
}
