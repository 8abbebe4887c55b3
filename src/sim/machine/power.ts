import type { Millis } from '../../core/duration.ts'
import { takes } from '../misbehaviour/switches.ts'
import { disarmed, enter, type Machine, type PowerNow } from './machine.ts'
import { startPost } from './post.ts'

export const resetTypes = [
  'On',
  'ForceOn',
  'ForceOff',
  'GracefulShutdown',
  'ForceRestart',
  'GracefulRestart',
  'PowerCycle',
  'PushPowerButton',
  'Nmi',
] as const
export type ResetType = (typeof resetTypes)[number]

/** What the BMC answers: it will, it is already so, or it cannot because the host is off. */
export type Accepted = 'accepted' | 'already' | 'standby'

export function reset(machine: Machine, type: ResetType): Accepted {
  const on = machine.power === 'On' || machine.power === 'PoweringOn'
  const verdict = judge(type, on)
  if (verdict !== 'accepted') return verdict
  if (takes(machine, 'reset-ignored')) return 'accepted'
  press(machine, type, on)
  return 'accepted'
}

function judge(type: ResetType, on: boolean): Accepted {
  switch (type) {
    case 'On':
    case 'ForceOn':
      return on ? 'already' : 'accepted'
    case 'ForceOff':
    case 'GracefulShutdown':
      return on ? 'accepted' : 'already'
    case 'ForceRestart':
    case 'GracefulRestart':
    case 'Nmi':
      return on ? 'accepted' : 'standby'
    case 'PowerCycle':
    case 'PushPowerButton':
      return 'accepted'
    default:
      return type satisfies never
  }
}

function press(machine: Machine, type: ResetType, on: boolean): void {
  switch (type) {
    case 'On':
    case 'ForceOn':
      return powerOn(machine, type)
    case 'ForceOff':
      return powerOff(machine, type, machine.model.times.powerOff)
    case 'GracefulShutdown':
      return shutDown(machine, type, () => {})
    case 'GracefulRestart':
      return shutDown(machine, type, () => powerOn(machine, type))
    case 'PushPowerButton':
      return on ? shutDown(machine, type, () => {}) : powerOn(machine, type)
    case 'ForceRestart':
      return restart(machine, type)
    case 'PowerCycle':
      return on ? powerOff(machine, type, machine.model.times.powerOff, () => powerOn(machine, type)) : powerOn(machine, type)
    case 'Nmi':
      machine.epoch++
      halt(machine)
      return enter(machine, 'stuck')
    default:
      return type satisfies never
  }
}

/** A reset without losing power: by the BMC, or by the operating system itself. */
export function restart(machine: Machine, by: string): void {
  machine.epoch++
  halt(machine)
  losesOverrideEarly(machine)
  become(machine, 'On')
  startPost(machine, by)
}

function powerOn(machine: Machine, by: string): void {
  machine.epoch++
  halt(machine)
  losesOverrideEarly(machine)
  become(machine, 'PoweringOn')
  machine.cancel = machine.site.clock.after(machine.model.times.powerOn, () => {
    become(machine, 'On')
    machine.site.tell(machine.name, { what: 'power', to: 'On', by })
    startPost(machine, by)
  })
}

/** An operating system takes its time, and may not listen; before one runs, the chipset cuts the power at once. */
function shutDown(machine: Machine, by: string, then: () => void): void {
  if (machine.stage === 'running' && machine.deaf) return
  powerOff(machine, by, machine.stage === 'running' ? machine.model.times.graceful : machine.model.times.powerOff, then)
}

export function powerOff(machine: Machine, by: string, takesLong: Millis, then: () => void = () => {}): void {
  machine.epoch++
  halt(machine)
  become(machine, 'PoweringOff')
  machine.cancel = machine.site.clock.after(takesLong, () => {
    machine.cancel = undefined
    become(machine, 'Off')
    enter(machine, 'off')
    machine.source = undefined
    machine.site.tell(machine.name, { what: 'power', to: 'Off', by })
    then()
  })
}

function losesOverrideEarly(machine: Machine): void {
  if (machine.armed.lasts === 'Once' && takes(machine, 'once-consumed-early')) machine.armed = disarmed
}

function halt(machine: Machine): void {
  machine.cancel?.()
  machine.cancel = undefined
}

function become(machine: Machine, power: PowerNow): void {
  if (machine.power === power) return
  machine.power = power
  machine.powerSince = machine.site.clock.now()
}
