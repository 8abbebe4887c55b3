import { describe, expect, it } from 'vitest'
import type { Structural } from '../structural.ts'
import { structuralOf, typeOfKind, wireType, wireTypeNames } from './wire.ts'

const at = (schema: Structural, path: string): Structural => {
  let here: Structural | undefined = schema
  for (const step of path.split('.')) here = step === '[]' ? here?.items : here?.properties?.[step]
  if (!here) throw new Error(`no ${path} in the schema`)
  return here
}

describe('wire types', () => {
  it('know the protobuf numbers and merge keys of built-in fields', () => {
    expect(wireType('io.k8s.api.core.v1.Secret')?.fields.map(f => [f.name, f.number])).toEqual([
      ['metadata', 1],
      ['immutable', 5],
      ['data', 2],
      ['stringData', 4],
      ['type', 3],
    ])
    const containers = wireType('io.k8s.api.core.v1.PodSpec')?.fields.find(f => f.name === 'containers')
    expect(containers).toMatchObject({ number: 2, patchMergeKey: 'name', patchStrategy: 'merge', listType: 'map', listKeys: ['name'] })
  })

  it('are not found under names that only the prototype has', () => {
    expect(wireType('constructor')).toBeUndefined()
    expect(typeOfKind('v1', '__proto__')).toBeUndefined()
  })

  it('are found by kind, options in any group version', () => {
    expect(typeOfKind('v1', 'Secret')).toBe('io.k8s.api.core.v1.Secret')
    expect(typeOfKind('events.k8s.io/v1', 'Event')).toBe('io.k8s.api.events.v1.Event')
    expect(typeOfKind('batch/v1', 'DeleteOptions')).toBe('io.k8s.apimachinery.pkg.apis.meta.v1.DeleteOptions')
    expect(typeOfKind('v1', 'Pod')).toBeUndefined()
  })

  it('refer only to types that exist, and none contains itself', () => {
    for (const name of wireTypeNames()) expect(structuralOf(name).type, name).toBe('object')
  })
})

describe('structuralOf()', () => {
  it('requires only what is neither optional nor left out when empty', () => {
    const job = structuralOf('io.k8s.api.batch.v1.Job')
    expect(job.required).toBeUndefined()
    expect(at(job, 'spec').required).toEqual(['template'])
    expect(at(job, 'spec.template.spec').required).toEqual(['containers'])
    expect(structuralOf('io.k8s.api.rbac.v1.RoleBinding').required).toEqual(['roleRef'])
    expect(structuralOf('io.k8s.api.core.v1.Event').required).toEqual(['metadata', 'involvedObject'])
  })

  it('carries list keys, atomic references, int-or-string, bytes and inlined fields', () => {
    const job = structuralOf('io.k8s.api.batch.v1.Job')
    expect(at(job, 'spec.template.spec.containers')).toMatchObject({
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['name'],
    })
    expect(at(job, 'spec.template.spec.containers.[].ports.[].protocol')).toEqual({ type: 'string', default: 'TCP' })
    expect(at(job, 'spec.selector')).toMatchObject({ 'x-kubernetes-map-type': 'atomic' })
    expect(at(job, 'spec.template.spec.volumes.[].secret.secretName')).toEqual({ type: 'string' })
    expect(at(job, 'spec.template.spec.containers.[].livenessProbe.httpGet.port')).toEqual({ 'x-kubernetes-int-or-string': true })
    expect(at(structuralOf('io.k8s.api.core.v1.Secret'), 'data')).toEqual({
      type: 'object',
      additionalProperties: { type: 'string', format: 'byte' },
    })
    expect(at(job, 'apiVersion')).toEqual({ type: 'string' })
    expect(structuralOf('io.k8s.api.core.v1.PodSpec').properties).not.toHaveProperty('apiVersion')
  })
})
