import { expect, it } from 'vitest'
import { bootImageGrants } from '../../src/controllers/boot-images/grants.ts'
import { allCapi, allMapi, capi, cluster } from './cluster.ts'

const events = /^(get|create|patch) events/

it('S6 the calls of the controllers of boot images are within the rights that they declare', async () => {
  const world = await cluster({ stubs: 'upgrade' })
  await world.machineSet('a')
  await capi(world, 'MachineSet', 'b')
  await capi(world, 'MachineDeployment', 'c')
  await world.optIn(allMapi, allCapi(), allCapi('machinedeployments'))
  const asked = new Set(
    world.asked.map(({ method, path }) => {
      const [bare = '', query = ''] = path.split('?')
      const parts = bare.split('/').slice(2)
      const group = bare.startsWith('/api/') ? '' : (parts.shift() ?? '')
      parts.shift()
      if (parts[0] === 'namespaces' && parts.length > 2) parts.splice(0, 2)
      const [resource = '', name, subresource] = parts
      const read = query.includes('watch=') ? 'watch' : name === undefined ? 'list' : 'get'
      const verb = method === 'GET' ? read : method === 'POST' ? 'create' : method === 'DELETE' ? 'delete' : 'patch'
      return `${verb} ${resource}${subresource === undefined ? '' : `/${subresource}`}.${group}`
    }),
  )
  const declared = new Set(bootImageGrants.flatMap(({ verbs, resource, group }) => verbs.map(verb => `${verb} ${resource}.${group}`)))
  expect([...asked].filter(right => !declared.has(right) && !events.test(right)).toSorted()).toEqual([])
  await world.end()
})
