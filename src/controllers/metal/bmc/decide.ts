import { type Condition, isFalse, isTrue } from '../../../core/condition.ts'
import { minutes } from '../../../core/duration.ts'
import { act, idle, type Plan, wait } from '../../../core/plan.ts'
import { reasonOf } from '../read-image.ts'

export interface Seen {
  readonly name: string
  readonly deleting: boolean
  readonly protocol: string
  readonly ip: string | undefined
  /** It says twice where it is: as an address, and as an Endpoint. */
  readonly ambiguous: boolean
  /** Who answered, or why nobody did; undefined where nobody was asked. */
  readonly reached: Reached | undefined
  /** The machine that its status names: others see it there. */
  readonly noted: string | undefined
  /** Whether it was not sure which machine this is when somebody answered last. */
  readonly doubted: boolean
  /** The Servers that name this BMC; of those that name none, the one that is its machine. */
  readonly servers: readonly { readonly name: string; readonly systemUUID: string; readonly same: boolean }[]
  /** Other BMCs that speak for a machine with the same UUID, and Servers of other BMCs that have it. */
  readonly twins: readonly string[]
  /** What somebody asked for by annotation. */
  readonly operation: string | undefined
  /** A job of the controller is under way; looked at where something is asked for. */
  readonly busy: boolean
}

export type Reached =
  | {
      readonly is: 'answered'
      readonly uuid: string | undefined
      readonly manufacturer: string
      readonly model: string
      readonly serial: string | undefined
      readonly state: string | undefined
      readonly firmware: string | undefined
      readonly system: string
    }
  | { readonly is: 'silent'; readonly code: string; readonly because: string; readonly hint: string | undefined }

export type Verb =
  | { readonly do: 'createServer'; readonly systemUUID: string; readonly systemURI: string }
  /** Takes the operation away, and starts the controller itself anew; the machine runs on. */
  | { readonly do: 'restart' }
  | { readonly do: 'takeOperation' }

/** Reasons of `Ready=False` that say: it is not sure which machine this is. */
export const doubts: readonly string[] = ['AnotherMachine', 'DuplicateIdentity', 'SeveralServers', 'NoIdentity']

type Answered = Extract<Reached, { is: 'answered' }>

const lookEvery = minutes(1)

/** Finds out who answers at a controller's address, and makes the Server for the machine behind it. */
export function decide(seen: Seen): Plan<Verb> {
  const { reached } = seen
  if (seen.deleting) return idle('it is going; its Server stays until somebody deletes it')
  if (seen.protocol !== 'Redfish') return notReady('ProtocolNotSupported', `${seen.protocol} is not spoken here, only Redfish`)
  if (seen.ambiguous) return notReady('TwoAddresses', 'both endpointRef and access say where it is: only one may')
  if (seen.ip === undefined) return notReady('NoAddress', 'its Endpoint has no address yet')
  if (seen.operation === 'ignore') return idle('it is ignored, as its annotation says')
  if (!reached) return idle('asks who is there')
  const asked = seen.operation === undefined ? undefined : operated(seen, seen.operation, reached)
  if (asked) return asked
  // Silence settles no doubt: what was said last stays said until somebody answers.
  if (reached.is === 'silent') return wait(reached.because, lookEvery, seen.doubted ? {} : silentStatus(reached))
  return answered(seen, reached)
}

function answered(seen: Seen, reached: Answered): Plan<Verb> {
  const status = (...conditions: readonly Condition[]) => ({
    ip: seen.ip,
    manufacturer: reached.manufacturer,
    model: reached.model,
    serialNumber: reached.serial ?? null,
    systemUUID: reached.uuid ?? null,
    firmwareVersion: reached.firmware ?? null,
    state: reached.state ?? null,
    conditions,
  })
  const doubt = doubtOf(seen, reached)
  if (doubt)
    return wait(doubt.because, lookEvery, {
      status: status(isFalse('Ready', doubt.reason, doubt.because)),
      events: doubt.reason === 'NoIdentity' ? [] : [{ type: 'Warning', reason: doubt.reason, message: doubt.because }],
    })
  const answers = `${reached.manufacturer} ${reached.model} answers`
  const ready = status(isTrue('Ready', 'Answered', answers))
  if (seen.servers.length > 0) return wait(answers, lookEvery, { status: ready })
  // Said first, made then: of two that say the same, both see it before either makes anything.
  if (seen.noted !== reached.uuid) return idle(answers, { status: ready })
  return act(
    `makes a Server for ${reached.manufacturer} ${reached.model}`,
    [{ do: 'createServer', systemUUID: reached.uuid ?? '', systemURI: reached.system }],
    { status: ready },
  )
}

/** Why nothing may be done to the machine that answers: it cannot be told from another. Nobody is guessed between. */
function doubtOf({ servers, twins }: Seen, { uuid }: Answered): { readonly reason: string; readonly because: string } | undefined {
  if (uuid === undefined) return { reason: 'NoIdentity', because: 'its machine reports no UUID, so it cannot be told from others' }
  if (twins.length > 0)
    return { reason: 'DuplicateIdentity', because: `its machine reports the UUID ${uuid}, and so do others: ${twins.join(', ')}` }
  const [server, another] = servers
  if (another)
    return {
      reason: 'SeveralServers',
      because: `several Servers are said to be its machine: ${servers.map(({ name }) => name).join(', ')}`,
    }
  if (server && !server.same)
    return { reason: 'AnotherMachine', because: `another machine answers at its address: ${uuid} instead of ${server.systemUUID}` }
  return undefined
}

const restarts = 'graceful-restart-bmc'

/** What was asked for is taken away before it is done: done twice is worse than asked for twice. */
function operated({ busy }: Seen, operation: string, { is }: Reached): Plan<Verb> | undefined {
  if (operation !== restarts) {
    const message = `operation ${operation} is not known; known are ${restarts}, ignore`
    return act(message, [{ do: 'takeOperation' }], { events: [{ type: 'Warning', reason: 'UnsupportedOperation', message }] })
  }
  if (is === 'silent') return undefined
  if (busy) return wait('a job of its own is under way: it is restarted after that', lookEvery)
  const because = 'it is restarted, as somebody asked'
  return act(because, [{ do: 'restart' }], {
    events: [{ type: 'Normal', reason: 'Restarts', message: because }],
    again: lookEvery,
  })
}

const notReady = (reason: string, because: string): Plan<Verb> =>
  idle(because, { status: { conditions: [isFalse('Ready', reason, because)] } })

const silentStatus = ({ code, because, hint }: Extract<Reached, { is: 'silent' }>) => ({
  status: { conditions: [isFalse('Ready', reasonOf(code), hint === undefined ? because : `${because}. ${hint}`)] },
})
