import { minutes, seconds } from '../../../core/duration.ts'
import { act, type Plan, type StatusPatch, wait } from '../../../core/plan.ts'
import { forgotten } from '../../../ports/provisioner.ts'
import { awaits } from './awaits.ts'
import { errorTypeOf, mended, resting, tell } from './errors.ts'
import { imageInTheWay } from './image.ts'
import { waitsForDrive, withoutMedia } from './media.ts'
import type { Seen, SeenCredentials, Verb } from './seen.ts'

/** So long a management controller may be away before that is told as a failure. */
const patience = minutes(10)

/** Does what the engine says to its present work; `finished` is what follows when it is done. */
export function takeTurn(seen: Seen, finished: (turn: Extract<NonNullable<Seen['turn']>, { is: 'done' }>) => Plan<Verb>): Plan<Verb> {
  const { host, turn, work, order, credentials } = seen
  const rest = resting(seen)
  if (rest) return rest
  if (credentials.is === 'missing') return tell(host, errorTypeOf('register', host), credentials.because, true)
  const held = work === 'register' ? undefined : (queued(seen) ?? imageInTheWay(seen) ?? unchecked(seen))
  if (held) return held
  if (!turn || !work || !order) return wait('waits for its management controller to be named', minutes(10))
  const taken = waitsForDrive(seen)
  if (taken) return taken
  switch (turn.is) {
    case 'done':
      return finished(turn)
    case 'progress': {
      const status: StatusPatch = {
        ...mended(seen),
        ...(turn.wrote ? { firmwareUpdates: [...host.written.filter(one => one.component !== turn.wrote?.component), turn.wrote] } : {}),
        ...(turn.memory ? { engine: { ...forgotten, ...turn.memory } } : {}),
        ...(turn.powered === undefined ? {} : { poweredOn: turn.powered }),
      }
      return turn.does
        ? act(turn.because, [{ do: 'engine', order, step: turn.does }], { status, again: turn.again, events: withoutMedia(seen) })
        : wait(turn.because, turn.again, { status })
    }
    case 'busy':
      return seen.busyFor < patience ? wait(turn.because, turn.again) : tell(host, errorTypeOf(work, host), turn.because, true)
    case 'failed':
      return tell(host, errorTypeOf(work, host), turn.because, turn.retryable, {
        ...(work === 'register' ? { triedCredentials: tried(credentials) } : {}),
        ...(turn.memory ? { engine: { ...forgotten, ...turn.memory, ...(isFirmware(work) ? { wish: seen.firmware.wish } : {}) } } : {}),
        ...(turn.powered === undefined ? {} : { poweredOn: turn.powered }),
      })
    case 'gone':
      // Nothing was lost but the engine's memory: it is told of the host again.
      return act(turn.because, [], { status: { goodCredentials: null } })
    default:
      return turn satisfies never
  }
}

/** Credentials as they are noted: by the name and the revision of their Secret. */
export const tried = (credentials: SeenCredentials): object | null =>
  credentials.is === 'there' ? { credentials: { name: credentials.name }, credentialsVersion: credentials.version } : null

const isFirmware = (work: Seen['work']): boolean => work === 'prepare' || work === 'service'

/** What somebody wants of its firmware was not checked yet: nothing of it is begun, or taken back. */
const unchecked = ({ work, firmware }: Seen): Plan<Verb> | undefined =>
  isFirmware(work) && firmware.unchecked !== undefined ? awaits(`its ${firmware.unchecked} to be checked`, seconds(30)) : undefined

/** Others boot from the network before it. */
const queued = ({ inLine }: Seen): Plan<Verb> | undefined =>
  inLine === undefined
    ? undefined
    : awaits('its turn: as many hosts boot from the network as may at a time', seconds(30), { operationalStatus: 'delayed' })
