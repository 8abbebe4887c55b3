import { Fault } from '../../core/fault.ts'
import type { Boot, BootOption, BootTarget, Override } from '../../ports/bmc.ts'
import { linkTo } from '../transport/link.ts'
import { field, known, part, type Resource, text, texts } from '../transport/read.ts'
import { bootOptionOf } from './boot-options.ts'
import { type BootPlace, offeredName, orderPlace, overridePlace, targetNamed, targetOf } from './boot-place.ts'
import { change, disarmed, writeOverride } from './boot-write.ts'
import type { Machine } from './machine.ts'

const all: readonly BootTarget[] = ['Pxe', 'UefiHttp', 'Hdd', 'Cd', 'UefiShell', 'BiosSetup']

export function bootRole(machine: Machine): Boot {
  const { service, system, systemPath, habits } = machine
  const place = overridePlace(machine)
  const optionsPath = linkTo(system, 'Boot', 'BootOptions')
  const secureBootPath = linkTo(system, 'SecureBoot')
  const orderPath = orderPlace(machine)
  let known: readonly BootOption[] | undefined

  const options = async (signal?: AbortSignal): Promise<readonly BootOption[]> => {
    if (optionsPath === undefined) return []
    const found = await service.members(optionsPath, 1, signal)
    known = found.map(bootOptionOf).filter(option => option !== undefined)
    return known
  }
  /** Boot options stand in for a target that has no name here, where the next boot can be given as one of them. */
  const standIn = async (target: BootTarget, signal?: AbortSignal): Promise<BootOption | undefined> => {
    if (!viaOption(place) || optionsPath === undefined) return undefined
    const usable = (option: BootOption): boolean =>
      option.enabled && option.kind === target && (place.takesBootNext || option.path !== undefined)
    return (known ?? (await options(signal))).find(usable)
  }
  const boot = async (signal?: AbortSignal): Promise<Resource> => {
    const there = await service.get(place.path, signal)
    const shown = part(there, 'Boot')
    if (shown !== undefined && text(shown, 'BootSourceOverrideEnabled') !== undefined) return shown
    return part(place.path === systemPath ? there : await service.get(systemPath, signal), 'Boot') ?? {}
  }
  const arm = async (target: BootTarget, lasts: 'Once' | 'Continuous', uri: string | undefined, signal?: AbortSignal): Promise<void> => {
    const name = offeredName(place, target, habits.cd)
    const option = name === undefined && lasts === 'Once' ? await standIn(target, signal) : undefined
    if (name === undefined && option === undefined) throw notOffered(machine, place, target)
    if (uri !== undefined && (!place.takesUri || target !== 'UefiHttp')) throw noUri(machine)
    const now = await boot(signal)
    const wanted = change(place, { name, option, lasts, uri, shown: now }, habits.bootMode)
    if (wanted !== undefined) await writeOverride(service, place, wanted, signal)
  }

  return {
    takesUri: place.takesUri && place.targets.includes('UefiHttp'),
    async targets(signal) {
      const byName = all.filter(target => offeredName(place, target, habits.cd) !== undefined)
      if (byName.length === all.length || !viaOption(place) || optionsPath === undefined) return byName
      const found: BootTarget[] = []
      for (const target of all) if (byName.includes(target) || (await standIn(target, signal))) found.push(target)
      return found
    },
    override: async signal => overrideOf(await boot(signal), known),
    once: (target, uri, signal) => arm(target, 'Once', uri, signal),
    ...(place.lasts.length > 0 && !place.lasts.includes('Continuous')
      ? {}
      : { always: (target: BootTarget, signal?: AbortSignal) => arm(target, 'Continuous', undefined, signal) }),
    async clear(signal) {
      const shown = await boot(signal)
      if (overrideOf(shown, known).lasts !== 'Disabled')
        await writeOverride(service, place, disarmed(place, shown, habits.bootMode), signal)
    },
    evidence: async signal => habits.evidence(await service.get(systemPath, signal)),
    ...(optionsPath === undefined ? {} : { options }),
    ...(orderPath === undefined
      ? {}
      : {
          order: async (signal?: AbortSignal) => texts(part(await service.get(systemPath, signal), 'Boot'), 'BootOrder'),
          setOrder: (references: readonly string[], signal?: AbortSignal) => setOrder(machine, orderPath, references, signal),
        }),
    ...(secureBootPath === undefined
      ? {}
      : {
          async secureBoot(signal?: AbortSignal) {
            const current = text(await service.get(secureBootPath, signal), 'SecureBootCurrentBoot')
            return current === 'Enabled' || current === 'Disabled' ? current : 'Unknown'
          },
        }),
  }
}

const viaOption = (place: BootPlace): boolean => place.takesBootNext || place.targets.includes('UefiTarget')

export function overrideOf(boot: Resource, options: readonly BootOption[] | undefined): Override {
  const raw = targetOf(boot)
  const enabled = text(boot, 'BootSourceOverrideEnabled')
  const mode = text(boot, 'BootSourceOverrideMode')
  const named = targetNamed(raw)
  const reference = raw === 'UefiBootNext' ? text(boot, 'BootNext') : undefined
  const path = raw === 'UefiTarget' ? text(boot, 'UefiTargetBootSourceOverride') : undefined
  const option = options?.find(one => (reference !== undefined && one.reference === reference) || (path !== undefined && one.path === path))
  return known<Override>({
    target: option?.kind ?? named,
    raw: [raw, reference ?? path].filter(part => part !== undefined).join(' '),
    // An unknown word for "armed" must not look like "not armed".
    lasts: enabled === undefined || enabled === 'Disabled' ? 'Disabled' : enabled === 'Once' ? 'Once' : 'Continuous',
    mode: mode === 'UEFI' || mode === 'Legacy' ? mode : undefined,
    uri: text(boot, 'HttpBootUri'),
  })
}

async function setOrder(
  { service, systemPath }: Machine,
  path: string,
  references: readonly string[],
  signal?: AbortSignal,
): Promise<void> {
  const now =
    field(part(await service.get(path, signal), 'Boot'), 'BootOrder') ??
    field(part(await service.get(systemPath, signal), 'Boot'), 'BootOrder')
  if (Array.isArray(now) && now.length === references.length && now.every((reference, i) => reference === references[i])) return
  await service.patch(path, { Boot: { BootOrder: references } }, signal)
}

const notOffered = ({ service, identity }: Machine, place: BootPlace, target: BootTarget): Fault =>
  new Fault(
    'bmc/not-offered',
    `Cannot make ${identity.system} of the BMC at ${service.name} boot from ${target} next: it offers ${place.targets.length > 0 ? place.targets.join(', ') : 'no override'}`,
    'when-changed',
    { hint: 'Some BIOSes offer a target only after it was enabled in their settings and a reset.' },
  )

const noUri = ({ service, identity }: Machine): Fault =>
  new Fault('bmc/not-offered', `Cannot give ${identity.system} of the BMC at ${service.name} a boot URI: it takes none`, 'when-changed', {
    hint: 'Let DHCP give the URI, or set it in the BIOS.',
  })
