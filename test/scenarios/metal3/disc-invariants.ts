import { dataImages, hosts, mediaFinalizer } from '../../../src/controllers/metal3/resources.ts'
import { minutes } from '../../../src/core/duration.ts'
import type { Entry } from '../../../src/sim/action-log.ts'
import type { Invariant, Sight } from '../../../src/sim/invariant.ts'
import type { HostLab } from './lab.ts'

type Held = Invariant<HostLab>

const asks = (entry: Entry | undefined, ...calls: readonly string[]): entry is Entry => entry?.what === 'asks' && calls.includes(entry.call)
const imageOf = (sight: Sight<HostLab>) => sight.objects(dataImages)[0]
const discsIn = (sight: Sight<HostLab>): readonly string[] =>
  Object.values(sight.devices.rack.machine('srv-1').media ?? {}).flatMap(({ image, leaving }) => (leaving ? [] : image))

const wantedOnly: Held = {
  name: 'I15 a disc is in a drive only while a DataImage wants it, has it noted, or is being told so',
  begin: sight => () => {
    const image = imageOf(sight)
    const held = image?.metadata.finalizers?.includes(mediaFinalizer) ?? false
    const stray = discsIn(sight)
    return stray.length > 0 && !held ? `${stray.join()} is in a drive, and no DataImage holds it` : undefined
  },
}

const heldFirst: Held = {
  name: 'T-75 nothing is put in before its DataImage has its finalizer and its note',
  begin: sight => entry => {
    if (!asks(entry, 'bmc.insert')) return undefined
    const image = imageOf(sight)
    const held = image?.metadata.finalizers?.includes(mediaFinalizer) ?? false
    return held && image?.status?.begun?.step === 'insert' ? undefined : `${entry.by} puts a disc in, and its DataImage is not held`
  },
}

const bootUntouched: Held = {
  name: 'DI-007 the boot device of a host is nobody’s who attaches discs',
  begin: () => entry => (asks(entry, 'bmc.once', 'bmc.always', 'bmc.clear') ? `${entry.by} asks for ${entry.call}` : undefined),
}

const readBack: Held = {
  name: 'I25 a disc is said to be attached only when it is in its drive',
  begin(sight) {
    let said: string | undefined
    return () => {
      const now = imageOf(sight)?.status?.attachedImage?.url
      const isNew = now !== undefined && now !== said
      said = now
      return isNew && !discsIn(sight).includes(now) ? `${now} is said to be attached, and in its drives is ${discsIn(sight)}` : undefined
    }
  },
}

const oneAtATime: Held = {
  name: 'DI-020 T-04 never two discs, and none over another',
  begin: sight => entry =>
    discsIn(sight).length > 1
      ? `its drives hold ${discsIn(sight).join()}`
      : asks(entry, 'bmc.insert') && imageOf(sight)?.status?.attachedImage !== undefined
        ? 'a disc is put in while another is attached'
        : undefined,
}

const startsAtAll: Held = {
  name: 'X-033 T-77 a host that shall be on is not held off for its disc for long',
  begin(sight) {
    let since: number | undefined
    return entry => {
      const [host] = sight.objects(hosts)
      const waits =
        host?.spec?.online === true &&
        host.status?.provisioning?.state === 'externally provisioned' &&
        host.metadata.deletionTimestamp === undefined &&
        sight.devices.rack.machine('srv-1').power === 'Off'
      if (!waits) since = undefined
      else since ??= entry?.at
      return since !== undefined && entry !== undefined && entry.at - since > minutes(30)
        ? 'it has been kept off for half an hour'
        : undefined
    }
  },
}

export const discInvariants: readonly Held[] = [wantedOnly, heldFirst, bootUntouched, readBack, oneAtATime, startsAtAll]
