import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { crdOf } from '../../src/api/crd.ts'
import { kindSchema } from '../../src/api/kind.ts'
import { firmwareKinds, kinds } from '../../src/api/kinds.ts'
import { outlookOf } from '../../src/cli/firmware/outlook.ts'
import { renderPlan, renderStatus } from '../../src/cli/firmware/render.ts'
import type { ServerBIOS } from '../../src/controllers/firmware/resources.ts'
import { embeddedHost } from '../contracts/api/embedded.ts'
import { type Body, type Client, client, type Host } from '../contracts/api/host.ts'

const root = '/apis/metal.ironcore.dev/v1alpha1'
const example = (name: string): Body => parse(readFileSync(join(import.meta.dirname, '../../examples/firmware', `${name}.yaml`), 'utf8'))
const plain = { bold: (text: string) => text } as Parameters<typeof renderPlan>[1]

/** Fields that do not say what they are, by their paths. */
function undescribed(schema: Body, path: string): readonly string[] {
  const below = Object.entries((schema['properties'] ?? {}) as Record<string, Body>).flatMap(([name, field]) => [
    ...(field['description'] === undefined && name !== 'metadata' && name !== 'apiVersion' && name !== 'kind' ? [`${path}.${name}`] : []),
    ...undescribed(field, `${path}.${name}`),
  ])
  return [...below, ...(schema['items'] ? undescribed(schema['items'] as Body, `${path}[]`) : [])]
}

describe('the kinds of firmware', () => {
  let host: Host
  let api: Client
  beforeAll(async () => {
    host = await embeddedHost()
    api = client(host.transport)
    for (const kind of kinds) await api.post('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', crdOf(kind))
  })
  afterAll(() => host.close())

  it('FW-006 say of every field what it is, and want nothing but the server to be named', async () => {
    const silent = firmwareKinds.flatMap(kind => undescribed(kindSchema(kind), kind.kind))
    expect(silent).toEqual([])
    for (const kind of ['ServerBIOS', 'ServerFirmware'] as const) {
      const plural = { ServerBIOS: 'serverbioses', ServerFirmware: 'serverfirmwares' }[kind]
      const least = { ...example('server-bios'), kind, metadata: { name: 'least' } }
      expect((await api.post(`${root}/${plural}`, { ...least, spec: { serverRef: { name: 'bar' } } })).code).toBe(201)
      expect((await api.post(`${root}/${plural}`, { ...least, metadata: { name: 'less' }, spec: {} })).body.message).toContain('serverRef')
    }
  })

  it('FW-037 the configuration of runners has an API version by which it is served and stored, and no other', async () => {
    const crd = crdOf(kinds.find(({ kind }) => kind === 'JobRunner')!) as Body
    expect(crd.spec.versions).toMatchObject([{ name: 'v1alpha1', served: true, storage: true }])
    const runner = { kind: 'JobRunner', metadata: { name: 'versioned' }, spec: { image: 'i' } }
    expect((await api.post(`${root}/jobrunners`, { apiVersion: 'metal.ironcore.dev/v1alpha1', ...runner })).code).toBe(201)
    expect((await api.post(`${root}/jobrunners`, { apiVersion: 'metal.ironcore.dev/v1', ...runner })).code).toBe(400)
    expect((await api.get('/apis/metal.ironcore.dev/v1/jobrunners')).code).toBe(404)
  })

  it('FW-005 FW-008 FW-009 are cluster-scoped custom resources of one group and version', () => {
    expect(firmwareKinds.map(({ kind, group, version, scope }) => `${kind} ${group}/${version} ${scope}`)).toEqual(
      ['JobRunner', 'ServerBIOS', 'ServerBIOSSet', 'ServerFirmware', 'ServerFirmwareSet'].map(
        kind => `${kind} metal.ironcore.dev/v1alpha1 Cluster`,
      ),
    )
  })

  it('FW-011 FW-012 FW-013 FW-019 T-28 the ServerBIOS of the proposal applies as it stands; its status is not taken from there', async () => {
    const { code, body } = await api.post(`${root}/serverbioses?fieldValidation=Strict`, example('server-bios'))
    expect({ code, message: body.message }).toEqual({ code: 201, message: undefined })
    expect(body.spec).toEqual({ scanPeriodMinutes: 30, serverRef: { name: 'bar' }, bios: { version: '1.0.0', settings: {} } })
    expect(body.status).toBeUndefined()
  })

  it('FW-020 FW-021 FW-022 FW-026 T-27 the ServerFirmware of the proposal applies as it stands', async () => {
    const { code, body } = await api.post(`${root}/serverfirmwares?fieldValidation=Strict`, example('server-firmware'))
    expect({ code, message: body.message }).toEqual({ code: 201, message: undefined })
    expect(body.spec.scanPeriodMinutes).toBe('30m')
    expect(body.spec.firmwares).toHaveLength(2)
  })

  it('every manifest in the folder is one of these', () =>
    expect(readdirSync(join(import.meta.dirname, '../../examples/firmware')).toSorted()).toEqual([
      'server-bios.yaml',
      'server-firmware.yaml',
    ]))

  it.each(['30s', '1h', '0', 0, -5, '1.5m', '', 1.5])('T-27 T-29 a period of %o is refused with a message', async period => {
    const manifest = { ...example('server-bios'), metadata: { name: 'bad' } }
    manifest.spec.scanPeriodMinutes = period
    const { code, body } = await api.post(`${root}/serverbioses`, manifest)
    expect(code).toBe(422)
    expect(body.message).toContain('spec.scanPeriodMinutes')
  })

  it('T-29 T-30 a period is 30 minutes where none is said, and settings are texts, numbers and truth values', async () => {
    const settings = { Word: 'Enabled', Number: 5, Truth: true }
    const { body } = await api.post(`${root}/serverbioses`, {
      ...example('server-bios'),
      metadata: { name: 'typed' },
      spec: { serverRef: { name: 'bar' }, bios: { settings } },
    })
    expect(body.spec).toMatchObject({ scanPeriodMinutes: 30, bios: { settings } })
  })

  it('FW-028 FW-031 FW-035 a JobRunner is checked: image, sources with digests', async () => {
    const runner = (spec: object) =>
      api.post(`${root}/jobrunners`, { apiVersion: 'metal.ironcore.dev/v1alpha1', kind: 'JobRunner', metadata: { name: 'r' }, spec })
    expect((await runner({})).body.message).toContain('spec.image')
    const source = { component: 'BIOS', version: '2', url: 'https://x/y', digest: 'md5:1' }
    expect((await runner({ image: 'i', sources: [source] })).body.message).toContain('digest')
    expect(
      (await runner({ image: 'i', sources: [{ ...source, url: 'file:///etc/passwd', digest: `sha256:${'0'.repeat(64)}` }] })).body.message,
    ).toContain('url')
    expect((await runner({ image: 'i' })).body.spec).toMatchObject({
      serviceAccountName: 'rackwright-jobs',
      backoffLimit: 3,
      activeDeadlineSeconds: 7200,
      ttlSecondsAfterFinished: 3600,
    })
  })
})

