/** How a host's annotations ask for a restart. */
export interface Reboot {
  readonly mode: 'soft' | 'hard'
  /** Also while the host is not provisioned. */
  readonly force: boolean
  /** One that clients take away themselves: the host stays off until then. */
  readonly held: boolean
}

const plain = 'reboot.metal3.io'

/** `reboot.metal3.io` restarts once; `reboot.metal3.io/<who>` holds the host off while it is there. Any hard one makes all hard. */
export function rebootOf(annotations: Readonly<Record<string, string>>): Reboot | undefined {
  const asked = Object.entries(annotations).filter(([key]) => key === plain || key.startsWith(`${plain}/`))
  if (asked.length === 0) return undefined
  const wishes = asked.map(([, value]) => wishOf(value))
  return {
    mode: wishes.some(({ mode }) => mode === 'hard') ? 'hard' : 'soft',
    force: wishes.some(({ force }) => force === true),
    held: asked.some(([key]) => key !== plain),
  }
}

export const plainReboot = plain

function wishOf(value: string): { readonly mode?: unknown; readonly force?: unknown } {
  if (value === '') return {}
  try {
    const read: unknown = JSON.parse(value)
    return typeof read === 'object' && read !== null ? read : {}
  } catch {
    return {}
  }
}
