import { isFalse, isTrue } from '../../../core/condition.ts'
import { minutes } from '../../../core/duration.ts'
import { act, idle, type Plan, wait } from '../../../core/plan.ts'
import { reasonOf } from '../read-image.ts'

export interface Seen {
  readonly name: string
  readonly deleting: boolean
  readonly protocol: string
  readonly ip: string | undefined
  /** Who answered, or why nobody did; undefined where nobody was asked. */
  readonly reached: Reached | undefined
  /** The Server that stands for this controller's machine, if there is one. */
  readonly server: { readonly name: string; readonly systemUUID: string } | undefined
}

export type Reached =
  | {
      readonly is: 'answered'
      readonly uuid: string | undefined
      readonly manufacturer: string
      readonly model: string
      readonly serial: string | undefined
      readonly firmware: string | undefined
      readonly system: string
    }
  | { readonly is: 'silent'; readonly code: string; readonly because: string; readonly hint: string | undefined }

export type Verb = { readonly do: 'createServer'; readonly systemUUID: string; readonly systemURI: string }

const lookEvery = minutes(1)

/** Finds out who answers at a controller's address, and makes the Server for the machine behind it. */
export function decide(seen: Seen): Plan<Verb> {
  const { reached } = seen
  if (seen.deleting) return idle('it is going; its Server stays until somebody deletes it')
  if (seen.protocol !== 'Redfish') return notReady('ProtocolNotSupported', `${seen.protocol} is not spoken here, only Redfish`)
  if (seen.ip === undefined) return notReady('NoAddress', 'its Endpoint has no address yet')
  if (!reached) return idle('asks who is there')
  if (reached.is === 'silent') return wait(reached.because, lookEvery, silentStatus(reached))
  const status = {
    ip: seen.ip,
    manufacturer: reached.manufacturer,
    model: reached.model,
    serialNumber: reached.serial ?? null,
    firmwareVersion: reached.firmware ?? null,
    conditions: [isTrue('Ready', 'Answered', `${reached.manufacturer} ${reached.model} answers`)],
  }
  if (reached.uuid === undefined)
    return wait('its machine reports no UUID, so it cannot be told from others', lookEvery, {
      status: { ...status, conditions: [isFalse('Ready', 'NoIdentity', 'its machine reports no UUID, so it cannot be told from others')] },
    })
  if (!seen.server)
    return act(
      `makes a Server for ${reached.manufacturer} ${reached.model}`,
      [{ do: 'createServer', systemUUID: reached.uuid, systemURI: reached.system }],
      { status },
    )
  if (seen.server.systemUUID !== reached.uuid) {
    const because = `another machine answers at its address: ${reached.uuid} instead of ${seen.server.systemUUID}`
    return wait(because, lookEvery, {
      status: { ...status, conditions: [isFalse('Ready', 'AnotherMachine', because)] },
      events: [{ type: 'Warning', reason: 'AnotherMachine', message: because }],
    })
  }
  return wait(`${reached.manufacturer} ${reached.model} answers`, lookEvery, { status })
}

const notReady = (reason: string, because: string): Plan<Verb> =>
  idle(because, { status: { conditions: [isFalse('Ready', reason, because)] } })

const silentStatus = ({ code, because, hint }: Extract<Reached, { is: 'silent' }>) => ({
  status: { conditions: [isFalse('Ready', reasonOf(code), hint === undefined ? because : `${because}. ${hint}`)] },
})
