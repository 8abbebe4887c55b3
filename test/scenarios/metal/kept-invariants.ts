import { claims, configurations, servers } from '../../../src/controllers/metal/resources.ts'
import { asksHardware, type Metal, machineOf, wordsOf } from './invariants.ts'

const keptByItsClaim: Metal = {
  name: 'I1 whatever goes wrong, a server stays with a claim that wants it',
  begin(sight) {
    const had = new Map<string, string>()
    return () => {
      const wanted = new Set(
        sight
          .objects(claims)
          .flatMap(({ metadata }) => (metadata.deletionTimestamp === undefined ? [`${metadata.namespace}/${metadata.name}`] : [])),
      )
      for (const { metadata, spec } of sight.objects(servers)) {
        const before = had.get(metadata.name)
        const now = spec.serverClaimRef && `${spec.serverClaimRef.namespace}/${spec.serverClaimRef.name}`
        if (now === undefined) had.delete(metadata.name)
        else had.set(metadata.name, now)
        if (before !== undefined && before !== now && wanted.has(before)) return `${metadata.name} was taken from ${before}, which wants it`
      }
      return undefined
    }
  },
}

const staysInstalled: Metal = {
  name: 'I1 whatever goes wrong, an installed system stays on its disk, and what says so stays',
  begin(sight) {
    const disks = new Map<string, string>()
    const marked = new Map<string, string>()
    return () => {
      for (const name of sight.devices.rack.servers) {
        const os = machineOf(sight, name).disk?.os
        const before = disks.get(name)
        if (os !== undefined) disks.set(name, os)
        if (before !== undefined && os !== before) return `${name} had ${before} on its disk, and has ${os ?? 'nothing'}`
      }
      const all = sight.objects(configurations)
      for (const { metadata } of all)
        if (metadata.annotations?.['metal.ironcore.dev/provisioned'] === 'true')
          marked.set(metadata.uid ?? '', `${metadata.namespace}/${metadata.name}`)
      for (const [uid, name] of marked) {
        if (all.some(({ metadata }) => metadata.uid === uid)) continue
        marked.delete(uid)
        const owner = sight.objects(claims).find(({ metadata }) => `${metadata.namespace}/${metadata.name}` === name)
        if (owner && owner.metadata.deletionTimestamp === undefined) return `${name}, which is provisioned, is gone, and its claim is not`
      }
      return undefined
    }
  },
}

const oneWriter: Metal = {
  name: 'I17 a BMC is asked for one change at a time, and holds two sessions of ours at most',
  begin(sight) {
    const open = new Map<string, string>()
    return entry => {
      const crowded = sight.devices.rack.servers.find(name => sight.devices.rack.counts(name).sessions > 2)
      if (crowded) return `${crowded} holds ${sight.devices.rack.counts(crowded).sessions} sessions`
      const call = entry && `${entry.by} ${entry.call}#${entry.nth}`
      if (entry?.what === 'hears') for (const [machine, under] of open) if (under === call) open.delete(machine)
      if (!asksHardware(entry)) return undefined
      const machine = `${entry.by.split('.')[0]} ${wordsOf(entry)[0]}`
      const before = open.get(machine)
      open.set(machine, call ?? '')
      return before === undefined || !before.startsWith(`${entry.by} `)
        ? undefined
        : `${entry.by} asks for ${entry.call} while ${before} is under way`
    }
  },
}

/** Of what must never be lost, and of BMCs, which are small. */
export const keptInvariants: readonly Metal[] = [keptByItsClaim, staysInstalled, oneWriter]
