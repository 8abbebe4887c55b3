import { hours, type Millis, minutes } from '../../../core/duration.ts'
import { Fault } from '../../../core/fault.ts'
import type { BootOrderSeen } from '../../../policy/boot/order.ts'
import type { Bmc, Override } from '../../../ports/bmc.ts'
import type { BootTickets } from '../../../ports/boot-artifacts.ts'
import type { Look } from '../../../ports/index.ts'
import { operationAnnotation } from '../operation.ts'
import type { Server } from '../resources.ts'
import { discOf, ticketed } from './address.ts'
import { doubtOf } from './doubt.ts'
import { claimOf } from './observe-claim.ts'
import { configurationOf } from './observe-configuration.ts'
import { isWantedNext, maintenanceOf } from './observe-maintenance.ts'
import { parkedAnnotation } from './operations.ts'
import type { ServerPorts } from './ports.ts'
import type { Armed, Drive, Seen, SeenConfiguration, SeenMachine, SeenServer } from './seen.ts'
import { answerOf } from './shutdown.ts'

export async function observe(ports: ServerPorts, server: Server, look: Look): Promise<Seen> {
  const { status } = server
  const claim = await claimOf(ports, server, look)
  const maintenance = await maintenanceOf(ports, server, look)
  const configuration = configurationOf(ports, server)
  const reads = [...readsFor(server), ...(wantsDrives(server, configuration) ? (['media'] as const) : [])]
  const found = reads.length === 0 ? unasked : await ask(ports, server, configuration, reads, look)
  const boot = status?.boot
  if (found.machine.is !== 'there') look.unseen('stopping ')
  return {
    server: serverSeen(ports, server, look),
    us: ports.identity,
    observeOnly: ports.observeOnly?.() ?? false,
    ...found,
    boot: boot && {
      ...boot,
      age: look.lasting(`boot ${boot.attempt}`),
      stepAge: look.lasting(`boot ${boot.attempt} ${boot.step} ${boot.holder ?? ''}`),
      askedAge: look.lasting(`boot ${boot.attempt} asked ${boot.asked ?? ''}`),
    },
    earlier: status?.earlierBoots ?? [],
    // Counted only while it is seen to be on: a note that was followed by its being off is no reason to cut its power later, and
    // nobody could ask a system to shut down whose BMC did not answer.
    stopping: status?.stopping && {
      ...status.stopping,
      age:
        found.machine.is === 'there' && found.machine.power !== 'Off'
          ? look.lasting(`stopping ${status.stopping.how} ${status.stopping.asked} ${status.stopping.heard ?? ''}`)
          : 0,
      answer: answerOf(look.last),
    },
    starting: status?.starting,
    claim,
    maintenance,
    wanted: isWantedNext(ports, server, claim),
    configuration,
  }
}

const unasked = { machine: { is: 'unasked' }, inventory: undefined } as const

function serverSeen(ports: ServerPorts, { metadata, spec, status }: Server, { lasting }: Look): SeenServer {
  const deleting = metadata.deletionTimestamp !== undefined
  const conditions = status?.conditions ?? []
  return {
    name: metadata.name,
    uid: metadata.uid ?? '',
    deleting,
    standing: { phase: status?.state, phaseSince: status?.stateSince },
    phaseAge: lasting(`in ${status?.state}`),
    deletingAge: deleting ? lasting('deleting') : 0,
    systemUUID: spec.systemUUID,
    reclaim: spec.reclaimPolicy ?? 'Recycle',
    inventoried: status?.model !== undefined,
    led: { shows: status?.indicatorLED, wanted: spec.indicatorLED },
    bootOrderPolicy: spec.bootOrderPolicy ?? 'Audit',
    updater: spec.updateRef && `job ${spec.updateRef.job} of ${spec.updateRef.kind} ${spec.updateRef.name}`,
    parked: metadata.annotations?.[parkedAnnotation] === 'true',
    requireSanitized: ports.requireSanitized ?? false,
    operation: metadata.annotations?.[operationAnnotation],
    stands: Object.fromEntries(conditions.map(({ type, status, reason, message }) => [type, { status, reason, message }])),
  }
}

type Read = 'power' | 'armed' | 'inventory' | 'jobs' | 'order' | 'media'

