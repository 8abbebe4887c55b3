import type { ArtifactRole } from '../policy/boot/method.ts'

const ends: Readonly<Partial<Record<ArtifactRole, string>>> = { uki: '.efi', iso: '.iso' }
const shape = /^[A-Za-z0-9._-]{1,128}$/

/** How an artefact is called in an address. Firmware and BMCs judge by the end of the name. */
export function fileName(role: ArtifactRole, image: string): string {
  const end = ends[role]
  if (end === undefined) return role
  const last = (image.split('@')[0]?.split('/').at(-1)?.split(':')[0] ?? '').replace(/[^A-Za-z0-9._-]/g, '').slice(0, 64)
  return `${last || 'image'}${end}`
}

/** Which artefact is meant by a name; the part before the end is for people. */
export function roleOfFile(name: string): ArtifactRole | undefined {
  if (!shape.test(name)) return undefined
  if (name.endsWith('.efi')) return 'uki'
  if (name.endsWith('.iso')) return 'iso'
  const role = name.slice(name.lastIndexOf('.') + 1)
  return role === 'kernel' || role === 'initramfs' || role === 'squashfs' ? role : undefined
}
