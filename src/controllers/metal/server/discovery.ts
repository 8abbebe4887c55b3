import { act, idle, type Plan, wait } from '../../../core/plan.ts'
import { pxe } from '../../../policy/boot/pxe.ts'
import { sameUuid } from '../../../policy/identity.ts'
import { carry, open } from './attempt.ts'
import { ofProbe } from './inventory.ts'
import { ended, isOf, isOpen } from './note.ts'
import type { MachineThere, Seen, SeenConfiguration } from './seen.ts'
import { stop } from './stop.ts'
import { isOff, withMachine } from './there.ts'
import { believed, discoveryLife, nowAndThen, soon } from './timing.ts'
import type { Verb } from './verbs.ts'

/** The probe is booted by PXE from a configuration of its own, tells what it found, and nothing of it is left. */
export const discovery = (seen: Seen, now: number): Plan<Verb> =>
  withMachine(seen, machine => {
    const { configuration, boot } = seen
    if (isRegistered(seen)) return leave(seen, machine, now)
    if (!configuration) return act('says what it boots to be looked at', [{ do: 'createConfiguration' }])
    if (configuration.deleting) return idle('waits until what was left of an earlier discovery is gone')
    if (isOf(boot, configuration) && isOpen(boot))
      return boot.step === 'Running' ? watchProbe(seen, machine, configuration, now) : carry(seen, machine, boot, configuration, now)
    if (machine.power !== 'Off') return stop(seen, machine, 'discovery begins with the machine off', now)
    if (configuration.state !== 'Ready') return idle(configuration.problem ?? 'waits for the image of the probe')
    return open(
      seen,
      { purpose: 'Discovery', method: pxe, configuration, because: 'discovery always boots by PXE', life: discoveryLife },
      now,
    )
  })

function watchProbe(seen: Seen, machine: MachineThere, { served }: SeenConfiguration, now: number): Plan<Verb> {
  const boot = seen.boot!
  const registration = served?.registration
  if (registration && !sameUuid(registration.systemUUID, seen.server.systemUUID))
    return failed(`another machine registered: ${registration.systemUUID} instead of ${seen.server.systemUUID}`)
  if (registration) {
    const because = 'the probe has registered'
    const found = { ...ended('Registered', because), ...ofProbe(registration, seen.server.inventoried) }
    const plan = stop(seen, machine, 'discovery is over', now)
    return { ...plan, because: `${because}: ${plan.because}`, status: { ...plan.status, ...found } }
  }
  if (machine.power === 'Off' && machine.powerFor >= believed) return failed('it went off before the probe registered')
  if (boot.age >= discoveryLife) return failed(`the probe has not registered within ${discoveryLife / 60_000} minutes`)
  return wait('waits for the probe to register', machine.power === 'Off' ? soon : nowAndThen)
}

const failed = (because: string): Plan<Verb> =>
  idle(because, { status: ended('Interrupted', because), events: [{ type: 'Warning', reason: 'DiscoveryFailed', message: because }] })

function leave(seen: Seen, machine: MachineThere, now: number): Plan<Verb> {
  const { configuration } = seen
  if (machine.power !== 'Off') return stop(seen, machine, 'discovery is over', now)
  if (configuration && !configuration.deleting)
    return act('discovery leaves nothing behind', [{ do: 'deleteConfiguration', uid: configuration.uid }])
  return idle('waits until its configuration is gone')
}

export const isRegistered = ({ boot }: Seen): boolean => boot?.purpose === 'Discovery' && boot.outcome === 'Registered'

export const isDiscovered = (seen: Seen): boolean => isRegistered(seen) && isOff(seen) && seen.configuration === undefined

/** Of this discovery, not of one before. */
export const hasFailed = ({ boot, configuration }: Seen): boolean =>
  boot?.purpose === 'Discovery' &&
  boot.step === 'Ended' &&
  boot.outcome !== 'Registered' &&
  configuration !== undefined &&
  isOf(boot, configuration)
