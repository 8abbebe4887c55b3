import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { crdOf } from '../../src/api/crd.ts'
import { kinds } from '../../src/api/kinds.ts'
import { hostImageHandler } from '../../src/boot/host-images/handler.ts'
import { openShelf } from '../../src/boot/host-images/shelf.ts'
import { serveBoots } from '../../src/cli/compose/boot-server.ts'
import { installCrds } from '../../src/cli/install-crds.ts'
import { kubeClient } from '../../src/kube/index.ts'
import { randomIds } from '../../src/net/random-ids.ts'
import { wallClock } from '../../src/net/wall-clock.ts'
import { embeddedHost } from '../contracts/api/embedded.ts'
import { base } from '../scenarios/host-images/base.ts'

it('S10 where everything is served by one process, no log holds the address of an image: whoever knows it reads its Ignition', async () => {
  const lines: string[] = []
  const note = (what: string, about?: unknown): void => void lines.push(JSON.stringify([what, about]))
  const log = { debug: note, info: note, warn: note, error: note }
  const folder = mkdtempSync(join(tmpdir(), 'rackwright-logged-'))
  const host = await embeddedHost()
  const kube = kubeClient(host.transport, { clock: wallClock, ids: randomIds })
  await installCrds(kube, kinds.map(crdOf))
  const boot = await serveBoots({ kube, clock: wallClock, ids: randomIds, log, host: '127.0.0.1', port: 0, folder })
  const shelf = openShelf({ baseUrl: boot.url, key: boot.key, pack: bytes => bytes })
  shelf.add('x86_64', base)
  boot.beside(hostImageHandler(shelf))
  const ignition = { ignition: { version: '3.2.0' } }
  const { imageUrl } = shelf.keep({ uid: 'u', architecture: 'x86_64', format: 'initrd', minimal: false, ignition })
  expect(await fetch(imageUrl).then(async answer => [answer.status, (await answer.arrayBuffer()).byteLength > 0])).toEqual([200, true])
  await boot.close()
  await host.close()
  rmSync(folder, { recursive: true, force: true })
  const told = lines.join('\n')
  expect(told).toContain('/host-images/<image>/initrd.img')
  expect(told).not.toContain(new URL(imageUrl).pathname.split('/')[2])
})
