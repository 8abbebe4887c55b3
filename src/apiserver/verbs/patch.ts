import { wireType } from '../../api/builtin/wire.ts'
import { ApiError } from '../../api/status.ts'
import type { KubeObject } from '../../core/object.ts'
import type { HttpResponse } from '../../ports/index.ts'
import type { Api, Call } from '../call.ts'
import { jsonPatch } from '../patch/json-patch.ts'
import { mergePatch } from '../patch/merge-patch.ts'
import { strategicMerge } from '../patch/strategic-merge.ts'
import { checkIdentity } from './admit.ts'
import { contentType, fieldValidation, readPatch, unsupported } from './body.ts'
import { change } from './update.ts'

const types = ['application/json-patch+json', 'application/merge-patch+json', 'application/strategic-merge-patch+json'] as const

/** Applies the patch to whatever is current at the moment of writing, so a patch without a resourceVersion never conflicts. */
export async function patch(api: Api, call: Call): Promise<HttpResponse> {
  const apply = patcher(call)
  return change(api, call, fieldValidation(call, []), current => checkIdentity(call, apply(current)))
}

function patcher(call: Call): (current: KubeObject) => unknown {
  const type = contentType(call)
  const wire = call.resource.wireType
  switch (type) {
    case 'application/json-patch+json': {
      const operations = readPatch(call)
      return current => jsonPatch(current, operations)
    }
    case 'application/merge-patch+json': {
      const document = readPatch(call)
      return current => mergePatch(current, document)
    }
    case 'application/strategic-merge-patch+json': {
      if (wire === undefined) throw unsupported(type, types.slice(0, 2))
      const document = readPatch(call)
      return current => strategicMerge(current, document, wireType(wire))
    }
    case 'application/apply-patch+yaml':
      throw new ApiError(
        'UnsupportedMediaType',
        'Cannot apply on the server side: this server does not serve server-side apply yet; use a merge patch (kubectl apply without --server-side)',
      )
    default:
      throw unsupported(type, types)
  }
}
