import { spawn, spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const code = '/usr/share/OVMF/OVMF_CODE_4M.fd'
const variables = '/usr/share/OVMF/OVMF_VARS_4M.fd'
/** A small EFI program that draws its menu on the serial line: systemd-boot without entries. */
export const program = '/usr/lib/systemd/boot/efi/systemd-bootx64.efi'
const menu = 'Reboot Into Firmware Interface'

/** What is not installed here of a machine with real UEFI firmware. */
export const missing: readonly string[] = [
  ...(spawnSync('qemu-system-x86_64', ['--version'], { stdio: 'ignore' }).error ? ['qemu-system-x86'] : []),
  ...(existsSync(code) && existsSync(variables) ? [] : ['ovmf']),
  ...(existsSync(program) ? [] : ['systemd-boot-efi']),
]

/** Starts a machine with OVMF, without acceleration, and says whether the program came up; what it printed otherwise. */
export async function boots(devices: readonly string[], within = 240_000): Promise<true | string> {
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
  let said = ''
  const came = await new Promise<boolean>(resolve => {
    const late = setTimeout(() => resolve(false), within)
    const hear = (chunk: Buffer): void => {
      said += chunk.toString('latin1')
      if (said.includes(menu)) {
        clearTimeout(late)
        resolve(true)
      }
    }
    child.stdout.on('data', hear)
    child.stderr.on('data', hear)
    child.once('exit', () => {
      clearTimeout(late)
      resolve(said.includes(menu))
    })
  })
  const ended = new Promise(resolve => (child.exitCode === null ? child.once('exit', resolve) : resolve(undefined)))
  child.kill('SIGKILL')
  await ended
  rmSync(folder, { recursive: true, force: true })
  return came || said.replace(/[^\x20-\x7e\n]/g, '').slice(-2_000)
}
