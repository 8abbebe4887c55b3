import { isFalse } from '../../../core/condition.ts'
import { type Instant, seconds } from '../../../core/duration.ts'
import { act, idle, type Plan, wait } from '../../../core/plan.ts'
import type { Flow } from '../../../policy/assisted/flow.ts'
import { detachedAnnotation, inspectAnnotation } from '../../metal3/host/annotations.ts'
import { conditionType } from './observe.ts'
import type { Seen, Verb } from './seen.ts'

/** Time for people to change their minds before a disc is used. */
const coolDown = seconds(60)
/** From here on the installer restarts the machine by itself. */
const over = ['Rebooting', 'Joined', 'Done', 'Failed', 'Configuring']

/** Who detaches hosts that the assisted service has installed. */
export const assistedDetached = 'assisted-service-controller'

const isInspected = (mode: string | undefined): boolean => mode !== undefined && mode !== 'disabled'

/** The old way: the disc of the InfraEnv is booted, and nobody hears of its end. Inspection and cleaning have no agent here. */
export function liveIso({ host, infraEnv, agent }: Seen, flow: Flow & { readonly is: 'live-iso' }, now: Instant): Plan<Verb> {
  const { image } = host
  const told: readonly Verb[] = agent?.lacks && !host.deleting ? [{ do: 'tell', agent, patch: agent.lacks }] : []
  const says = (what: string, merge?: object, again?: number): Plan<Verb> => {
    const message = `${what}; it is installed by live ISO: ${flow.because}`
    const status = { conditions: [isFalse(conditionType, flow.reason, message)] }
    const actions: readonly Verb[] = [...(merge ? [{ do: 'change', merge } as const] : []), ...told]
    if (actions.length > 0) return act(message, actions, { status })
    return again === undefined ? idle(message, { status }) : wait(message, again, { status })
  }
  if (host.deleting) return idle('it is deleted')
  if (image !== undefined && image.format !== 'live-iso') return says('it has an image of its own, and is left to that')
  if (host.detachedBy !== undefined)
    return agent?.unbinding && image
      ? says('its agent has left its cluster', { metadata: { annotations: { [detachedAnnotation]: null } }, spec: { image: null } })
      : says('it is detached, and left alone')
  if (agent && over.includes(agent.stage ?? ''))
    return says('its installer restarts it from disk', { metadata: { annotations: { [detachedAnnotation]: assistedDetached } } })
  // An annotation that says otherwise than the spec is refused.
  const [marks, sets] = [host.inspectionMode === undefined && host.inspectAnnotation === undefined, isInspected(host.inspectionMode)]
  if (marks || sets || host.cleaning !== 'disabled')
    return says('it is neither inspected nor cleaned', {
      ...(marks ? { metadata: { annotations: { [inspectAnnotation]: 'disabled' } } } : {}),
      spec: { automatedCleaningMode: 'disabled', ...(sets ? { inspectionMode: 'disabled' } : {}) },
    })
  const iso = infraEnv?.iso
  if (iso === undefined) return says(`InfraEnv ${host.linked} has no disc yet`)
  if (image?.url === iso && host.online) return says('it runs from the disc of its InfraEnv')
  const age = infraEnv?.created === undefined ? coolDown : now - infraEnv.created
  if (age < coolDown) return says('the disc of its InfraEnv is new, and could still change', undefined, coolDown - age)
  if (image !== undefined && image.url !== iso) return says('the disc of its InfraEnv is another one now', { spec: { image: null } })
  if (!['available', 'ready'].includes(host.state)) return says(`the host is ${host.state === '' ? 'new' : host.state}`)
  return says('it boots the disc of its InfraEnv', { spec: { image: { url: iso, format: 'live-iso' }, online: true } })
}
