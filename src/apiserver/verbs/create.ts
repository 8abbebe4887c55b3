import { ApiError } from '../../api/status.ts'
import type { KubeObject } from '../../core/object.ts'
import type { HttpResponse } from '../../ports/index.ts'
import { bytes, warningHeaders } from '../answer.ts'
import type { Api, Call } from '../call.ts'
import { objectKey, qualified, storedUnder } from '../resource.ts'
import { admitCreate, checkIdentity } from './admit.ts'
import { fieldValidation, readBody } from './body.ts'
import { commit, isDryRun, shown } from './commit.ts'

const generatedNameTries = 8
const longestBase = 58

export async function create(api: Api, call: Call): Promise<HttpResponse> {
  const body = readBody(call)
  const input = checkIdentity(call, body.value)
  if (input.metadata.resourceVersion)
    throw new ApiError('BadRequest', 'Cannot create an object that says it has a resourceVersion: it was read from somewhere already')
  const fields = fieldValidation(call, body.duplicates)
  const dryRun = isDryRun(call.query)
  for (let attempt = 1; ; attempt += 1) {
    const named = withName(api, input)
    const { object, warnings } = admitCreate(api, call, named, fields)
    try {
      const entry = await store(api, call, object, dryRun)
      return bytes(shown(api, call, entry), 201, warningHeaders(warnings))
    } catch (error) {
      const taken = ApiError.is(error, 'AlreadyExists') && input.metadata.name === ''
      if (!taken || attempt === generatedNameTries) throw error
    }
  }
}

function store(api: Api, call: Call, object: KubeObject, dryRun: boolean) {
  const { resource, info } = call
  const { name } = object.metadata
  return commit(api, storedUnder(resource), objectKey(info.namespace, name), dryRun, current => {
    if (info.namespace !== undefined) checkNamespace(api, call, info.namespace, name)
    if (current) {
      throw new ApiError('AlreadyExists', `${qualified(resource)} "${name}" already exists`, {
        name,
        ...(resource.group ? { group: resource.group } : {}),
        kind: resource.plural,
      })
    }
    return { put: resource.storage ? resource.storage.encode(object) : object }
  })
}

function withName(api: Api, input: KubeObject): KubeObject {
  const { name, generateName } = input.metadata
  if (name !== '' || typeof generateName !== 'string' || generateName === '') return input
  return { ...input, metadata: { ...input.metadata, name: `${generateName.slice(0, longestBase)}${api.ids.suffix(5)}` } }
}

/** Nothing new enters a namespace that is not there, or on its way out. */
function checkNamespace(api: Api, call: Call, namespace: string, name: string): void {
  const entry = api.world.get('/namespaces', namespace)
  if (!entry) throw new ApiError('NotFound', `namespaces "${namespace}" not found`, { name: namespace, kind: 'namespaces' })
  if (entry.object.metadata.deletionTimestamp === undefined) return
  const { resource } = call
  throw new ApiError(
    'Forbidden',
    `${qualified(resource)} "${name}" is forbidden: unable to create new content in namespace ${namespace} because it is being terminated`,
    {
      name,
      kind: resource.plural,
      causes: [{ reason: 'NamespaceTerminating', message: `namespace ${namespace} is being terminated`, field: 'metadata.namespace' }],
    },
  )
}
