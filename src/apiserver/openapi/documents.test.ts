import { describe, expect, it } from 'vitest'
import { structuralOf } from '../../api/builtin/wire.ts'
import type { Structural } from '../../api/structural.ts'
import { isObject } from '../../core/json.ts'
import type { Resource } from '../resource.ts'
import { crdSchema } from '../schema/crd.ts'
import { openApiDocuments } from './documents.ts'

const verbs = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch']
const base = { singular: '', shortNames: [], categories: [], verbs, columns: [], hasStatus: true, hasGeneration: true }
const schema: Structural = {
  type: 'object',
  description: 'One machine.',
  properties: {
    spec: {
      type: 'object',
      description: 'Wanted.',
      required: ['power'],
      properties: { power: { type: 'string', description: 'On or Off.' } },
    },
  },
}
const server: Resource = {
  ...base,
  group: 'metal.ironcore.dev',
  version: 'v1alpha1',
  kind: 'Server',
  plural: 'servers',
  listKind: 'ServerList',
  namespaced: false,
  subresources: [{ name: 'status', kind: 'Server', verbs: ['get', 'patch', 'update'] }],
  schema,
}
const job: Resource = {
  ...base,
  group: 'batch',
  version: 'v1',
  kind: 'Job',
  plural: 'jobs',
  listKind: 'JobList',
  namespaced: true,
  subresources: [],
  wireType: 'io.k8s.api.batch.v1.Job',
  schema: structuralOf('io.k8s.api.batch.v1.Job'),
}
const crd: Resource = {
  ...server,
  group: 'apiextensions.k8s.io',
  version: 'v1',
  kind: 'CustomResourceDefinition',
  plural: 'customresourcedefinitions',
  schema: crdSchema,
}

const registry = { generation: 1, resources: [server, job, crd] as readonly Resource[], all: () => registry.resources }
const read = (openapi: ReturnType<typeof openApiDocuments>, url: string) => {
  const [path = '', query = ''] = url.split('?')
  const { body, headers } = openapi.answer(path, new URLSearchParams(query))
  return { json: JSON.parse(new TextDecoder().decode(body as Uint8Array)), headers }
}

describe('openApiDocuments()', () => {
  const openapi = openApiDocuments(registry)
  const index = read(openapi, '/openapi/v3').json.paths as Record<string, { serverRelativeURL: string }>

  it('lists a document per group version, addressed by its content', () => {
    expect(Object.keys(index)).toEqual(['apis/metal.ironcore.dev/v1alpha1', 'apis/batch/v1', 'apis/apiextensions.k8s.io/v1'])
    const { headers } = read(openapi, index['apis/batch/v1']!.serverRelativeURL)
    expect(headers['cache-control']).toContain('immutable')
    expect(read(openapi, '/openapi/v3/apis/batch/v1').headers['cache-control']).toContain('no-cache')
  })

  it('describes a custom kind so that apply, explain and validation find it', () => {
    const { paths, components } = read(openapi, '/openapi/v3/apis/metal.ironcore.dev/v1alpha1').json
    const gvk = { group: 'metal.ironcore.dev', version: 'v1alpha1', kind: 'Server' }
    const patch = paths['/apis/metal.ironcore.dev/v1alpha1/servers/{name}'].patch
    expect(patch['x-kubernetes-group-version-kind']).toEqual(gvk)
    expect(patch.parameters).toContainEqual(expect.objectContaining({ name: 'fieldValidation', in: 'query' }))
    expect(Object.keys(patch.requestBody.content)).toEqual(['application/json-patch+json', 'application/merge-patch+json'])
    expect(paths['/apis/metal.ironcore.dev/v1alpha1/servers'].get['x-kubernetes-action']).toBe('list')
    expect(paths['/apis/metal.ironcore.dev/v1alpha1/servers/{name}/status'].put['x-kubernetes-action']).toBe('put')
    const component = components.schemas['dev.ironcore.metal.v1alpha1.Server']
    expect(component).toMatchObject({
      description: 'One machine.',
      'x-kubernetes-group-version-kind': [gvk],
      properties: { spec: schema.properties!['spec'] },
    })
    expect(component.properties.metadata.allOf).toEqual([{ $ref: '#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta' }])
    expect(components.schemas['dev.ironcore.metal.v1alpha1.ServerList'].required).toEqual(['items'])
  })

  it('shows merge keys of built-in kinds, which kubectl computes patches from', () => {
    const { paths, components } = read(openapi, '/openapi/v3/apis/batch/v1').json
    const containers = components.schemas['io.k8s.api.core.v1.PodSpec'].properties.containers
    expect(containers).toMatchObject({ 'x-kubernetes-patch-strategy': 'merge', 'x-kubernetes-patch-merge-key': 'name' })
    expect(Object.keys(paths['/apis/batch/v1/namespaces/{namespace}/jobs/{name}'].patch.requestBody.content)).toContain(
      'application/strategic-merge-patch+json',
    )
    expect(Object.keys(paths['/apis/batch/v1/jobs'])).toEqual(['get', 'parameters'])
  })

  it('refers only to schemas that are there', () => {
    const refs = (value: unknown): string[] =>
      Array.isArray(value)
        ? value.flatMap(refs)
        : isObject(value)
          ? Object.entries(value).flatMap(([key, one]) => (key === '$ref' && typeof one === 'string' ? [one] : refs(one)))
          : []
    for (const path of Object.keys(index)) {
      const { json } = read(openapi, `/openapi/v3/${path}`)
      for (const one of refs(json)) expect(Object.keys(json.components.schemas)).toContain(one.replace('#/components/schemas/', ''))
    }
  })

  it('cuts circles in the schema of schemas', () => {
    expect(
      read(openapi, '/openapi/v3/apis/apiextensions.k8s.io/v1').json.components.schemas['io.k8s.apiextensions.v1.CustomResourceDefinition'],
    ).toBeDefined()
  })

  it('makes only those documents again whose resources changed', () => {
    const changing = { generation: 1, resources: [server, job] as readonly Resource[], all: () => changing.resources }
    const documents = openApiDocuments(changing)
    const body = (path: string) => documents.answer(`/openapi/v3/${path}`, new URLSearchParams()).body
    const [serverBefore, jobBefore] = [body('apis/metal.ironcore.dev/v1alpha1'), body('apis/batch/v1')]
    changing.generation++
    changing.resources = [{ ...server, kind: 'Machine' }, job]
    expect(body('apis/batch/v1')).toBe(jobBefore)
    expect(body('apis/metal.ironcore.dev/v1alpha1')).not.toBe(serverBefore)
  })

  it('answers NotFound for what is not served', () => {
    expect(() => openapi.answer('/openapi/v3/apis/none/v1', new URLSearchParams())).toThrowError(/no group version/)
  })
})
