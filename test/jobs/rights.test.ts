import { expect, it } from 'vitest'
import { jobAccess } from '../../src/cli/install/access.ts'
import { jobGrants } from '../../src/jobs/programs/grants.ts'
import { programWorld } from './program-world.ts'

it('X-018 the calls of the five programs are exactly the rights that they declare', async () => {
  const world = await programWorld('generic')
  await world.wishBios({ version: '2.4.1', settings: { QuietBoot: false } })
  await world.wishFirmware([{ name: 'Network adapter', manufacturer: 'Rackwright', version: '9.9.9' }])
  await world.offers('BIOS', 'BIOS', '2.4.1')
  await world.offers('Network adapter', 'NIC.1', '9.9.9')
  const asked = new Set<string>()
  for (const program of ['bios-scan', 'bios-version-update', 'bios-settings-update', 'firmware-scan', 'firmware-update']) {
    const { code, calls } = await world.run(program)
    expect(`${program} ${code}`).toBe(`${program} 0`)
    for (const call of calls.filter(one => one.startsWith('api'))) asked.add(call)
  }
  await world.close()
  const rights = jobGrants.flatMap(({ resource, verbs }) => verbs.map(verb => `${verb} ${resource}`)).toSorted()
  const used = [...asked].map(call => call.replace('api find', 'get').replace(/^api patch (.*)/, 'patch $1/status')).toSorted()
  expect(used).toEqual(rights)
})

it('X-018 the account of Jobs may change nothing but two statuses, and read Secrets in one namespace only', () => {
  const objects = jobAccess({ namespace: 'rackwright-system' })
  const rules = (kind: string) =>
    objects
      .filter(object => object.kind === kind)
      .flatMap(object => object['rules'] as { readonly resources: readonly string[]; readonly verbs: readonly string[] }[])
  const everywhere = rules('ClusterRole').map(({ resources, verbs }) => `${resources.join()}: ${verbs.join()}`)
  expect(everywhere.filter(line => !line.endsWith(': get'))).toEqual(['serverbioses/status: patch', 'serverfirmwares/status: patch'])
  expect(everywhere.join()).not.toMatch(/(^|,)secrets/)
  expect(rules('Role')).toEqual([{ apiGroups: [''], resources: ['secrets'], verbs: ['get'] }])
})
