import { chooseRunner } from '../../policy/firmware/runner-choice.ts'
import { type JobRunner, jobRunners } from './resources.ts'
import type { FirmwarePorts } from './settings.ts'

/** What counts of a JobRunner when a Job is made, with everything that it leaves open filled in. */
export interface Runner {
  readonly name: string
  readonly namespace: string
  readonly spec: Pick<
    JobRunner['spec'],
    'image' | 'serviceAccountName' | 'backoffLimit' | 'activeDeadlineSeconds' | 'ttlSecondsAfterFinished' | 'configRef'
  >
}

const builtIn = { serviceAccountName: 'rackwright-jobs', backoffLimit: 3, activeDeadlineSeconds: 7_200, ttlSecondsAfterFinished: 3_600 }

/** The JobRunner for an object, as it is at this moment: changing one needs no restart. */
export function runnerFor(
  { kube, namespace, defaultRunner, jobImage }: Omit<FirmwarePorts, 'pool'>,
  labels: Readonly<Record<string, string>> | undefined,
  manufacturer: string | undefined,
): Runner | undefined {
  const known = kube.cached.list(jobRunners).map(({ metadata, spec }) => ({ name: metadata.name, ...spec }))
  const found = chooseRunner(known, { labels: labels ?? {}, manufacturer }, defaultRunner)
  if (found) return { name: found.name, namespace: found.namespace ?? namespace, spec: { ...builtIn, ...found } }
  return jobImage === undefined ? undefined : { name: defaultRunner ?? 'default', namespace, spec: { ...builtIn, image: jobImage } }
}
