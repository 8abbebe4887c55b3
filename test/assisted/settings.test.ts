import { describe, expect, it } from 'vitest'
import { imageWishes } from '../../src/cli/live-isos.ts'
import { operatorSettings } from '../../src/cli/operator/settings.ts'
import { assistedHostGrants } from '../../src/controllers/assisted/host/grants.ts'
import { infraEnvGrants } from '../../src/controllers/assisted/infra-env/grants.ts'
import { hours, minutes } from '../../src/core/duration.ts'
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
