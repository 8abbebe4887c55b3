import { type Millis, minutes, seconds } from '../../core/duration.ts'

/** So often a disc is tried while its host waits for it to be switched on, and so long: then the host goes ahead without it. */
export const mediaTries = 5
export const mediaPatience = minutes(10)
/** So often in a row a disc that is to go stays before nobody waits for it any more. */
export const mediaHopeless = 10

/** Longer and longer: as many as a host waits for fit into the time for which it is held, and later ones are an hour apart. */
export const restAfter = (tries: number): Millis => (tries <= 0 ? 0 : seconds(15) * 2 ** (Math.min(tries, 9) - 1))

/** What is wrong with the address of a disc; undefined where nothing is. */
export function discProblem(url: string): string | undefined {
  let read: URL
  try {
    read = new URL(url)
  } catch {
    return 'spec.url is not an address'
  }
  if (read.protocol !== 'http:' && read.protocol !== 'https:') return 'spec.url must begin with http:// or https://'
  // They would be told to everybody who may read the object, and to whoever reads the controller's log.
  if (read.username !== '' || read.password !== '') return 'spec.url holds credentials, which are not supported'
  return undefined
}

/** What of a DataImage tells whether its host waits for it. */
export interface MediaWish {
  /** What is to be in a drive; undefined where nothing can be. */
  readonly url: string | undefined
  readonly accepted: boolean
  readonly deleting: boolean
  readonly held: boolean
  readonly attached: string | undefined
  readonly begun: boolean
  readonly tries: number
}

/** Whether something has still to be put in or taken out before its host is switched on. */
export const isPending = ({ url, accepted, deleting, held, attached, begun, tries }: MediaWish): boolean =>
  accepted && tries < mediaTries && (deleting ? held && (attached !== undefined || begun) : begun || attached !== url)

/** Whether a drive still shows what was put into it; some controllers lose a disc whose server was away. */
export const isLost = (
  drives: readonly { readonly id: string; readonly inserted: boolean; readonly image?: string }[],
  { drive, attached }: { readonly drive: string | undefined; readonly attached: string },
): boolean => !drives.some(({ id, inserted, image }) => id === drive && inserted && image === attached)

/** Whether something of it may be in a drive. */
export const isIn = ({ attached, begun, held, tries }: Pick<MediaWish, 'attached' | 'begun' | 'held' | 'tries'>): boolean =>
  held && tries < mediaTries && (attached !== undefined || begun)
