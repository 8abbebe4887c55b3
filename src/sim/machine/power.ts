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
  presses[type](machine, on)
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

const presses: Readonly<Record<ResetType, (machine: Machine, on: boolean) => void>> = {
  On: machine => powerOn(machine, 'On'),
  ForceOn: machine => powerOn(machine, 'ForceOn'),
  ForceOff: machine => powerOff(machine, 'ForceOff', machine.model.times.powerOff),
  GracefulShutdown: machine => shutDown(machine, 'GracefulShutdown'),
  GracefulRestart: machine => shutDown(machine, 'GracefulRestart', () => powerOn(machine, 'GracefulRestart')),
  PushPowerButton: (machine, on) => (on ? shutDown(machine, 'PushPowerButton') : powerOn(machine, 'PushPowerButton')),
  ForceRestart: machine => restart(machine, 'ForceRestart'),
  PowerCycle: (machine, on) => {
    if (on) powerOff(machine, 'PowerCycle', machine.model.times.powerOff, () => powerOn(machine, 'PowerCycle'))
    else powerOn(machine, 'PowerCycle')
  },
  Nmi: machine => {
    machine.epoch++
    halt(machine)
    enter(machine, 'stuck')
  },
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
function shutDown(machine: Machine, by: string, then: () => void = () => {}): void {
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
