/** A boot option of a BIOS, as far as its place in the order matters. */
export interface OrderedOption {
  readonly reference: string
  readonly name: string
  readonly kind: string
  readonly enabled: boolean
}

export interface BootOrderSeen {
  readonly options: readonly OrderedOption[]
  /** References, first to last. */
  readonly order: readonly string[]
  readonly secureBoot: 'Enabled' | 'Disabled' | 'Unknown' | undefined
}

export type OrderVerdict =
  | { readonly compliant: true; readonly because: string }
  | { readonly compliant: false; readonly reason: string; readonly because: string; readonly wanted: readonly string[] | undefined }

/** Where a boot that nobody commanded should end up: in the shell; failing that on the disk; on the network never by itself. */
const rank = (kind: string): number => (kind === 'UefiShell' ? 0 : kind === 'Hdd' ? 1 : kind === 'Pxe' || kind === 'UefiHttp' ? 3 : 2)

/** Whether a machine that is switched on without a command stops: the EFI shell first, then the disk, then the network. */
export function judgeOrder({ options, order, secureBoot }: BootOrderSeen): OrderVerdict {
  const inOrder = order.flatMap(reference => options.find(option => option.reference === reference && option.enabled) ?? [])
  const said = inOrder.map(({ name }) => name).join(', ')
  if (!inOrder.some(({ kind }) => kind === 'UefiShell'))
    return {
      compliant: false,
      reason: 'NoShell',
      because: `the BIOS has no EFI shell in its order: ${said || 'it is empty'}`,
      wanted: undefined,
    }
  const sorted = inOrder.toSorted((a, b) => rank(a.kind) - rank(b.kind))
  const wanted = [
    ...sorted.map(({ reference }) => reference),
    ...order.filter(reference => !sorted.some(option => option.reference === reference)),
  ]
  if (
    wanted.some((reference, index) => reference !== order[index]) &&
    sorted.some((option, index) => rank(option.kind) !== rank(inOrder[index]!.kind))
  )
    return {
      compliant: false,
      reason: 'WrongOrder',
      because: `the BIOS boots ${said}; it should be the EFI shell, then disks, then the network`,
      wanted,
    }
  // The shell is not signed: firmware refuses it and goes on to the next.
  if (secureBoot === 'Enabled')
    return {
      compliant: false,
      reason: 'SecureBoot',
      because: 'with Secure Boot on, firmware skips the EFI shell and boots the disk',
      wanted: undefined,
    }
  return { compliant: true, because: 'the EFI shell comes first; a startup.nsh on a disk, which no BMC shows, would still be run by it' }
}
