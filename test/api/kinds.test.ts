import { existsSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { crdOf } from '../../src/api/crd.ts'
import { apiVersionOf, type Kind, kindSchema } from '../../src/api/kind.ts'
import { assistedKinds, kinds, metal3Kinds } from '../../src/api/kinds.ts'
import { yamlText } from '../../src/api/page.ts'
import type { Structural } from '../../src/api/structural.ts'
import { compileSchema } from '../../src/apiserver/schema/compile.ts'
import { crdSchema, validateCrd } from '../../src/apiserver/schema/crd.ts'
import { order } from '../../src/cli/move/cargo.ts'
import type { KubeObject } from '../../src/core/object.ts'

const named = [...kinds, ...metal3Kinds, ...assistedKinds].map(kind => [kind.kind, kind] as const)
const exampleOf = (kind: Kind): KubeObject =>
  ({ apiVersion: apiVersionOf(kind), kind: kind.kind, ...kind.example }) as unknown as KubeObject
const check = (name: string, spec: object) => {
  const kind = kinds.find(one => one.kind === name)!
  const object = { ...exampleOf(kind), spec }
  const { causes, unknown, object: result } = compileSchema(kindSchema(kind)).check(object)
  return { fields: [...causes.map(cause => cause.field), ...unknown], spec: result['spec'] as Record<string, unknown> }
}

interface CrdSpec {
  readonly names: { readonly shortNames?: readonly string[]; readonly categories?: readonly string[] }
  readonly versions: readonly { readonly additionalPrinterColumns?: readonly { readonly name: string }[]; readonly subresources?: object }[]
}
/** Nothing is ever said of them: they are what others refer to. */
const withoutStatus = ['BMCSecret', 'JobRunner']
/** Metal3's host has these with a namespace; another one than its own is `Accepted=False` (policy/metal3/host-rules). */
const refusedAtUse: Readonly<Record<string, readonly string[] | undefined>> = {
  BareMetalHost: ['.spec.userData', '.spec.networkData', '.spec.metaData'],
}
/** As long as a short name: `bmcs`. */
const shortEnough = 4

describe.each(named)('the kind %s', (_, kind) => {
  it('makes a CRD that Kubernetes’ own rules accept', () => {
    const crd = crdOf(kind) as KubeObject
    const result = compileSchema(crdSchema).check(crd)
    expect(result).toMatchObject({ causes: [], unknown: [] })
    expect(validateCrd(crd, undefined)).toEqual([])
  })

  it('shows each column once, the age last', () => {
    const { versions } = (crdOf(kind) as unknown as { readonly spec: CrdSpec }).spec
    const names = (versions[0]?.additionalPrinterColumns ?? []).map(({ name }) => name)
    expect(names).toEqual([...new Set(names)])
    expect(names.at(-1)).toBe('Age')
  })

  // Kinds of other projects are as those projects have them.
  if (kind.group === 'metal.ironcore.dev')
    it('X-002 has what people and clients expect of a kind: columns, a short name, a category, a page, conditions with what they saw', () => {
      const { versions, names } = (crdOf(kind) as unknown as { readonly spec: CrdSpec }).spec
      if (kind.plural.length > shortEnough) expect(names.shortNames?.length, 'a short name').toBeGreaterThan(0)
      expect(names.categories, 'a category').toContain('metal')
      expect(versions[0]?.additionalPrinterColumns?.length, 'printer columns').toBeGreaterThan(0)
      expect(existsSync(new URL(`../../docs/generated/kinds/${kind.group}_${kind.plural}.md`, import.meta.url)), 'a page').toBe(true)
      const status = kindSchema(kind).properties?.['status']
      if (withoutStatus.includes(kind.kind)) return expect(status).toBeUndefined()
      expect(versions[0]?.subresources, 'a status subresource').toHaveProperty('status')
      expect(Object.keys(status?.properties ?? {})).toEqual(expect.arrayContaining(['observedGeneration', 'conditions']))
    })

  it('S2 CVE-2024-43803 CVE-2025-29781 says of no Secret or ConfigMap in which namespace it is, but where others have it so and it is refused at use', () => {
    const foreign = (path: string, schema: Structural): string[] => [
      ...(/(secret|userdata|networkdata|metadata|configmap)\w*(ref|refs)?(\[\])?$/i.test(path) && schema.properties?.['namespace']
        ? [path]
        : []),
      ...Object.entries(schema.properties ?? {}).flatMap(([name, field]) => foreign(`${path}.${name}`, field)),
      ...(schema.items ? foreign(`${path}[]`, schema.items) : []),
    ]
    expect(foreign('', kindSchema(kind))).toEqual(refusedAtUse[kind.kind] ?? [])
  })

  it('describes every field', () => {
    const missing = (path: string, schema: Structural): string[] => [
      ...(schema.description || path === '.metadata' ? [] : [path]),
      ...Object.entries(schema.properties ?? {}).flatMap(([name, field]) => missing(`${path}.${name}`, field)),
      ...(schema.items ? missing(`${path}[]`, schema.items) : []),
      ...(typeof schema.additionalProperties === 'object' ? missing(`${path}.*`, schema.additionalProperties) : []),
    ]
    expect(missing('', kindSchema(kind))).toEqual([])
  })

  it('accepts its own example', () => {
    expect(compileSchema(kindSchema(kind)).check(exampleOf(kind))).toMatchObject({ causes: [], unknown: [] })
  })

  it('is written so that kubectl reads On and Off as words', () => {
    expect(yamlText(crdOf(kind))).not.toMatch(/^\s*(- |\w+: )(On|Off|Yes|No|on|off|yes|no)$/m)
  })
})

describe('boot policies', () => {
  const claim = { power: 'On', image: 'os' }

  it('BP-016 BP-017 BP-018 are optional on claims, boot configurations and maintenance templates', () => {
    expect(check('ServerClaim', claim).fields).toEqual([])
    expect(check('ServerBootConfiguration', { serverRef: { name: 's' } }).fields).toEqual([])
    expect(
      check('ServerMaintenance', {
        serverRef: { name: 's' },
        serverBootConfigurationTemplate: { name: 'x', spec: { bootPolicy: { firstBoot: 'UefiHttp' } } },
      }).fields,
    ).toEqual([])
  })

  it('BP-019 BP-021 firstBoot is required and spelled exactly', () => {
    for (const firstBoot of ['Pxe', 'UefiHttp', 'VirtualMedia'])
      expect(check('ServerClaim', { ...claim, bootPolicy: { firstBoot } }).fields).toEqual([])
    for (const bootPolicy of [{}, { firstBoot: '' }, { firstBoot: 'pxe' }, { firstBoot: 'Hdd' }]) {
      expect(check('ServerClaim', { ...claim, bootPolicy }).fields).toEqual(['spec.bootPolicy.firstBoot'])
    }
  })

  it('BP-020 boot is Hdd where missing, and nothing unknown', () => {
    expect(check('ServerClaim', { ...claim, bootPolicy: { firstBoot: 'Pxe' } }).spec['bootPolicy']).toEqual({
      firstBoot: 'Pxe',
      boot: 'Hdd',
    })
    expect(check('ServerClaim', { ...claim, bootPolicy: { firstBoot: 'Pxe', boot: 'Usb' } }).fields).toEqual(['spec.bootPolicy.boot'])
  })

  it('BP-071 objects written before there were boot policies stay as they are', () => {
    const kind = kinds.find(one => one.kind === 'ServerBootConfiguration')!
    const old = {
      apiVersion: apiVersionOf(kind),
      kind: kind.kind,
      metadata: { name: 'a', namespace: 'b' },
      spec: { serverRef: { name: 's' }, image: 'os' },
    } as KubeObject
    expect(compileSchema(kindSchema(kind)).check(old).object).toBe(old)
  })
})

it('T-25 BP-041 clusterctl moves exactly what rackwright move does', () => {
  const labelled = [...kinds, ...metal3Kinds, ...assistedKinds].filter(kind => {
    const labels = crdOf(kind).metadata.labels ?? {}
    return ['clusterctl.cluster.x-k8s.io', 'clusterctl.cluster.x-k8s.io/move'].every(label => labels[label] === '')
  })
  expect(labelled.map(({ plural }) => plural).toSorted()).toEqual(order.map(({ plural }) => plural).toSorted())
})
