import { ApiError } from '../../api/status.ts'
import type { KubeObject } from '../../core/object.ts'
import type { Kube } from '../../ports/index.ts'
import { jobAccess } from '../install/access.ts'
import { referenceOf } from '../install/reference.ts'
import { managerNamespace } from './manager-namespace.ts'

/** The ServiceAccount of jobs with exactly the rights that the programs declare: what the chart installs on a cluster. */
export async function ensureJobAccess(kube: Kube): Promise<void> {
  for (const object of jobAccess({ namespace: managerNamespace })) await put(kube, object)
}

async function put(kube: Kube, object: KubeObject): Promise<void> {
  const { of, key } = referenceOf(object)
  try {
    await kube.create(of, object)
  } catch (error) {
    if (!ApiError.is(error, 'AlreadyExists')) throw error
    await kube.patch(of, key, { merge: object })
  }
}