describe('rackwright firmware', () => {
  const object = (status: object): ServerBIOS =>
    ({
      ...example('server-bios'),
      spec: { scanPeriodMinutes: 30, serverRef: { name: 'bar' }, bios: { version: '1.0.0', settings: { Virt: 'Enabled' } } },
      status,
    }) as unknown as ServerBIOS
  const waits = { type: 'InSync', status: 'False', reason: 'ServerNotAvailable', message: 'server bar is Reserved', lastTransitionTime: '' }

  it('plan says what would be done in which order, how many restarts it takes, and why not yet', () => {
    const text = renderPlan([outlookOf(object({ bios: { version: '0.9.0', settings: { Virt: 'Disabled' } }, conditions: [waits] }))], plain)
    expect(text).toBe(
      [
        'ServerBIOS/foo for server bar',
        '  1. bios-version-update: BIOS 0.9.0 runs, 1.0.0 is wanted',
        '  2. bios-settings-update: Virt is Disabled, Enabled is wanted',
        '  At most 2 restarts of the machine.',
        '  Not yet: server bar is Reserved',
      ].join('\n'),
    )
    expect(renderPlan([outlookOf(object({ bios: { version: '1.0', settings: { Virt: 'Enabled' } } }))], plain)).toBe(
      'Everything is as wanted: nothing would be done.',
    )
  })

  it('status shows every object, and what is in the way', () => {
    const text = renderStatus(
      [outlookOf(object({ bios: { version: '0.9.0' }, conditions: [waits], lastScanTime: '2026-01-01T00:00:00Z' }))],
      Date.parse('2026-01-01T00:05:00Z'),
      plain,
    )
    expect(text.split('\n')[1]).toMatch(/^ServerBIOS\/foo +bar +0\.9\.0 +1\.0\.0 +no +5m ago +server bar is Reserved$/)
    expect(renderStatus([], 0, plain)).toContain('There is no ServerBIOS')
  })
})
