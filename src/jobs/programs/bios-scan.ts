import { printInstant } from '../../core/instant.ts'
import { onlyNamed, type Settings } from '../../policy/firmware/settings-diff.ts'
import { refused } from './exit.ts'
import { openMachine } from './machine.ts'
import type { Program } from './program.ts'
import { reporting } from './reporting.ts'
import { type ServerBIOS, serverBioses } from './resources.ts'
import { openTarget } from './target.ts'

/** Reads the version and the settings that the spec names; changes nothing. */
export const biosScan: Program = async (env, ports) => {
  const target = await openTarget(ports, env, serverBioses, 'bios-scan')
  await reporting(target, ports, async () => {
    const machine = await openMachine(ports, env, target, true)
    const found = await machine.look(async ({ bios }, signal) => {
      if (!bios) throw refused('The BMC shows no BIOS')
      return { version: await bios.version(signal), settings: await bios.settings(signal) }
    }, 0)
    const { version } = found
    const settings = settingsPatch(target.object, found.settings)
    const bios = { ...(version === undefined ? {} : { version }), settings }
    await target.done({ bios, lastScanTime: printInstant(ports.clock.now()) }, `found BIOS ${version ?? 'of unknown version'}`)
  })
}

/**
 * The settings that are named, and `null` for every other that stands in the status. What the machine shows as null is written as an empty
 * text, which means the same: null would take it out, and a setting that is not there counts as unknown.
 */
export function settingsPatch({ spec, status }: ServerBIOS, found: Settings): Settings {
  const shown = Object.entries(onlyNamed(found, spec.bios?.settings ?? {}))
  const named = Object.fromEntries(shown.map(([name, value]) => [name, value ?? '']))
  const gone = Object.keys(status?.bios?.settings ?? {}).filter(name => !Object.hasOwn(named, name))
  return { ...Object.fromEntries(gone.map(name => [name, null])), ...named }
}
