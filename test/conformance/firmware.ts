import { spawn, spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const code = '/usr/share/OVMF/OVMF_CODE_4M.fd'
const variables = '/usr/share/OVMF/OVMF_VARS_4M.fd'
/** A small EFI program that shows that it runs: systemd-boot draws its menu, or says that a network has no root directory. */
export const program = '/usr/lib/systemd/boot/efi/systemd-bootx64.efi'
const started = /Reboot Into Firmware Interface|Unable to open root directory/
const shell = /UEFI Interactive Shell/

/** What is not installed here of a machine with real UEFI firmware. */
export const missing: readonly string[] = [
  ...(spawnSync('qemu-system-x86_64', ['--version'], { stdio: 'ignore' }).error ? ['qemu-system-x86'] : []),
  ...(existsSync(code) && existsSync(variables) ? [] : ['ovmf']),
  ...(existsSync(program) ? [] : ['systemd-boot-efi']),
]

/** HTTP is the only way to boot from the network: without this, firmware tries PXE first, twice. */
export const httpOnly: readonly string[] = ['IPv4PXESupport', 'IPv6PXESupport', 'IPv6Support'].flatMap(knob => [
  '-fw_cfg',
  `name=opt/org.tianocore/${knob},string=n`,
])

/** Starts a machine with OVMF, without acceleration: which came up first, the program or the EFI shell; what was printed otherwise. */
export async function firmwareRuns(devices: readonly string[], within = 240_000): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'rackwright-firmware-'))
  copyFileSync(variables, join(folder, 'vars.fd'))
  const flash = (unit: number, file: string, more = ''): string[] => ['-drive', `if=pflash,format=raw,unit=${unit},file=${file}${more}`]
  const machine = ['-machine', 'q35,accel=tcg', '-m', '256', '-nodefaults', '-display', 'none', '-serial', 'stdio']
  const child = spawn(
    'qemu-system-x86_64',
    [...machine, ...flash(0, code, ',readonly=on'), ...flash(1, join(folder, 'vars.fd')), ...devices],
    {
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
  const ended = new Promise(resolve => child.once('exit', resolve))
  const came = await new Promise<string>(resolve => {
    let said = ''
    const end = (how: string): void => {
      clearTimeout(late)
      resolve(how)
    }
    const giveUp = (): void => end(said.replace(/[^\x20-\x7e\n]/g, '').slice(-2_000))
    const late = setTimeout(giveUp, within)
    const hear = (chunk: Buffer): void => {
      said += chunk.toString('latin1')
      if (started.test(said)) end('the program')
      else if (shell.test(said)) end('the shell')
    }
    child.stdout.on('data', hear)
    child.stderr.on('data', hear)
    child.once('exit', giveUp)
  })
  child.kill('SIGKILL')
  await ended
  rmSync(folder, { recursive: true, force: true })
  return came
}
