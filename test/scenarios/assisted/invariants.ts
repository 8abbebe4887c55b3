import { agents } from '../../../src/controllers/assisted/resources.ts'
import { hosts, images } from '../../../src/controllers/metal3/resources.ts'
import { conditionOf } from '../../../src/core/condition.ts'
import { minutes } from '../../../src/core/duration.ts'
import type { Invariant, Sight } from '../../../src/sim/invariant.ts'
import { baseUrl } from '../host-images/base.ts'
import { plainHostInvariants, readBackFirst } from '../metal3/invariants.ts'
import { keptHostInvariants } from '../metal3/kept-invariants.ts'
import type { HostLab } from '../metal3/lab.ts'
import { sureHostInvariants } from '../metal3/sure-invariants.ts'
import type { AssistedLab } from './lab.ts'

type Held = Invariant<AssistedLab>

const notTooEarly: Held = {
  name: 'ZT-014 ZT-016 no image is built without the Ignition of its InfraEnv, nor before it is a minute old',
  begin(sight) {
    const since = new Map<string, number>()
    return () => {
      for (const { metadata, status } of sight.objects(images)) {
        const { uid = '' } = metadata
        if (!since.has(uid)) since.set(uid, sight.elapsed)
        if (conditionOf(status, 'Ready')?.status !== 'True') continue
        const pointed = metadata.annotations?.['baremetal.openshift.io/ignition-override-uri'] !== undefined
        // Times of objects are whole seconds.
        if (!pointed || sight.elapsed - (since.get(uid) ?? 0) < minutes(1) - 1_000) return `${metadata.name} is Ready`
      }
      return undefined
    }
  },
}

const asksForNothingElse: Held = {
  name: 'ZT-028 ZT-030 ZT-032 of a host nothing but customDeploy is changed',
  begin(sight) {
    let first: string | undefined
    return () => {
      const [host] = sight.objects(hosts)
      if (!host) return undefined
      const { customDeploy: _, ...spec } = host.spec ?? { online: true }
      // Somebody pauses it now and then, or writes something of his own.
      const { 'baremetalhost.metal3.io/paused': __, ...others } = host.metadata.annotations ?? {}
      const now = JSON.stringify([spec, Object.keys(others).filter(name => !name.startsWith('sim.'))])
      first ??= now
      return now === first ? undefined : `it was ${first}, and is ${now}`
    }
  },
}

const oneAfterTheOther: Held = {
  name: 'ZT-036 ZT-041 ZT-061 the assisted agent calls only while the Ironic agent has started it',
  begin(sight) {
    let known = 0
    return () => {
      const found = sight.objects(agents).length
      const isNew = found > known
      known = found
      const state = sight.objects(hosts)[0]?.status?.provisioning?.state
      return isNew && state !== 'provisioning' ? `its Agent is new, and the host is ${state}` : undefined
    }
  },
}

const installedOnce: Held = {
  name: 'I1 I15 what is installed is not installed again, nor while nobody wants it',
  begin(sight) {
    let seen = 0
    let over = false
    return () => {
      const { happened } = sight.devices
      const installs = happened.slice(seen).filter(({ what }) => what === 'installed').length
      seen = happened.length
      const state = sight.objects(hosts)[0]?.status?.provisioning?.state
      const wrong = installs > 0 && (over || state !== 'provisioning')
      // Given back, it may be installed for somebody else.
      over = state === 'provisioned' || (over && state !== 'deprovisioning')
      return wrong ? `it is installed while it is ${state}` : undefined
    }
  },
}

const bootsItsImage: Held = {
  name: 'I7 what boots from a disc boots the image that was built for the host',
  begin(sight) {
    let seen = 0
    return () => {
      const { happened, rack } = sight.devices
      for (; seen < happened.length; seen++) {
        const event = happened[seen]!
        if (event.what !== 'boots' || event.from !== 'Cd') continue
        const wanted = sight.objects(images)[0]?.status?.imageUrl
        const discs = Object.values(rack.machine(event.server).media ?? {}).map(({ image }) => image)
        if (wanted === undefined || !discs.includes(wanted)) return `it boots ${discs}, and ${wanted ?? 'none'} was built`
      }
      return undefined
    }
  },
}

const goneWithIt: Held = {
  name: 'I14 nothing is kept or served of an image whose PreprovisioningImage is gone, also by whoever does not act any longer',
  begin(sight) {
    const uidOf = new Map<string, string>()
    const goneSince = new Map<string, number>()
    return () => {
      const there = new Set<string>()
      for (const { metadata, status } of sight.objects(images)) {
        there.add(metadata.uid ?? '')
        if (status?.imageUrl !== undefined) uidOf.set(status.imageUrl, metadata.uid ?? '')
      }
      for (const [url, uid] of uidOf) {
        if (there.has(uid)) continue
        if (sight.devices.records.kept.has(uid)) return `what ${url} was made of is kept, and its object is gone`
        if (!goneSince.has(uid)) goneSince.set(uid, sight.elapsed)
        // Who stood still answers nobody, and hears of it when he goes on.
        if (sight.elapsed - (goneSince.get(uid) ?? 0) < minutes(3)) continue
        for (const [process, { handler }] of sight.devices.serving)
          if (handler({ method: 'HEAD', url: url.slice(baseUrl.length), headers: {} })?.status === 200)
            return `${process} serves ${url}, and its object is gone`
      }
      return undefined
    }
  },
}

/** What hosts of InfraEnvs boot from is the image that was built for them. */
const itsImage = (sight: Sight<HostLab>): string | undefined => sight.objects(images)[0]?.status?.imageUrl

const ofHosts = [
  ...plainHostInvariants,
  readBackFirst(itsImage),
  ...keptHostInvariants,
  ...sureHostInvariants,
] as unknown as readonly Held[]

export const assistedInvariants: readonly Held[] = [
  ...ofHosts,
  notTooEarly,
  asksForNothingElse,
  oneAfterTheOther,
  installedOnce,
  bootsItsImage,
  goneWithIt,
]
