import { crdOf } from '../../../src/api/crd.ts'
import { openshiftKinds } from '../../../src/api/kinds.ts'
import { bootImageControllers } from '../../../src/controllers/boot-images/index.ts'
import {
  capiSets,
  goldenKey,
  goldenMaps,
  histories,
  machineConfigurations,
  templatesOf,
} from '../../../src/controllers/boot-images/resources.ts'
import { type Millis, minutes, seconds } from '../../../src/core/duration.ts'
import { reach } from '../../../src/policy/boot-images/reach.ts'
import type { Clock, Kube, ObjectKey, ResourceRef } from '../../../src/ports/index.ts'
import { type LeaseOptions, openControllers } from '../../../src/runtime/index.ts'
import type { Invariant, Sight } from '../../../src/sim/invariant.ts'
import type { ProcessPorts, Running } from '../../../src/sim/process.ts'
import type { Stage } from '../../../src/sim/stage.ts'
import type { Setting } from '../../../src/sim/story.ts'
import { followed } from '../followed.ts'
import { insist } from '../insist.ts'
import { seldomRenewed } from '../seldom-renewed.ts'

export const templates = templatesOf('infrastructure.cluster.x-k8s.io/v1beta1', 'GCPMachineTemplate')

function program({ kube, clock, ids, log, identity }: ProcessPorts, lease?: LeaseOptions): Running {
  const controllers = openControllers({ kube, clock, ids, log, identity, ...(lease ? { lease } : {}) })
  const made = bootImageControllers({ version: '4.22.3' })
  controllers.add(made.machineConfiguration)
  controllers.add(made.history)
  controllers.start()
  return followed(controllers)
}

const templateOf = (object: unknown): unknown => reach(object, 'spec', 'template', 'spec', 'infrastructureRef', 'name')
const imageIn = (template: unknown): unknown => reach(template, 'spec', 'template', 'spec', 'image')

/** What a MachineSet boots, as anybody would find it out. */
const bootedBy = (sight: Sight, name: string): unknown => {
  const set = sight.objects(capiSets.of).find(({ metadata }) => metadata.name === name)
  return imageIn(sight.objects(templates).find(({ metadata }) => metadata.name === templateOf(set)))
}

export const words = (stage: Stage<unknown>) => ({
  /** Another operator says how far something is. */
  reports: async (of: ResourceRef, key: ObjectKey, status: object): Promise<void> => {
    await stage.asUser(kube => kube.patch(of, key, { merge: { status } }, { subresource: 'status' }))
  },
  boots: (name: string, image: string, within: Millis) =>
    stage.reach(within, `${name} boots ${image}`, sight => bootedBy(sight, name) === `projects/rhcos-cloud/global/images/${image}`),
})

/** New machines could be made at any moment. */
const neverLost: Invariant = {
  name: 'BI-056 a MachineSet always names a template that is there',
  begin: sight => () => {
    const lost = sight.objects(capiSets.of).find(set => bootedBy(sight, set.metadata.name) === undefined)
    return lost && `${lost.metadata.name} names ${String(templateOf(lost))}, which is not there`
  },
}

/** A template is what it was made as. */
const neverEdited: Invariant = {
  name: 'BI-056 no template is edited',
  begin(sight) {
    const known = new Map<string, unknown>()
    return () => {
      for (const template of sight.objects(templates)) {
        const uid = template.metadata.uid ?? ''
        const image = imageIn(template)
        if (known.has(uid) && known.get(uid) !== image) return `${template.metadata.name} boots ${String(image)} now`
        known.set(uid, image)
      }
      return undefined
    }
  },
}

const everySet = { resource: 'machinesets', apiGroup: 'cluster.x-k8s.io' }
/** Says that what is opted in now is not what the story wants. */
const meddled = 'sim.rackwright.dev/meddled'

/** For twenty seconds somebody opts out. */
async function optsOut(user: Kube, clock: Clock): Promise<void> {
  const key = { name: 'cluster' }
  const choose = async (mode: string, mark: string | null): Promise<void> => {
    const managedBootImages = { machineManagers: [{ ...everySet, selection: { mode } }] }
    const found = await user.find(machineConfigurations, key)
    if (found)
      await user.patch(machineConfigurations, key, {
        merge: { metadata: { annotations: { [meddled]: mark } }, spec: { managedBootImages } },
      })
  }
  const before = await user.find(machineConfigurations, key).catch(() => undefined)
  if (!before || before.metadata.annotations?.[meddled] !== undefined) return
  clock.after(seconds(20), () => void insist(clock, () => choose('All', null)))
  await choose('None', 'true').catch(() => {})
}

export const bootImageSetting: Setting<unknown, ReturnType<typeof words>> = {
  crds: openshiftKinds.map(crdOf),
  devices: () => ({}),
  program: ports => program(ports),
  invariants: [neverLost, neverEdited],
  end: sight => ({
    sets: sight.objects(capiSets.of).map(({ metadata, spec }) => ({ name: metadata.name, spec })),
    templates: sight.objects(templates).map(template => ({ name: template.metadata.name, image: imageIn(template) })),
    stamp: sight.objects(goldenMaps).find(({ metadata }) => metadata.name === goldenKey.name)?.data?.['MCOReleaseImageVersion'],
    histories: sight.objects(histories).map(({ metadata, status }) => ({ name: metadata.name, decision: status?.sync?.decision })),
  }),
  words,
  meddle: optsOut,
  together: true,
  rest: minutes(12),
}

/** The same with two processes, of which the Lease lets one act. */
export const twoKeepers: typeof bootImageSetting = {
  ...bootImageSetting,
  program: ports => program(ports, seldomRenewed({ namespace: 'rackwright-system', name: 'boot-images' })),
  together: false,
}
