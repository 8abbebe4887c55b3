import type { ArtifactRole } from '../../policy/boot/method.ts'
import type { SimImage } from './image.ts'

/** The registry that stands for the simulated rack's images; its layout folder is made, not fetched. */
export const simRegistry = 'images.sim'

/** Lines that a simulated machine acts on (see `readProgram`); real machines would find no kernel here. */
const file = (what: string, lines: readonly string[]): Uint8Array =>
  Buffer.from([`A ${what} for simulated machines.`, ...lines.map(line => `sim: ${line}`), ''].join('\n'))

const report = (state: string): string => `post \${boot}/bootstate {"systemUUID":"\${uuid}","booted":true,"state":"${state}"}`

/** Registers, says that it runs, and waits. */
export const probeProgram: readonly string[] = [`probe \${boot}`]

/** Writes the disk, says so, restarts; what it installed says that it runs. Its configuration is part of it. */
const plainInstallerProgram = (os: string): readonly string[] => [`install ${os}`, report('Installed'), 'reboot', 'disk', report('Booted')]

/** An installer as they are: reads its configuration first. */
export const installerProgram = (os: string): readonly string[] => [`fetch \${boot}/ignition`, ...plainInstallerProgram(os)]

/** One that says nothing, as most do today: its restart has to be understood from outside. */
export const silentInstallerProgram = (os: string): readonly string[] => [`fetch \${boot}/ignition`, `install ${os}`, 'reboot']

/** One that restarts three times, each time by itself and without a word: to what it wrote, and twice to go on with that. */
export const stagedInstallerProgram = (os: string): readonly string[] => [
  ...silentInstallerProgram(os),
  ...['disk', 'wait 300', 'reboot'],
  ...['disk', 'wait 300', 'reboot'],
  'disk',
]

/** A system that runs from memory. */
export const liveProgram: readonly string[] = [`fetch \${boot}/ignition`, report('Booted')]

export type DemoContent = Readonly<Partial<Record<ArtifactRole, readonly string[]>>>

/** Files with programs in them, the same for both architectures. */
export function simImage(repository: string, tag: string, content: DemoContent): SimImage {
  const files = Object.fromEntries(Object.entries(content).map(([role, lines]) => [role, file(`${repository}:${tag} ${role}`, lines)]))
  return { repository, tag, content: { amd64: files, arm64: files } }
}

/** By PXE the kernel carries the program, and the initramfs is there because a boot needs one. */
const pxe = (program: readonly string[]): DemoContent => ({ kernel: program, initramfs: [] })

/** What the simulated rack is shown with. */
export const demoImages: readonly SimImage[] = [
  simImage('discovery', '1', { ...pxe(probeProgram), uki: probeProgram }),
  simImage('os', '1', { ...pxe(installerProgram('demo-os-1')), uki: installerProgram('demo-os-1'), iso: installerProgram('demo-os-1') }),
  simImage('os', 'pxe', pxe(installerProgram('demo-os-1'))),
  simImage('os', 'uki', { uki: installerProgram('demo-os-1') }),
  simImage('os', 'quiet', { ...pxe(silentInstallerProgram('demo-os-1')), uki: silentInstallerProgram('demo-os-1') }),
  simImage('os', 'no-uki', pxe(installerProgram('demo-os-1'))),
  simImage('os', 'no-initramfs', { kernel: installerProgram('demo-os-1') }),
  simImage('debian', '13', { ...pxe(plainInstallerProgram('debian-13')), uki: plainInstallerProgram('debian-13') }),
  simImage('debian', '13-pxe', pxe(plainInstallerProgram('debian-13'))),
  simImage('tools', 'live', { ...pxe(liveProgram), uki: liveProgram }),
]

export const discoveryImage = `${simRegistry}/discovery:1`
