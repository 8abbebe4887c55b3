import { claims, configurations, maintenances, type Server, servers } from '../../../src/controllers/metal/resources.ts'
import { asksHardware, isOpen, type Metal, machineOf, wordsOf } from './invariants.ts'

type Ref = Server['spec']['serverMaintenanceRef']

const nameOf = (ref: Ref): string | undefined => ref && `${ref.namespace}/${ref.name}`
const machineNamed = (server: string): string => server.replace(/-system-0$/, '')

const oneHolder: Metal = {
  name: 'I22 a maintenance has a server when nobody else has, and when the owner of its claim agreed where he is to be asked',
  begin(sight) {
    const held = new Map<string, string | undefined>()
    return () => {
      for (const { metadata, spec } of sight.objects(servers)) {
        const before = held.get(metadata.name)
        const now = nameOf(spec.serverMaintenanceRef)
        held.set(metadata.name, now)
        if (now === undefined || now === before) continue
        if (before !== undefined) return `${now} has ${metadata.name}, which ${before} has not let go of`
        const work = sight.objects(maintenances).find(one => nameOf(one.metadata as Ref) === now)
        const claim = sight.objects(claims).find(one => one.metadata.uid === spec.serverClaimRef?.uid)
        const agreed = claim?.metadata.labels?.['metal.ironcore.dev/maintenance-approved'] === 'true'
        if (work?.spec.policy !== 'Enforced' && claim && !agreed) return `${now} has ${metadata.name}, and its owner was not heard`
      }
      return undefined
    }
  },
}

const heldBoots: Metal = {
  name: 'I22 I4 while a maintenance has a server, nothing but its own image is booted there',
  begin(sight) {
    let seen = 0
    return () => {
      const { happened } = sight.devices
      for (; seen < happened.length; seen++) {
        const event = happened[seen]!
        const server = sight.objects(servers).find(({ metadata }) => machineNamed(metadata.name) === event.server)
        // A boot that ended in its middle stops in the shell, which the BIOS has first.
        if (event.what !== 'boots' || event.from === 'UefiShell' || server?.status?.state !== 'Maintenance') continue
        const { boot } = server.status
        if (!isOpen(server) || boot?.purpose !== 'Maintenance' || boot.method !== event.from)
          return `${event.server} boots by ${event.from} while it is worked on, and noted is ${JSON.stringify(boot)}`
      }
      return undefined
    }
  },
}

const endsClean: Metal = {
  name: 'I15 I22 what was booted for a maintenance is off, its boot over and nothing armed, before the server is let go',
  begin(sight) {
    const held = new Map<string, boolean>()
    return () => {
      for (const { metadata, spec, status } of sight.objects(servers)) {
        const before = held.get(metadata.name)
        held.set(metadata.name, spec.serverMaintenanceRef !== undefined)
        if (!before || spec.serverMaintenanceRef || status?.boot?.purpose !== 'Maintenance') continue
        const { power, armed, media } = machineOf(sight, machineNamed(metadata.name))
        if (power !== 'Off' || armed.lasts !== 'Disabled' || media || status.boot.step !== 'Ended')
          return `${metadata.name} was let go while it is ${power} with ${JSON.stringify({ armed, media, step: status.boot.step })}`
      }
      return undefined
    }
  },
}

const workStays: Metal = {
  name: 'I23 a maintenance goes only after its server has let go of it',
  begin: sight => () => {
    const names = new Set(sight.objects(maintenances).map(({ metadata }) => nameOf(metadata as Ref)))
    const held = sight.objects(servers).find(({ spec }) => spec.serverMaintenanceRef && !names.has(nameOf(spec.serverMaintenanceRef)))
    return held && `${held.metadata.name} is worked on by ${nameOf(held.spec.serverMaintenanceRef)}, which is gone`
  },
}

const notWhileFlashed: Metal = {
  name: 'I9 nothing is switched or armed while firmware is being written',
  begin: sight => entry => {
    if (!asksHardware(entry)) return undefined
    const [machine = ''] = wordsOf(entry)
    return sight.devices.rack.busy(machine) ? `${entry.by} asks ${machine} for ${entry.call}, and its firmware is being written` : undefined
  },
}

const neverMarked: Metal = {
  name: 'BP-040 BP-049 provisioned is never said of the image of a maintenance',
  begin: sight => () => {
    const marked = sight
      .objects(configurations)
      .find(
        ({ metadata }) =>
          metadata.annotations?.['metal.ironcore.dev/provisioned'] !== undefined &&
          metadata.ownerReferences?.some(({ kind }) => kind === 'ServerMaintenance'),
      )
    return marked && `${marked.metadata.name} is said to be provisioned`
  },
}

/** Of servers that somebody works on. */
export const heldInvariants: readonly Metal[] = [oneHolder, heldBoots, endsClean, workStays, notWhileFlashed, neverMarked]
