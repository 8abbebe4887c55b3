import { bmcs, configurations } from '../../../src/controllers/metal/resources.ts'
import { conditionOf } from '../../../src/core/condition.ts'
import { minutes, seconds } from '../../../src/core/duration.ts'
import { isObject } from '../../../src/core/json.ts'
import { machineName, sameUuid } from '../../../src/policy/identity.ts'
import { asksHardware, type Metal, serverOf, wordsOf } from './invariants.ts'
import type { Handed } from './lab.ts'

const verifiedFirst: Metal = {
  name: 'I13 no byte leaves the boot server that is not of the image that was pinned',
  begin(sight) {
    const pinned = new Set<string>()
    let seen = 0
    /** Those that are still on their way, and what broke off. */
    let open: Handed[] = []
    return () => {
      for (const { status } of sight.objects(configurations)) for (const { digest } of status?.image?.artifacts ?? []) pinned.add(digest)
      const { handed } = sight.devices
      for (; seen < handed.length; seen++)
        if (/\/boot\/[^/]+\/(kernel|initramfs|.*\.efi)$/.test(handed[seen]!.path)) open.push(handed[seen]!)
      const whole = open.filter(({ digest }) => digest !== undefined)
      if (whole.length === 0) return undefined
      open = open.filter(({ digest }) => digest === undefined)
      const wrong = whole.find(({ digest }) => !pinned.has(digest ?? ''))
      return wrong && `${wrong.path.replace(/\/boot\/[^/]+/, '')} was served as ${wrong.digest}, which nobody pinned`
    }
  },
}

const fewLogins: Metal = {
  name: 'I19 a password that was refused twice is not tried a third time within five minutes, and no account is locked',
  begin(sight) {
    const times = new Map<string, number[]>()
    return () => {
      const { rack } = sight.devices
      for (const name of rack.servers) {
        const all = times.get(name) ?? []
        const { refused } = rack.counts(name)
        while (all.length < refused) all.push(sight.elapsed)
        times.set(name, all)
        const third = all.at(-3)
        if (third !== undefined && sight.elapsed - third < minutes(5)) return `${name} refused three logins within five minutes`
      }
      return undefined
    }
  },
}

const rightMachine: Metal = {
  name: 'I20 nothing is asked of a machine before it said that it is the one that was recorded',
  begin(sight) {
    const said = new Map<string, string | undefined>()
    return entry => {
      // One that only stood still remembers what it heard; a new one does not.
      if (entry?.what === 'life' && entry.call === 'starts')
        for (const key of said.keys()) if (key.startsWith(`${entry.by} `)) said.delete(key)
      if (entry?.call === 'bmc.glance' && entry.what === 'asks') said.set(`${entry.by} #${entry.nth}`, wordsOf(entry)[0])
      if (entry?.call === 'bmc.glance' && entry.what === 'hears' && isObject(entry.detail) && typeof entry.detail['uuid'] === 'string')
        said.set(`${entry.by} ${said.get(`${entry.by} #${entry.nth}`)}`, entry.detail['uuid'])
      if (!asksHardware(entry)) return undefined
      const [machine = ''] = wordsOf(entry)
      const uuid = said.get(`${entry.by} ${machine}`)
      const wanted = serverOf(sight, machine)?.spec.systemUUID ?? ''
      return uuid !== undefined && sameUuid(uuid, wanted)
        ? undefined
        : `${entry.by} asks ${machine} for ${entry.call}, which said that it is ${uuid ?? 'nobody'} instead of ${wanted}`
    }
  },
}

const leftAlone: Metal = {
  name: 'I24 nothing is asked of a machine whose Server is ignored or parked',
  begin(sight) {
    /** As it was when it was read anew: what is said after that comes too late for one call. */
    const aside = new Map<string, boolean>()
    return entry => {
      const [, name] = /^get servers (\S+)$/.exec(entry?.call ?? '') ?? []
      if (entry?.what === 'effect' || (entry?.what === 'hears' && name !== undefined)) {
        const { metadata } = serverOf(sight, name?.replace(/-system-0$/, '') ?? '') ?? {}
        const annotations = metadata?.annotations ?? {}
        const says = annotations['metal.ironcore.dev/operation'] === 'ignore' || annotations['metal.ironcore.dev/parked'] === 'true'
        if (name !== undefined) aside.set(`${entry.by} ${name}`, says)
      }
      if (!asksHardware(entry)) return undefined
      const [machine = ''] = wordsOf(entry)
      return aside.get(`${entry.by} ${machine}-system-0`)
        ? `${entry.by} asks ${machine} for ${entry.call}, which is to be left alone`
        : undefined
    }
  },
}

const knownFirst: Metal = {
  name: 'I29 nothing is asked of a machine whose power nobody understands',
  begin() {
    const asked = new Map<string, string | undefined>()
    const power = new Map<string, unknown>()
    return entry => {
      if (entry?.call === 'bmc.glance' && entry.what === 'asks') asked.set(`${entry.by} #${entry.nth}`, wordsOf(entry)[0])
      if (entry?.call === 'bmc.glance' && entry.what === 'hears' && isObject(entry.detail) && 'power' in entry.detail)
        power.set(`${entry.by} ${asked.get(`${entry.by} #${entry.nth}`)}`, entry.detail['power'])
      if (!asksHardware(entry)) return undefined
      const [machine = ''] = wordsOf(entry)
      return power.get(`${entry.by} ${machine}`) === 'Unknown'
        ? `${entry.by} asks ${machine} for ${entry.call}, and its power is unknown`
        : undefined
    }
  },
}

const oneOfAKind: Metal = {
  name: 'I31 of two machines that say they are the same, neither is asked for anything',
  begin(sight) {
    const since = new Map<string, number>()
    const told = new Map<string, number>()
    return entry => {
      const all = sight.objects(bmcs).map(({ metadata, status }) => ({
        name: metadata.name,
        machine: status?.systemUUID === undefined ? undefined : machineName(status.systemUUID),
        verdict: conditionOf(status, 'Ready')?.reason,
      }))
      for (const { name, machine, verdict } of all) {
        const twin = machine !== undefined && all.some(other => other.name !== name && other.machine === machine)
        if (!twin) for (const times of [since, told]) times.delete(name)
        else if (!since.has(name)) since.set(name, sight.elapsed)
        if (twin && verdict === 'DuplicateIdentity' && !told.has(name)) told.set(name, sight.elapsed)
      }
      if (!asksHardware(entry)) return undefined
      const [name = ''] = wordsOf(entry)
      const longer = (from: number | undefined, than: number): boolean => from !== undefined && sight.elapsed - from > than
      // So long it takes, with an outage and a crash, until each has heard of the other; what was begun before it was told, a moment.
      return longer(since.get(name), minutes(3)) || longer(told.get(name), seconds(10))
        ? `${entry.by} asks ${name} for ${entry.call}, and another says that it is the same machine`
        : undefined
    }
  },
}

/** Of what is not sure: then nothing is done. */
export const sureInvariants: readonly Metal[] = [verifiedFirst, fewLogins, rightMachine, leftAlone, knownFirst, oneOfAKind]
