import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { clusterCommands } from '../../src/cli/catalogue/cluster.ts'
import { serviceCommands } from '../../src/cli/catalogue/service.ts'
import { imageWishes } from '../../src/cli/live-isos.ts'
import { operatorSettings } from '../../src/cli/operator/settings.ts'
import { assistedHostGrants } from '../../src/controllers/assisted/host/grants.ts'
import { infraEnvGrants } from '../../src/controllers/assisted/infra-env/grants.ts'
import { hours, minutes, seconds } from '../../src/core/duration.ts'
import { openAssisted } from './world.ts'

const bootUrl = 'https://boot.example'

describe('settings of what has hosts of InfraEnvs installed', () => {
  it('ZT-034 ZT-046 the flow, the least memory and the time for the first call are said to the operator', () => {
    const said = operatorSettings({
      bootUrl,
      controllers: 'metal3,assisted',
      takeOver: 'assisted',
      convergedFlow: 'Off',
      leastMemory: '8192',
      agentStartTimeout: '45',
      buildsRamdisks: true,
    })
    expect(said.roles.map(({ name }) => name)).toEqual(['metal3', 'assisted'])
    expect(said.takeOver.map(({ name }) => name)).toEqual(['assisted'])
    expect(said.assisted).toEqual({ convergedFlow: 'Off', leastMemory: 8192 })
    expect(said.agents?.startTimeout).toBe(minutes(45))
    expect(operatorSettings({ bootUrl }).assisted).toEqual({})
    expect(() => operatorSettings({ bootUrl, convergedFlow: 'maybe' })).toThrow('Auto, On, Off')
  })
  it('the assisted service is said together with its agent; without it InfraEnvs are left to it', () => {
    const isos = { liveIso: 'x86_64=/a.iso', agentImage: 'agent:1' }
    expect(imageWishes(isos)?.assisted).toBeUndefined()
    expect(imageWishes({ ...isos, assistedUrl: 'https://assisted.example/', assistedAgentImage: 'a:1' })?.assisted).toEqual({
      url: 'https://assisted.example',
      agentImage: 'a:1',
    })
    expect(() => imageWishes({ ...isos, assistedUrl: 'https://assisted.example' })).toThrow('--assisted-agent-image')
  })
  it('T-65 who signed what is fetched and what agents call, and how long images settle, are said where images are made', () => {
    const folder = mkdtempSync(join(tmpdir(), 'rackwright-ca-'))
    const [ca, none] = [join(folder, 'ca.crt'), join(folder, 'none.crt')]
    const pem = '-----BEGIN CERTIFICATE-----\nAA==\n-----END CERTIFICATE-----\n'
    writeFileSync(ca, pem)
    writeFileSync(none, 'hello')
    const isos = { liveIso: 'x86_64=/a.iso', agentImage: 'agent:1' }
    expect(imageWishes({ ...isos, ignitionCa: ca, agentCa: ca, settling: '30' })).toMatchObject({
      authority: pem,
      agentAuthority: pem,
      settling: seconds(30),
    })
    expect(Object.keys(imageWishes(isos) ?? {})).toEqual(['liveIsos', 'agentImage', 'minimal'])
    expect(() => imageWishes({ ...isos, agentCa: none })).toThrow(`Cannot use ${none} of --agent-ca: there is no certificate in it`)
    expect(() => imageWishes({ ...isos, ignitionCa: join(folder, 'x') })).toThrow('of --ignition-ca: ENOENT')
    expect(() => imageWishes({ ...isos, settling: 'soon' })).toThrow('--settling')
    rmSync(folder, { recursive: true })
  })
  it('ZT-034 ZT-046 whatever is said to the operator and to host-images about them can be said to up', () => {
    const flagsOf = (call: string): readonly string[] =>
      [...serviceCommands, ...clusterCommands].find(command => command.call === call)?.options?.map(([flag]) => flag.split(' ', 1)[0]!) ??
      []
    const ofBoth = ['--agent-ca', '--ignition-ca', '--settling', '--assisted-url', '--minimal-iso']
    expect(flagsOf('up')).toEqual(expect.arrayContaining([...ofBoth, '--converged-flow', '--least-memory', '--agent-start-timeout']))
    expect(flagsOf('host-images')).toEqual(expect.arrayContaining(ofBoth))
  })
})

it('S1 what is written to InfraEnvs and Agents is what the code declares, and all of that is used', async () => {
  const world = await openAssisted()
  await world.link('srv-1')
  await world.says('WaitingForPerson', hours(2))
  const verbs: Readonly<Record<string, string>> = { POST: 'create', PUT: 'update', PATCH: 'patch', DELETE: 'delete' }
  const used = world.asked.flatMap(({ method, path }) => {
    const [, plural, status] = /\/agent-install\.openshift\.io\/v1beta1\/namespaces\/[^/]+\/([a-z]+)\/[^/]+(\/status)?$/.exec(path) ?? []
    return verbs[method] && plural !== undefined ? [`${verbs[method]} ${plural}${status ?? ''}`] : []
  })
  const declared = [...assistedHostGrants, ...infraEnvGrants]
    .filter(({ group }) => group === 'agent-install.openshift.io')
    .flatMap(({ resource, verbs: may }) => may.map(verb => `${verb} ${resource}`))
    .filter(right => !/^(get|list|watch) /.test(right))
  expect([...new Set(used)].toSorted()).toEqual([...new Set(declared)].toSorted())
  await world.stop()
})
