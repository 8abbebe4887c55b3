import { createHash } from 'node:crypto'
import type { HostImage, HostOrder } from '../../ports/provisioner.ts'

/** An image as the agent wants it told. Where no kind of checksum is named, its length says which it is. */
export function imageInfoOf(image: HostImage, { uid, bootMode }: Pick<HostOrder, 'uid' | 'bootMode'>): object {
  const { url, format, checksum = '', checksumType = 'auto' } = image
  return {
    // Becomes the name of a file on the ramdisk.
    id: createHash('sha256').update(url).digest('hex').slice(0, 32),
    node_uuid: uid,
    urls: [url],
    image_type: 'whole-disk',
    deploy_boot_mode: bootModeOf(bootMode),
    ...(format === undefined ? {} : { disk_format: format }),
    stream_raw_images: format === 'raw',
    ...(checksumType === 'sha256' || checksumType === 'sha512' ? { os_hash_algo: checksumType, os_hash_value: checksum } : { checksum }),
  }
}

export const bootModeOf = (mode: HostOrder['bootMode']): string => (mode === 'legacy' ? 'bios' : 'uefi')

/** MD5 proves little, and agents refuse it unless they are told that it is all there is. Where no kind is named it is md5, unless it is longer. */
export function takesMd5(image: HostImage | undefined): boolean {
  const { checksum = '', checksumType } = image ?? {}
  if (checksumType === undefined) return checksum !== '' && !/^([0-9a-f]{64}|[0-9a-f]{128})$/i.test(checksum)
  return checksumType === 'md5' || (checksumType === 'auto' && /^[0-9a-f]{32}$/i.test(checksum))
}
