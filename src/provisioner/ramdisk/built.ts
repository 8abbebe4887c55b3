import type { HostOrder, RamdiskFiles, Ramdisks } from '../../ports/provisioner.ts'

/** The ramdisk that was built for a host goes first; what it leaves open, and hosts for which none is built, take what was set up once. */
export async function ramdiskFor(
  host: HostOrder,
  fixed: Ramdisks,
  signal: AbortSignal,
): Promise<RamdiskFiles | { readonly missing: string }> {
  const { ramdisk: built } = host
  if (!built) return fixed.of(host, signal)
  const told = built.kernelParams === undefined ? {} : { arguments: built.kernelParams }
  if (built.format === 'iso') return { iso: built.url, ...told }
  const kernel = built.kernelUrl ?? (await kernelOf(host, fixed, signal))
  return kernel === undefined
    ? { missing: 'an initramfs was built for it, and there is no kernel to boot it with' }
    : { kernel, initramfs: built.url, ...told }
}

async function kernelOf(host: HostOrder, fixed: Ramdisks, signal: AbortSignal): Promise<string | undefined> {
  const found = await fixed.of(host, signal)
  return 'missing' in found ? undefined : found.kernel
}
