import type { BootOption, BootTarget } from '../../ports/bmc.ts'
import { flag, known, type Resource, text } from '../transport/read.ts'

type Kind = BootTarget | 'Other'

/** The firmware file of the UEFI shell and of the setup menu in EDK2, which most vendors build on. */
const byPath: readonly { readonly when: RegExp; readonly kind: Kind }[] = [
  { when: /FvFile\(7C04A583-9E3E-4F1C-AD65-E05268D0B4D1\)|\\shell(x64|aa64)?\.efi/i, kind: 'UefiShell' },
  { when: /FvFile\(462CAA21-7614-4503-836E-8AB6F4662331\)/i, kind: 'BiosSetup' },
  { when: /\bUri\(/i, kind: 'UefiHttp' },
  { when: /\bMAC\(.*\bIPv[46]\(/i, kind: 'Pxe' },
  { when: /\bCDROM\(/i, kind: 'Cd' },
  { when: /\b(HD|NVMe|Sata|SasEx|Scsi|eMMC)\(|\\EFI\\/i, kind: 'Hdd' },
]

/** Only for what the path does not tell: names are for people and change with the firmware. */
const byName: readonly { readonly when: RegExp; readonly kind: Kind }[] = [
  { when: /\bshell\b/i, kind: 'UefiShell' },
  { when: /\bHTTPS?\b/i, kind: 'UefiHttp' },
  { when: /\bPXE/i, kind: 'Pxe' },
  { when: /\b(BIOS|system|enter) setup\b|\bsetup menu\b/i, kind: 'BiosSetup' },
  { when: /\b(CD|DVD|CD-?ROM|optical)\b/i, kind: 'Cd' },
  {
    when: /\b(hard ?(disk|drive)|fixed disk|disk|HDD|SSD|NVMe|SATA|RAID|windows boot manager|ubuntu|debian|linux|rhel|red ?hat|suse)\b/i,
    kind: 'Hdd',
  },
]

const aliases: Readonly<Record<string, Kind>> = {
  Pxe: 'Pxe',
  UefiHttp: 'UefiHttp',
  Hdd: 'Hdd',
  Cd: 'Cd',
  UefiShell: 'UefiShell',
  BiosSetup: 'BiosSetup',
}

/** No device path is so long, and one that is takes a pattern with a gap longer than anybody waits. */
const longestPath = 2_048

export function kindOf(path: string | undefined, alias: string | undefined, name: string | undefined): Kind {
  const told = path === undefined ? undefined : byPath.find(({ when }) => when.test(path.slice(0, longestPath)))?.kind
  if (told !== undefined) return told
  if (alias !== undefined && Object.hasOwn(aliases, alias)) return aliases[alias] ?? 'Other'
  return name === undefined ? 'Other' : (byName.find(({ when }) => when.test(name))?.kind ?? 'Other')
}

export function bootOptionOf(resource: Resource): BootOption | undefined {
  const reference = text(resource, 'BootOptionReference') ?? text(resource, 'Id')
  if (reference === undefined) return undefined
  const path = text(resource, 'UefiDevicePath')
  const name = text(resource, 'DisplayName')
  return known<BootOption>({
    reference,
    name: name ?? text(resource, 'Name') ?? reference,
    kind: kindOf(path, text(resource, 'Alias'), name),
    enabled: flag(resource, 'BootOptionEnabled') ?? true,
    path,
  })
}