/** Only what the phase needs: each is a request to a slow little computer. */
function readsFor({ metadata, spec, status }: Server): readonly Read[] {
  if (metadata.deletionTimestamp !== undefined) return status?.boot ? ['power', 'armed'] : []
  const step = status?.boot?.step
  switch (status?.state) {
    case undefined:
      return []
    case 'Initial':
      return status.model === undefined ? ['power', 'inventory'] : ['power']
    case 'Discovery':
      return step === 'Arming' || step === 'Starting' ? ['power', 'armed'] : ['power']
    case 'Released':
      return ['power', 'armed']
    case 'Reserved':
      return ['power', 'armed']
    case 'Maintenance':
      return ['power', 'armed', 'jobs']
    case 'Available':
      return ['power', 'order']
    case 'Parked':
      // Until it is parked, and while a claim may still be let go: afterwards somebody is alone with it.
      return spec.serverClaimRef || metadata.annotations?.[parkedAnnotation] !== 'true' ? ['power', 'armed'] : ['power']
    default:
      return ['power']
  }
}

async function ask(
  ports: ServerPorts,
  server: Server,
  configuration: SeenConfiguration | undefined,
  reads: readonly Read[],
  { signal, lasting, unseen }: Look,
): Promise<Pick<Seen, 'machine' | 'inventory'>> {
  const doubt = doubtOf(ports.kube, server, undefined)
  if (doubt) return { machine: doubt, inventory: undefined }
  try {
    return await ports.pool.use(
      server.spec.bmcRef?.name ?? '',
      async bmc => {
        const { power, evidence, override, uuid, lit } = await bmc.glance(signal)
        const wrong = doubtOf(ports.kube, server, uuid ?? bmc.identity.uuid)
        if (wrong) return { machine: wrong, inventory: undefined }
        const armed = reads.includes('armed')
          ? armedAs(ports.tickets, server, configuration, bmc, override ?? (await bmc.boot.override(signal)))
          : undefined
        const inventory = reads.includes('inventory') ? await bmc.inventory.read(signal) : undefined
        const machine: SeenMachine = {
          is: 'there',
          power,
          powerFor: lasting(`power ${power}`),
          resetFor: evidence.lastResetTime === undefined ? 0 : lasting(`reset ${evidence.lastResetTime}`),
          armed,
          evidence,
          lit,
          order: reads.includes('order') && isDue(lasting('order known')) ? await orderOf(bmc, signal) : undefined,
          media: reads.includes('media') ? await drivesOf(ports.tickets, server, configuration, bmc, signal) : undefined,
          busy: reads.includes('jobs') && ((await bmc.firmware?.running(signal)) ?? []).length > 0,
        }
        return { machine, inventory }
      },
      signal,
    )
  } catch (error) {
    if (!(error instanceof Fault) || !error.code.startsWith('bmc/')) throw error
    // Over a link that comes and goes, two answers that say the same count as one that lasts: else it would never be believed.
    for (const fact of ['power ', 'reset ']) unseen(fact)
    return { machine: { is: 'silent', code: error.code, because: error.message }, inventory: undefined }
  }
}

/** Where a disc was put in and is not known to be out, or one is about to be. */
const wantsDrives = ({ status }: Server, configuration: SeenConfiguration | undefined): boolean =>
  status?.boot?.slot !== undefined || (configuration?.policy.firstBoot === 'VirtualMedia' && status?.boot?.step !== 'Running')

async function drivesOf(
  tickets: BootTickets,
  server: Server,
  configuration: SeenConfiguration | undefined,
  { media }: Bmc,
  signal: AbortSignal,
): Promise<readonly Drive[] | undefined> {
  const ours = discOf(tickets, server, configuration?.image ?? '')
  return (await media?.slots(signal))?.map(({ id, types, inserted, image }) => ({
    id,
    disc: types.includes('CD') || types.includes('DVD'),
    inserted,
    // Some BMCs show that something is in, and not what: that may be anything.
    shown: image !== undefined,
    ours: inserted && image !== undefined && image === ours,
  }))
}

/** The order seldom changes: it is read ten minutes after a server comes free, when the rush is over, and then once an hour. */
const isDue = (known: Millis): boolean => known % hours(1) >= minutes(10) && known % hours(1) < minutes(13)

async function orderOf({ boot }: Bmc, signal: AbortSignal): Promise<BootOrderSeen | undefined> {
  if (!boot.options || !boot.order) return undefined
  return { options: await boot.options(signal), order: await boot.order(signal), secureBoot: await boot.secureBoot?.(signal) }
}

/** The address that firmware was given is compared here and goes no further. */
function armedAs(tickets: BootTickets, server: Server, configuration: SeenConfiguration | undefined, bmc: Bmc, found: Override): Armed {
  const { target, raw, lasts, uri } = found
  const uki = configuration?.artifacts.find(({ role }) => role === 'uki')
  const ours = configuration?.external?.address ?? (uki && ticketed(tickets, server, uki, configuration?.image ?? ''))
  const wanted = target === 'UefiHttp' && bmc.boot.takesUri ? ours : undefined
  return { target, raw, lasts, address: wanted === undefined ? 'none' : uri === wanted ? 'ours' : 'other' }
}
