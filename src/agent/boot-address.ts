import type { Files } from './collect/files.ts'

/** Kernel argument with everything up to and including the ticket; the boot server's iPXE scripts set it. */
export const bootArgument = 'rackwright.boot'

/** systemd-boot's and systemd-stub's variable with the address that a UKI was fetched from (systemd 258 and later). */
const variables = ['StubDeviceURL', 'LoaderDeviceURL'].map(name => `/sys/firmware/efi/efivars/${name}-4a67b082-0a4c-41cf-b6c7-440b29bb8c4f`)

/** Where this boot came from, with its ticket: from the command line, or from what firmware was given. */
export async function bootAddress(files: Files): Promise<string | undefined> {
  const given = bootBase({ commandLine: (await files.text('/proc/cmdline')) ?? '' })
  if (given !== undefined) return given
  for (const variable of variables) {
    const bytes = await files.bytes(variable)
    // Four bytes of attributes, then UTF-16 with a zero at the end.
    const url = bytes && Buffer.from(bytes.subarray(4)).toString('utf16le').replace(/\0.*$/s, '')
    const base = url === undefined ? undefined : bootBase({ url })
    if (base !== undefined) return base
  }
  return undefined
}

/** The address of a boot, from the kernel's command line or from the address of what was loaded. */
export function bootBase({ commandLine = '', url = '' }: { readonly commandLine?: string; readonly url?: string }): string | undefined {
  const named = commandLine.split(/\s+/).find(word => word.startsWith(`${bootArgument}=`))
  if (named !== undefined) return named.slice(bootArgument.length + 1)
  return /^(https?:\/\/.+\/boot\/[^/]+)\/[^/]+$/.exec(url)?.[1]
}
