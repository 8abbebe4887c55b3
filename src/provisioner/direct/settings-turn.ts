import { minutes, seconds } from '../../core/duration.ts'
import { checkSettings } from '../../policy/firmware/settings-check.ts'
import { differingSettings, type Settings } from '../../policy/firmware/settings-diff.ts'
import type { HostOrder, Turn } from '../../ports/provisioner.ts'
import type { FirmwareLook } from './firmware-sight.ts'
import { reset, throughSelfTest } from './reset.ts'
import type { There } from './sight.ts'
import { type Begun, begin, givenFor, giveUp, insist, note, pending, soon } from './turns.ts'

const pick = (from: Settings, names: readonly string[]): Settings => Object.fromEntries(names.map(name => [name, from[name] ?? null]))
const words = (names: readonly string[]): string => names.join(', ')
/** So long after its self test a machine may show what it had before. */
const late = minutes(5)

/** Brings settings about: checked, asked for at once, one start, read back. Undefined when they hold and nothing that was asked for is pending. */
export function settingsTurn(machine: There, look: FirmwareLook, host: HostOrder, begun: Begun): Turn | undefined {
  const wanted = host.firmware?.settings ?? {}
  const asked = begun.memory?.asked ?? []
  if (!look.settings)
    return Object.keys(wanted).length === 0 ? undefined : giveUp(begun, 'its management controller shows no BIOS settings', false)
  const stale = asked.filter(name => Object.hasOwn(look.pending, name) && !Object.hasOwn(wanted, name))
  // While it starts, everything that was pending comes into force: only then is there something to take back.
  const starting = throughSelfTest(machine, begun, differingSettings(wanted, look.settings).length === 0)
  if (starting !== 'not begun' && starting) return starting
  if (stale.length > 0) return takeBack(machine, look, look.settings, stale, host, begun)
  const other = differingSettings(wanted, look.settings)
  if (other.length > 0) return bring(machine, look, look.settings, wanted, other, host, begun)
  if (asked.length === 0) return undefined
  return {
    is: 'progress',
    because: `its settings hold: ${words(asked)}`,
    again: soon,
    memory: note(begun, 'set', { asked: [] }),
  }
}

function bring(
  machine: There,
  look: FirmwareLook,
  current: Settings,
  wanted: Settings,
  other: readonly string[],
  host: HostOrder,
  begun: Begun,
): Turn {
  const missing = differingSettings(pick(wanted, other), { ...current, ...look.pending })
  if (missing.length === 0) return take(machine, current, wanted, other, host, begun)
  const checked = checkSettings(wanted, look.registry, current)
  if (checked.problems.length > 0) return giveUp(begun, `nothing was set: ${checked.problems.join('; ')}`, false)
  const flushed = flush(machine, look, host, begun, 'setBios')
  if (flushed) return flushed
  return insist(
    begun,
    { do: 'setBios', settings: JSON.stringify(pick(checked.settings, missing)) },
    {
      asks: `${words(missing)} ${missing.length === 1 ? 'is' : 'are'} asked for`,
      waits: 'its management controller takes its settings',
      gaveUp: `its management controller does not take ${words(missing)}${look.answer?.refused === undefined ? '' : ` (${look.answer.refused})`}`,
      patience: seconds(30),
    },
    { asked: [...new Set([...(begun.memory?.asked ?? []), ...missing])].sort() },
  )
}

/** Some carry one job of settings at a time: what is there already runs first, by a start for that alone, and once in a try. */
function flush(machine: There, { pending: waiting, answer }: FirmwareLook, host: HostOrder, begun: Begun, step: string): Turn | undefined {
  const memory = begun.memory?.work === begun.work ? begun.memory : undefined
  const count = Object.keys(waiting).length
  const refused = memory?.step === step && ((memory.tries ?? 1) >= 2 || answer?.refused !== undefined)
  if (memory?.flush === 'done' || count === 0 || !(refused || memory?.flush === 'begun')) return undefined
  const fresh: Begun = memory?.flush === 'begun' ? begun : { ...begun, memory: { ...begun.memory!, step: 'flush' } }
  return (
    reset(machine, host, { ...fresh, flush: 'begun' }, false) ?? {
      is: 'progress',
      because: 'what was pending was let run first',
      again: soon,
      memory: note({ ...begun, flush: 'done' }, 'flushed'),
    }
  )
}

/** They are pending: a start brings them, and what the machine shows afterwards is what counts. */
function take(machine: There, current: Settings, wanted: Settings, other: readonly string[], host: HostOrder, begun: Begun): Turn {
  const turn = reset(machine, host, begun, false)
  if (turn) return turn
  const given = givenFor(begun, 'switchOn') ?? givenFor(begun, 'restart') ?? 0
  if (given < late) return pending('its settings are read back')
  return giveUp(
    begun,
    `after a start it still has ${other.map(name => `${name} ${JSON.stringify(current[name])} instead of ${JSON.stringify(wanted[name])}`).join(', ')}`,
  )
}

/** Nobody wants them any more: nothing that was asked for stays pending. Where they cannot be taken back, a start brings them. */
function takeBack(machine: There, look: FirmwareLook, current: Settings, names: readonly string[], host: HostOrder, begun: Begun): Turn {
  const flushed = flush(machine, look, host, begun, 'unsetBios')
  if (flushed) return flushed
  return insist(
    begun,
    { do: 'unsetBios', settings: JSON.stringify(pick(current, names)) },
    {
      asks: `${words(names)} ${names.length === 1 ? 'is' : 'are'} not wanted any more, and taken back`,
      waits: 'what was asked for is being taken back',
      gaveUp: `${words(names)} ${names.length === 1 ? 'stays' : 'stay'} pending`,
      patience: seconds(30),
    },
  )
}

/** A machine that is given up is asked once to forget what it was asked for: whoever has it next did not want that. */
export function giveBackSettings({ firmware: look }: There, begun: Begun): Turn | undefined {
  const names = (begun.memory?.asked ?? []).filter(name => Object.hasOwn(look?.pending ?? {}, name))
  if (!look?.settings || names.length === 0) return undefined
  const given = givenFor(begun, 'unsetBios')
  if (given !== undefined) return given < seconds(30) ? pending('what was asked for is being taken back') : undefined
  return begin(begun, `${words(names)} taken back`, { do: 'unsetBios', settings: JSON.stringify(pick(look.settings, names)) })
}
