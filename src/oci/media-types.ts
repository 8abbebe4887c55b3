import type { ArtifactRole } from '../policy/boot/method.ts'

const roles: Readonly<Record<string, ArtifactRole>> = {
  'application/vnd.ironcore.image.kernel': 'kernel',
  'application/vnd.ironcore.image.initramfs': 'initramfs',
  'application/vnd.ironcore.image.squashfs': 'squashfs',
  'application/vnd.ironcore.image.uki': 'uki',
  'application/vnd.ironcore.image.iso': 'iso',
  // What images were built with before; still in registries.
  'application/io.gardenlinux.kernel': 'kernel',
  'application/io.gardenlinux.initrd': 'initramfs',
  'application/io.gardenlinux.squashfs': 'squashfs',
  'application/vnd.ironcore.image.vmlinuz.v1alpha1.vmlinuz': 'kernel',
  'application/vnd.ironcore.image.kernel.v1alpha1.vmlinuz': 'kernel',
  'application/vnd.ironcore.image.initramfs.v1alpha1.initramfs': 'initramfs',
  'application/vnd.ironcore.image.squashfs.v1alpha1.squashfs': 'squashfs',
}

/** What a layer is good for; undefined for layers that do not boot anything. */
export const roleOf = (mediaType: string): ArtifactRole | undefined => (Object.hasOwn(roles, mediaType) ? roles[mediaType] : undefined)

/** Clusters say x86_64 and aarch64 where registries say amd64 and arm64. */
export const ociArchitecture = (architecture: string): string => ({ x86_64: 'amd64', aarch64: 'arm64' })[architecture] ?? architecture
