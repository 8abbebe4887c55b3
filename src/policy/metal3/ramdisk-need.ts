/** What of a host tells whether it boots a ramdisk. */
export interface RamdiskUser {
  readonly phase: string
  readonly inspection: 'agent' | 'fast'
  readonly cleaning: 'metadata' | 'disabled'
  readonly liveIso: boolean
  readonly prepares: boolean
}

/**
 * Whether its ramdisk's image must be there (`required`), is left as it is (`kept`) or is taken away (`none`): with the host's
 * installation it has served, and another is made when the host is given back.
 */
export function ramdiskNeed({ phase, inspection, cleaning, liveIso, prepares }: RamdiskUser): 'required' | 'kept' | 'none' {
  switch (phase) {
    case 'inspecting':
      return inspection === 'agent' ? 'required' : 'kept'
    case 'preparing':
      return prepares ? 'required' : 'kept'
    case 'provisioning':
      return liveIso ? 'kept' : 'required'
    case 'deprovisioning':
      return cleaning === 'metadata' ? 'required' : 'kept'
    case 'registering':
    case 'available':
      return 'kept'
    default:
      return 'none'
  }
}
