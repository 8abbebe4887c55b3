import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { crdOf } from '../../src/api/crd.ts'
import { kinds } from '../../src/api/kinds.ts'
import { embeddedHost } from './api/embedded.ts'
import { type Body, type Client, client, type Host } from './api/host.ts'

const folder = join(import.meta.dirname, '../../examples')
const manifests = (path: string): Body[] => parseAllDocuments(readFileSync(join(folder, path), 'utf8')).map(document => document.toJSON())

describe('the examples', () => {
  let host: Host
  let api: Client
  const apply = async (manifest: Body): Promise<Body> => {
    const [group, version] = manifest.apiVersion.split('/')
    const kind = kinds.find(k => k.kind === manifest.kind && k.group === group && k.version === version)
    const where = kind?.scope === 'Namespaced' ? 'namespaces/default/' : ''
    const { code, body } = await api.post(`/apis/${manifest.apiVersion}/${where}${kind?.plural}?fieldValidation=Strict`, manifest)
    expect({ code, message: body.message }).toEqual({ code: 201, message: undefined })
    return body
  }
  beforeAll(async () => {
    host = await embeddedHost()
    api = client(host.transport)
    for (const kind of kinds)
      expect((await api.post('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', crdOf(kind))).code).toBe(201)
  })
  afterAll(() => host.close())

  it('BP-042 the claim that boots by PXE applies as it stands', async () => {
    expect((await apply(manifests('boot-policy/claim-pxe.yaml')[0])).spec).toEqual({
      power: 'On',
      image: 'my-osimage:latest',
      ignitionSecretRef: { name: 'my-ignition-secret' },
      bootPolicy: { firstBoot: 'Pxe', boot: 'Hdd' },
    })
  })
  it('BP-043 the claim that boots by HTTP applies as it stands', async () => {
    expect((await apply(manifests('boot-policy/claim-http-boot.yaml')[0])).spec.bootPolicy).toEqual({ firstBoot: 'UefiHttp', boot: 'Hdd' })
  })
  it('BP-044 BP-029 the boot configuration applies, and its status takes a state and a boot URI', async () => {
    const made = await apply(manifests('boot-policy/boot-configuration.yaml')[0])
    const path = `/apis/metal.ironcore.dev/v1alpha1/namespaces/default/serverbootconfigurations/${made.metadata.name}/status`
    const status = { state: 'Ready', httpBootURI: 'https://boot.example.com/artifacts/abc123/my-osimage.efi' }
    expect((await api.patch(path, { status })).body.status).toMatchObject(status)
    expect((await api.patch(path, { status: { httpBootURI: 'not a uri' } })).code).toBe(422)
  })
  it('BP-046 BP-018 the maintenance applies, with its own boot configuration inside', async () => {
    const { spec, metadata } = await apply(manifests('boot-policy/maintenance.yaml')[0])
    expect(metadata.annotations).toEqual({ 'metal.ironcore.dev/reason': 'Scheduled firmware update' })
    expect(spec).toMatchObject({ policy: 'Enforced', priority: 100, serverPower: 'On' })
    expect(spec.serverBootConfigurationTemplate).toMatchObject({
      name: 'firmware-update-boot',
      spec: { bootPolicy: { firstBoot: 'UefiHttp', boot: 'Hdd' } },
    })
  })
  it('every manifest in the folder is one of these', () => {
    expect(readdirSync(join(folder, 'boot-policy')).sort()).toEqual([
      'boot-configuration.yaml',
      'claim-http-boot.yaml',
      'claim-pxe.yaml',
      'maintenance.yaml',
    ])
  })
})
