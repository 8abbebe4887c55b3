import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { hosts, secrets } from '../../src/controllers/metal3/resources.ts'
import { minutes } from '../../src/core/duration.ts'
import type { KubeObject } from '../../src/core/object.ts'
import { openHosts } from './hosts.ts'

it('the example applies as it stands, and says what is in its way', async () => {
  const world = await openHosts()
  const text = readFileSync(new URL('../../examples/metal3/live-iso.yaml', import.meta.url), 'utf8')
  for (const object of parseAllDocuments(text).map(document => document.toJS() as KubeObject))
    await world.kube.create((object.kind === 'Secret' ? secrets : hosts) as typeof hosts, object as never)
  await world.until(minutes(10), 'it is told', async () => (await world.host('worker-0'))?.status?.errorType === 'registration error')
  expect((await world.host('worker-0'))?.status?.errorMessage).toMatch(/\w+/)
  await world.stop()
})
