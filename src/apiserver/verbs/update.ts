import type { KubeObject } from '../../core/object.ts'
import type { HttpResponse } from '../../ports/index.ts'
import { bytes, warningHeaders } from '../answer.ts'
import type { Api, Call } from '../call.ts'
import { notFound } from '../registry.ts'
import { objectKey, storedUnder } from '../resource.ts'
import { admitUpdate, checkIdentity, invalid } from './admit.ts'
import { type FieldValidation, fieldValidation, readBody } from './body.ts'
import { commit, draftOf, isDryRun, shown } from './commit.ts'

export async function update(api: Api, call: Call): Promise<HttpResponse> {
  isDryRun(call.query)
  const body = readBody(call)
  const input = checkIdentity(call, body.value)
  // A custom resource is never replaced blindly: its writer must say which state it saw.
  if (call.resource.wireType === undefined && !input.metadata.resourceVersion) {
    throw invalid(call.resource, input.metadata.name, [
      { reason: 'FieldValueInvalid', message: 'Invalid value: 0x0: must be specified for an update', field: 'metadata.resourceVersion' },
    ])
  }
  return change(api, call, fieldValidation(call, body.duplicates), () => input)
}

/** The common way of update and patch: read, make the new object, admit it, write it; all as one step. */
export async function change(
  api: Api,
  call: Call,
  fields: FieldValidation,
  next: (current: KubeObject) => KubeObject,
): Promise<HttpResponse> {
  const { resource, info } = call
  const name = info.name ?? ''
  let warnings: readonly string[] = []
  const entry = await commit(api, storedUnder(resource), objectKey(info.namespace, name), isDryRun(call.query), current => {
    if (!current) throw notFound(resource, name)
    const old = api.views.of(resource, current).object
    const admitted = admitUpdate(api, call, next(old), old, fields)
    warnings = admitted.warnings
    checkFinalizers(call, admitted.object, old)
    return draftOf(admitted.object, resource.storage ? resource.storage.encode(admitted.object) : admitted.object)
  })
  return bytes(shown(api, call, entry), 200, warningHeaders(warnings))
}

/** Once deletion has begun finalizers may only leave, or an object could be held for ever. */
function checkFinalizers(call: Call, object: KubeObject, old: KubeObject): void {
  if (old.metadata.deletionTimestamp === undefined) return
  const added = (object.metadata.finalizers ?? []).filter(f => !old.metadata.finalizers?.includes(f))
  if (added.length === 0) return
  throw invalid(call.resource, object.metadata.name, [
    {
      reason: 'FieldValueForbidden',
      message: `Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers ${JSON.stringify(added)}`,
      field: 'metadata.finalizers',
    },
  ])
}
