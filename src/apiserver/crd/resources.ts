import type { Column, Structural } from '../../api/structural.ts'
import { isObject } from '../../core/json.ts'
import type { KubeObject } from '../../core/object.ts'
import { allVerbs } from '../builtin/kinds.ts'
import type { Resource, Subresource } from '../resource.ts'

interface CrdSpec {
  readonly group: string
  readonly scope: 'Namespaced' | 'Cluster'
  readonly names: CrdNames
  readonly versions: readonly CrdVersion[]
}

export interface CrdNames {
  readonly plural: string
  readonly singular?: string
  readonly kind: string
  readonly listKind?: string
  readonly shortNames?: readonly string[]
  readonly categories?: readonly string[]
}

interface CrdVersion {
  readonly name: string
  readonly served: boolean
  readonly storage: boolean
  readonly deprecated?: boolean
  readonly schema?: { readonly openAPIV3Schema?: Structural }
  readonly subresources?: { readonly status?: unknown; readonly scale?: unknown }
  readonly additionalPrinterColumns?: readonly Column[]
  readonly selectableFields?: readonly { readonly jsonPath: string }[]
}

export const crdSpec = (crd: KubeObject): CrdSpec => crd['spec'] as CrdSpec

/** The resources that an established CRD serves, one per served version. `since` is the revision its schema came into force. */
export function resourcesOf(crd: KubeObject, since: number): readonly Resource[] {
  if (!isEstablished(crd)) return []
  const spec = crdSpec(crd)
  const { names } = spec
  const stored = spec.versions.find(v => v.storage)
  return spec.versions
    .filter(v => v.served)
    .map(version => ({
      group: spec.group,
      version: version.name,
      plural: names.plural,
      singular: names.singular ?? names.kind.toLowerCase(),
      kind: names.kind,
      listKind: names.listKind ?? `${names.kind}List`,
      shortNames: names.shortNames ?? [],
      categories: names.categories ?? [],
      namespaced: spec.scope === 'Namespaced',
      verbs: crd.metadata.deletionTimestamp === undefined ? allVerbs : allVerbs.filter(verb => verb !== 'create'),
      subresources: subresources(version, names.kind),
      schema: version.schema?.openAPIV3Schema ?? { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
      since,
      columns: version.additionalPrinterColumns ?? [],
      hasStatus: isObject(version.subresources?.status),
      hasGeneration: true,
      ...(version.selectableFields ? { fields: selectable(version.selectableFields) } : {}),
      ...(stored && stored.name !== version.name ? { storage: conversion(spec, stored.name, version.name) } : {}),
    }))
}

export function isEstablished(crd: KubeObject): boolean {
  const status = isObject(crd['status']) ? crd['status'] : {}
  const conditions = Array.isArray(status['conditions']) ? status['conditions'] : []
  return conditions.some(c => isObject(c) && c['type'] === 'Established' && c['status'] === 'True')
}

function subresources(version: CrdVersion, kind: string): readonly Subresource[] {
  return isObject(version.subresources?.status) ? [{ name: 'status', kind, verbs: ['get', 'patch', 'update'] }] : []
}

/** Strategy None: the same object under another apiVersion. */
function conversion(spec: CrdSpec, stored: string, served: string): NonNullable<Resource['storage']> {
  return {
    name: `${spec.group}/${spec.names.plural}`,
    encode: object => ({ ...object, apiVersion: `${spec.group}/${stored}` }),
    decode: object => ({ ...object, apiVersion: `${spec.group}/${served}` }),
  }
}

function selectable(fields: readonly { readonly jsonPath: string }[]): Readonly<Record<string, (object: KubeObject) => string>> {
  return Object.fromEntries(
    fields.map(({ jsonPath }) => {
      const path = jsonPath.replace(/^\./, '')
      return [path, (object: KubeObject) => valueAt(object, path.split('.'))] as const
    }),
  )
}

function valueAt(object: KubeObject, path: readonly string[]): string {
  let value: unknown = object
  for (const step of path) value = isObject(value) && Object.hasOwn(value, step) ? value[step] : undefined
  return value === undefined || value === null ? '' : String(value)
}
