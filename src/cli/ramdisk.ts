import { Fault } from '../core/fault.ts'
import type { RamdiskFiles } from '../ports/provisioner.ts'
import type { Options } from './catalogue/command.ts'

/** What is booted to work on hosts, as it is said on a command line or in a file of settings; undefined where nothing is. */
export function ramdiskOf({ ramdiskIso, ramdiskKernel, ramdiskInitramfs, ramdiskArguments }: Options): RamdiskFiles | undefined {
  const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined)
  const said = { iso: text(ramdiskIso), kernel: text(ramdiskKernel), initramfs: text(ramdiskInitramfs) }
  const urls = Object.entries(said).filter((entry): entry is [string, string] => entry[1] !== undefined)
  if (urls.length === 0) return undefined
  const wrong = urls.find(([, url]) => !/^https?:\/\//.test(url))
  if (wrong || (said.kernel === undefined) !== (said.initramfs === undefined))
    throw new Fault(
      'cli/ramdisk',
      wrong
        ? `Cannot use ${wrong[1]} as a ramdisk: it is no http or https address`
        : 'Cannot use a kernel without an initramfs, or the other way round',
      'never',
      { hint: 'for example: --ramdisk-iso http://10.0.0.1/ipa.iso, or --ramdisk-kernel … --ramdisk-initramfs …' },
    )
  return { ...Object.fromEntries(urls), ...(typeof ramdiskArguments === 'string' ? { arguments: ramdiskArguments } : {}) }
}
