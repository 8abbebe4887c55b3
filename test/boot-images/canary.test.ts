import { describe, expect, it } from 'vitest'
import { mapiSets } from '../../src/controllers/boot-images/resources.ts'
import { seconds } from '../../src/core/duration.ts'
import { exampleStream } from '../../src/policy/boot-images/fixture.ts'
import { allMapi, type Cluster, cluster, machineApi, newImage } from './cluster.ts'

const next = 'projects/rhcos-cloud/global/images/rhcos-next'
const stream = (): string => {
  const changed = structuredClone(exampleStream)
  changed.architectures.x86_64.images.gcp.name = 'rhcos-next'
  return JSON.stringify(changed)
}

/** Three MachineSets at today's image; then a release brings the next. */
async function upgraded(): Promise<Cluster> {
  const world = await cluster({ canary: true })
  for (const name of ['a', 'b', 'c']) await world.machineSet(name, { image: newImage })
  await world.optIn(allMapi)
  await world.golden({ stream: stream() })
  await world.passes(seconds(2))
  return world
}
async function machine(world: Cluster, of: string, status: object): Promise<void> {
  const owner = await world.kube.get(mapiSets.of, { name: of, namespace: machineApi })
  const ownerReferences = [{ apiVersion: owner.apiVersion, kind: owner.kind, name: of, uid: owner.metadata.uid ?? '' }]
  const metadata = { name: `${of}-1`, namespace: machineApi, ownerReferences }
  await world.make(mapiSets.machines, { apiVersion: owner.apiVersion, kind: 'Machine', metadata, status })
  await world.passes()
}
const images = async (world: Cluster) => Promise.all(['a', 'b', 'c'].map(name => world.imageOf(name)))

describe('the canary', () => {
  it('BI-099 BI-105 one resource goes first; the others follow when a new machine of it is Ready', async () => {
    const world = await upgraded()
    expect(await images(world)).toEqual([next, newImage, newImage])
    expect(await world.history('b')).toMatchObject({
      decision: 'Waiting',
      reason: 'Canary',
      because: expect.stringContaining('waits until a,'),
    })
    await machine(world, 'a', { phase: 'Running', nodeRef: { name: 'n' } })
    expect(await images(world)).toEqual([next, next, next])
    await world.end()
  })
  it('BI-096 BI-105 T-54 where its machine fails it goes back, and the others never change', async () => {
    const world = await upgraded()
    await machine(world, 'a', { phase: 'Failed' })
    expect(await images(world)).toEqual([newImage, newImage, newImage])
    expect(await world.history('b')).toMatchObject({ decision: 'Waiting', reason: 'CanaryFailed' })
    await world.restart({ canary: true })
    expect(await images(world)).toEqual([newImage, newImage, newImage])
    await world.end()
  })
})
