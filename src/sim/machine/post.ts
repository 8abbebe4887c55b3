import type { Instant } from '../../core/duration.ts'
import { takes } from '../misbehaviour/switches.ts'
import { boot } from './boot.ts'
import { enter, type Machine } from './machine.ts'

/** The host starts from nothing: settings that waited for it take effect, memory is trained, then firmware picks a boot source. */
export function startPost(machine: Machine, by: string): void {
  const { clock } = machine.site
  machine.lastReset = clock.now()
  machine.deaf = false
  machine.source = undefined
  applyWaiting(machine)
  enter(machine, 'post')
  machine.site.tell(machine.name, { what: 'reset', by })
  machine.cancel = clock.after(machine.model.times.post, () => {
    machine.cancel = undefined
    void boot(machine)
  })
}

function applyWaiting(machine: Machine): void {
  if (machine.biosPending) {
    machine.bios = { ...machine.bios, ...machine.biosPending }
    machine.biosPending = undefined
  }
  if (machine.secureBootNext !== undefined) {
    machine.secureBoot = machine.secureBootNext
    machine.secureBootNext = undefined
  }
  const { staged } = machine
  machine.staged = undefined
  if (staged) for (const [part, version] of Object.entries(staged)) flash(machine, part, version)
  else if (machine.firmware && takes(machine, 'rollback')) {
    for (const { id, version } of machine.model.firmware) if (machine.firmware[id]) machine.firmware[id] = version
  }
}

export function flash(machine: Machine, part: string, version: string): void {
  machine.firmware = { ...machine.firmware, [part]: version }
  machine.site.tell(machine.name, { what: 'flashed', part, version })
}

const states = [
  'PrimaryProcessorInitializationStarted',
  'BusInitializationStarted',
  'MemoryInitializationStarted',
  'SecondaryProcessorInitializationStarted',
  'PCIResourceConfigStarted',
  'SystemHardwareInitializationComplete',
] as const

export interface Progress {
  readonly state: string
  readonly since: Instant
}

/** Redfish BootProgress. During POST it follows from the time, so that it costs no timers. */
export function bootProgress(machine: Machine): Progress {
  const { stage, since } = machine
  switch (stage) {
    case 'off':
      return { state: 'None', since }
    case 'post': {
      const each = machine.model.times.post / states.length
      const at = Math.max(0, Math.min(states.length - 1, Math.floor((machine.site.clock.now() - since) / Math.max(1, each))))
      return { state: states[at]!, since: since + Math.round(at * each) }
    }
    case 'loading':
      return { state: 'OSBootStarted', since }
    case 'running':
      return { state: 'OSRunning', since }
    case 'setup':
      return { state: 'SetupEntered', since }
    case 'shell':
    case 'stuck':
      return { state: 'SystemHardwareInitializationComplete', since }
    default:
      return stage satisfies never
  }
}
