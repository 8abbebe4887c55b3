import { spawn, spawnSync } from 'node:child_process'
import { chownSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { MockedSystemd } from './mocked-systemd.ts'

const program = '/lib/systemd/systemd'
const nobody = 65_534

/** What is missing for a real systemd of a user who is nobody; undefined where nothing is. */
export function userSystemdMissing(): string | undefined {
  if (process.getuid?.() !== 0) return 'a systemd of its own needs namespaces, which this user cannot make'
  if (!existsSync(program)) return 'there is no systemd'
  if (spawnSync('dbus-daemon', ['--version']).error) return 'there is no dbus-daemon (Debian: dbus)'
  return spawnSync('unshare', ['-m', 'sh', '-c', begins('probe')]).status === 0
    ? undefined
    : 'no cgroup can be had for a systemd of its own'
}

/** Its units, as a story wants its agent to be. */
const units: Readonly<Record<string, string>> = {
  success: '[Service]\nExecStart=/bin/sleep 2\n',
  failure: '[Service]\nExecStart=/bin/sh -c "sleep 1; exit 1"\n',
  // The assisted agent's own unit is restarted for ever.
  'crash-loop': '[Unit]\nStartLimitIntervalSec=0\n[Service]\nExecStart=/bin/false\nRestart=always\nRestartSec=500ms\n',
  'never-ran': '[Unit]\nConditionPathExists=/nowhere\n[Service]\nExecStart=/bin/sleep 2\n',
}

/** A real systemd with a bus of its own, as a user who is nobody, in namespaces of its own: it finds no trace of another one, and leaves none. */
export async function userSystemd(story: string): Promise<MockedSystemd> {
  const folder = mkdtempSync(join(tmpdir(), 'rackwright-systemd-'))
  const config = join(folder, 'config/systemd/user')
  mkdirSync(config, { recursive: true })
  const unit = units[story]
  if (unit !== undefined) writeFileSync(join(config, 'agent.service'), unit)
  writeFileSync(join(config, 'dbus.socket'), `[Socket]\nListenStream=${join(folder, 'bus')}\n`)
  const bus = '/usr/bin/dbus-daemon --session --address=systemd: --nofork --nopidfile --systemd-activation'
  writeFileSync(join(config, 'dbus.service'), `[Unit]\nRequires=dbus.socket\n[Service]\nExecStart=${bus}\n`)
  writeFileSync(join(config, 'default.target'), '[Unit]\nRequires=dbus.service\nAfter=dbus.service\n')
  spawnSync('chown', ['-R', `${nobody}:${nobody}`, folder])
  chownSync(folder, nobody, nobody)
  const name = folder.split('-').at(-1) ?? ''
  const address = `unix:path=${join(folder, 'bus')}`
  const user = `setpriv --reuid=${nobody} --regid=${nobody} --clear-groups env -i PATH=/usr/bin:/bin HOME=${folder} XDG_RUNTIME_DIR=${folder} XDG_CONFIG_HOME=${join(folder, 'config')}`
  const child = spawn('unshare', ['-m', 'sh', '-c', `${begins(name)} && exec ${user} ${program} --user`], { stdio: 'ignore' })
  const ended = new Promise(resolve => child.once('close', resolve))
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM')
    await ended
    spawnSync('unshare', [
      '-m',
      'sh',
      '-c',
      `mount -t cgroup2 none /sys/fs/cgroup; find /sys/fs/cgroup/rackwright-${name} -depth -type d -exec rmdir {} +`,
    ])
    rmSync(folder, { recursive: true, force: true })
  }
  for (let i = 0; i < 150; i++) {
    const asked = spawnSync('setpriv', [`--reuid=${nobody}`, `--regid=${nobody}`, '--clear-groups', '/usr/bin/python3', '-c', asks], {
      env: { DBUS_SYSTEM_BUS_ADDRESS: address },
    })
    if (asked.status === 0) return { address, stop }
    await new Promise(resolve => setTimeout(resolve, 100))
  }
  await stop()
  throw new Error('a systemd of its own does not come up')
}

const asks = [
  'import dbus',
  "manager = dbus.SystemBus().get_object('org.freedesktop.systemd1', '/org/freedesktop/systemd1', introspect=False)",
  "manager.Get('org.freedesktop.systemd1.Manager', 'Version', dbus_interface='org.freedesktop.DBus.Properties')",
].join('; ')

/** It wants to see a system that was booted with systemd, and a group of processes to itself. */
const begins = (name: string): string =>
  [
    'mount -t tmpfs tmpfs /run',
    'mkdir -p /run/systemd/system',
    '{ umount -R /sys/fs/cgroup 2>/dev/null; true; }',
    'mount -t cgroup2 none /sys/fs/cgroup',
    `mkdir -p /sys/fs/cgroup/rackwright-${name}`,
    `chown -R ${nobody}:${nobody} /sys/fs/cgroup/rackwright-${name}`,
    ...(name === 'probe' ? ['rmdir /sys/fs/cgroup/rackwright-probe'] : [`echo $$ > /sys/fs/cgroup/rackwright-${name}/cgroup.procs`]),
  ].join(' && ')
