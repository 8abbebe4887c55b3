import { minutes, seconds } from '../../core/duration.ts'
import { Fault } from '../../core/fault.ts'
import { checkSettings } from '../../policy/firmware/settings-check.ts'
import { differingSettings, type Settings } from '../../policy/firmware/settings-diff.ts'
import type { BiosAttribute, Bmc } from '../../ports/index.ts'
import { settingsPatch } from './bios-scan.ts'
import { failed, refused } from './exit.ts'
import { leaving } from './leaving.ts'
import { type MachineOf, openMachine } from './machine.ts'
import { powerOf, restart } from './power.ts'
import type { Program } from './program.ts'
import { untilQuiet } from './quiet.ts'
import { reporting } from './reporting.ts'
import { serverBioses } from './resources.ts'
import { openTarget } from './target.ts'

/** Brings settings to what is wanted: checked first, asked for all at once, one reset, read back. */
export const biosSettingsUpdate: Program = async (env, ports) => {
  const target = await openTarget(ports, env, serverBioses, 'bios-settings-update')
  await reporting(target, ports, async () => {
    const machine = await openMachine(ports, env, target)
    const current = await machine.look(settingsOf)
    const registry = await machine.look(registryOf)
    const { settings, problems, notes } = checkSettings(target.object.spec.bios?.settings ?? {}, registry, current)
    if (problems.length > 0) throw refused(`Nothing was changed: ${problems.join('; ')}`)
    for (const line of notes) machine.say(line)
    const found = target.before.power ?? (await powerOf(machine))
    const now = await leaving(machine, found, async () => {
      if (differingSettings(settings, current).length === 0) return current
      await target.note({ step: 'sets the BIOS', power: found })
      await ask(machine, settings, found)
      await restart(machine, found, () => holds(machine, settings))
      return readBack(machine, settings)
    })
    await target.done({ bios: { settings: settingsPatch(target.object, now) } }, `${Object.keys(settings).length} settings hold`)
  })
}

async function settingsOf({ bios }: Bmc, signal: AbortSignal): Promise<Settings> {
  if (!bios) throw refused('The BMC shows no BIOS settings')
  return bios.settings(signal)
}

async function registryOf({ bios }: Bmc, signal: AbortSignal): Promise<readonly BiosAttribute[] | undefined> {
  try {
    return await bios?.registry?.(signal)
  } catch (error) {
    // Then the values that the machine shows have to do for names and types.
    if (error instanceof Fault && error.code === 'bmc/not-offered') return undefined
    throw error
  }
}

const holds = async (machine: MachineOf, settings: Settings): Promise<boolean> =>
  differingSettings(settings, await machine.look(settingsOf)).length === 0

/** Asks until the BMC shows them as pending. What others left pending is done by the same reset, or by one before where the BMC insists. */
async function ask(machine: MachineOf, settings: Settings, found: 'On' | 'Off'): Promise<void> {
  let flushed = false
  for (let attempt = 1; ; attempt++) {
    const coming = await machine.look(async (bmc, signal) => ({
      pending: (await bmc.bios?.pending(signal)) ?? {},
      current: await settingsOf(bmc, signal),
    }))
    const missing = differingSettings(settings, { ...coming.current, ...coming.pending })
    if (missing.length === 0) return
    const others = Object.keys(coming.pending).filter(name => !Object.hasOwn(settings, name))
    if (others.length > 0) machine.say(`Others left ${others.join(', ')} pending: the reset brings that, too`)
    if (attempt > 5) throw failed(`The BMC does not take ${missing.join(', ')}: they are not pending after ${attempt - 1} tries`)
    await untilQuiet(machine)
    const asked = await machine.change(`Asks for ${missing.join(', ')}`, (bmc, signal) => bmc.bios!.set(pick(settings, missing), signal))
    if ('is' in asked) continue
    if ('later' in asked && Object.keys(coming.pending).length > 0 && !flushed) {
      // iDRACs carry one job of settings: it has to run before another is taken.
      machine.say('The BMC takes nothing new before what is pending: resets the machine for that first')
      flushed = true
      await restart(
        machine,
        found,
        async () => Object.keys(await machine.look(async (bmc, signal) => (await bmc.bios?.pending(signal)) ?? {})).length === 0,
      )
    } else await machine.sleep(seconds(30))
  }
}

const pick = (settings: Settings, names: readonly string[]): Settings => Object.fromEntries(names.map(name => [name, settings[name]!]))

async function readBack(machine: MachineOf, settings: Settings): Promise<Settings> {
  for (const began = machine.elapsed(); ; await machine.sleep(seconds(15))) {
    const now = await machine.look(settingsOf)
    const other = differingSettings(settings, now)
    if (other.length === 0) return now
    if (machine.elapsed() - began >= minutes(5))
      throw failed(
        `After a reset the machine still has ${other.map(name => `${name} ${JSON.stringify(now[name])} instead of ${JSON.stringify(settings[name])}`).join(', ')}`,
      )
  }
}
