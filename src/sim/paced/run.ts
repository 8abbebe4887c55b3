import type { KubeObject } from '../../core/object.ts'
import { kubeClient } from '../../kube/index.ts'
import type { ResourceRef } from '../../ports/index.ts'
import type { PlannedFault } from '../faults/fault.ts'
import { root } from '../people.ts'
import { type Run, tell } from '../run.ts'
import { seeded, seededIds } from '../seed.ts'
import type { Story } from '../story.ts'
import { openPacedWorld, type PacedOptions } from './world.ts'

export interface PacedRun extends PacedOptions {
  readonly seed: string
  readonly plan?: readonly PlannedFault[]
}

const definitions: ResourceRef = { group: 'apiextensions.k8s.io', version: 'v1', plural: 'customresourcedefinitions', namespaced: false }

/** The same story as in virtual time, over real sockets. The order of things is not ours to choose here, so logs differ; the end must not. */
export async function runPaced<D, M extends object>(story: Story<D, M>, options: PacedRun): Promise<Run> {
  const world = await openPacedWorld(options)
  const { clock, host, follow } = world
  const kube = kubeClient(host.as(root), { clock, ids: seededIds(seeded('setup')) })
  for (const crd of story.setting.crds) await kube.create(definitions, crd satisfies KubeObject)
  await world.begin()
  const close = async (): Promise<readonly string[]> => {
    await world.close()
    return []
  }
  // Over sockets the API server does not die with the processes.
  const apart = { ...story, setting: { ...story.setting, together: false } }
  return tell(apart, { seed: options.seed, plan: options.plan ?? [], clock, host, follow, close })
}
