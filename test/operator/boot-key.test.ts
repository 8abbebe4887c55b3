import { expect, it } from 'vitest'
import { publishBootUrl, readBootUrl } from '../../src/cli/compose/boot-url.ts'
import { bootKeySecret, ensureBootKey, readBootKey } from '../../src/cli/operator/boot-key.ts'
import { kubeClient } from '../../src/kube/index.ts'
import { randomIds } from '../../src/net/random-ids.ts'
import { wallClock } from '../../src/net/wall-clock.ts'
import { embeddedHost } from '../contracts/api/embedded.ts'

it('CVE-2023-30841 S12 the key of boot tickets stands in a Secret: all who want it at once end with the same one, and it is not made again', async () => {
  const host = await embeddedHost()
  const kube = kubeClient(host.transport, { clock: wallClock, ids: randomIds })
  expect(await readBootKey(kube, 'default')).toBeUndefined()
  const keys = await Promise.all(Array.from({ length: 5 }, () => ensureBootKey(kube, randomIds, 'default')))
  expect(new Set(keys.map(key => Buffer.from(key).toString('hex'))).size).toBe(1)
  expect(keys[0]).toHaveLength(32)
  expect(Buffer.from((await readBootKey(kube, 'default'))!)).toEqual(Buffer.from(keys[0]!))
  const secrets = { group: '', version: 'v1', plural: 'secrets', namespaced: true } as const
  await kube.patch(secrets, { namespace: 'default', name: bootKeySecret }, { merge: { data: { key: 'c2hvcnQ=' } } })
  await expect(ensureBootKey(kube, randomIds, 'default')).rejects.toThrow('its key is not 32 bytes long')
  await host.close()
})

it('replicas that start at the same moment all say where machines boot', async () => {
  const host = await embeddedHost()
  const kube = kubeClient(host.transport, { clock: wallClock, ids: randomIds })
  await Promise.all(Array.from({ length: 5 }, () => publishBootUrl(kube, 'http://boot.example.com:8080', 'default')))
  expect(await readBootUrl(kube, 'default')).toBe('http://boot.example.com:8080')
  await host.close()
})
