import { expect, it } from 'vitest'
import { kinds } from '../../src/api/kinds.ts'
import { memoryBlobs } from '../../src/boot/blobs/memory.ts'
import { openBootServer } from '../../src/boot/server.ts'
import { configurations, servers } from '../../src/controllers/metal/resources.ts'
import { hours, minutes } from '../../src/core/duration.ts'
import { printInstant } from '../../src/core/instant.ts'
import { randomIds } from '../../src/net/random-ids.ts'
import { verified } from '../../src/oci/verify.ts'
import { type HttpRequest, silent } from '../../src/ports/index.ts'
import { uuidOf } from '../../src/sim/machine/identity.ts'
import { reset } from '../../src/sim/machine/power.ts'
import { bootServerWorld } from '../../src/sim/machine/world-boot.ts'
import { openRack } from '../../src/sim/rack.ts'
import { seeded } from '../../src/sim/seed.ts'
import { testWorld } from '../runtime/world.ts'
import { baseUrl, digestOf, key } from './world.ts'

const count = 1_000
const rounds = 60
const perRound = 60
const kernel = Buffer.from('sim: install os-1\nsim: wait 30\nsim: reboot\n')
const initramfs = Buffer.from('an initramfs')
const metal = 'metal.ironcore.dev/v1alpha1'
const artifacts = [
  { role: 'kernel' as const, digest: digestOf(kernel), bytes: kernel.length },
  { role: 'initramfs' as const, digest: digestOf(initramfs), bytes: initramfs.length },
]

async function* bytesOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}

it('X-015 BP-003 I4 no install artefact leaves outside an open attempt: 1,000 machines that boot the network first, switched at random', async () => {
  const world = await testWorld(kinds)
  const { clock, kube } = world
  const blobs = memoryBlobs(verified)
  for (const bytes of [kernel, initramfs]) await blobs.put(digestOf(bytes), bytes.length, bytesOf(bytes))
  const boot = openBootServer({ kube: world.controllersKube, clock, log: silent, blobs, key, baseUrl })
  boot.start()
  await clock.settle()

  /** What was commanded, as only this test knows it. */
  const truth = new Map<string, { attempt: number; open: boolean; until: number; installs: number }>()
  const wrong: string[] = []
  let served = 0
  let refused = 0
  let asking = ''
  const handler = async (request: HttpRequest, from: { readonly address: string }) => {
    const server = asking
    const response = await boot.handler(request, from)
    const install = /^\/boot\/[^/]+\/(kernel|initramfs)$/.test(request.url) && response.status < 300
    const script = request.url.startsWith('/ipxe/') && !(response.body as Buffer).includes('It stops here.')
    if (!install && !script) refused += request.url.startsWith('/ipxe/') ? 1 : 0
    else {
      served += 1
      const known = truth.get(server)
      if (!known?.open || clock.elapsed() > known.until)
        wrong.push(`${server} got ${script ? 'a script' : 'an artefact'} without an attempt`)
    }
    return response
  }
  const network = bootServerWorld({ baseUrl, handler: () => handler })
  const rack = openRack({
    clock,
    ids: randomIds,
    servers: Array.from({ length: count }, (_, n) => ({ name: `srv-${n}` })),
    world: {
      ...network,
      fetch(request) {
        asking = request.server
        return network.fetch(request)
      },
    },
  })
  rack.onEvent(({ server, what }) => {
    if (what !== 'installed') return
    const known = truth.get(server)
    if (!known) wrong.push(`${server} was installed although nobody ever asked for it`)
    else {
      known.installs += 1
      if (known.installs > known.attempt) wrong.push(`${server} was installed ${known.installs} times in ${known.attempt} attempts`)
    }
  })

  for (const [n, name] of rack.servers.entries()) {
    const machine = rack.machine(name)
    machine.order = machine.model.bootEntries.filter(({ kind }) => kind === 'Pxe').map(({ reference }) => reference)
    await kube.create(servers, {
      apiVersion: metal,
      kind: 'Server',
      metadata: { name },
      spec: { systemUUID: uuidOf(n), reclaimPolicy: 'Recycle', bootOrderPolicy: 'Audit', unclaimable: false },
    })
    await kube.create(configurations, {
      apiVersion: metal,
      kind: 'ServerBootConfiguration',
      metadata: { name, namespace: 'default' },
      spec: { serverRef: { name } },
    })
    const image = { generation: 1, digest: digestOf(Buffer.from('manifest')), artifacts }
    await kube.patch(configurations, { name, namespace: 'default' }, { merge: { status: { image } } }, { subresource: 'status' })
  }
  const note = async (name: string, change: object): Promise<void> =>
    void (await kube.patch(servers, { name }, { merge: { status: { boot: change } } }, { subresource: 'status' }))
  async function open(name: string): Promise<void> {
    const before = truth.get(name)
    const attempt = (before?.attempt ?? 0) + 1
    truth.set(name, { attempt, open: true, until: clock.elapsed() + hours(1), installs: before?.installs ?? 0 })
    const { uid } = (await kube.get(configurations, { name, namespace: 'default' })).metadata
    const now = clock.now()
    await note(name, {
      attempt,
      purpose: 'Claim',
      method: 'Pxe',
      step: 'Starting',
      serves: true,
      configuration: { namespace: 'default', name, uid, generation: 1 },
      opened: printInstant(now),
      expires: printInstant(now + hours(1)),
    })
  }

  const random = seeded('a thousand machines')
  for (let round = 0; round < rounds; round++) {
    for (let i = 0; i < perRound; i++) {
      const name = `srv-${random.int(count)}`
      const known = truth.get(name)
      const machine = rack.machine(name)
      const what = random.int(10)
      if (what < 2 && !known?.open) {
        await open(name)
        await clock.settle()
        reset(machine, machine.power === 'On' ? 'ForceRestart' : 'On')
      } else if (what < 4 && known?.open) {
        await note(name, { step: 'Ended' })
        await clock.settle()
        known.open = false
      } else if (machine.power === 'On') reset(machine, random.int(2) === 0 ? 'ForceRestart' : 'ForceOff')
      else reset(machine, 'On')
    }
    await clock.advance(minutes(2))
  }
  expect(wrong).toEqual([])
  // Otherwise nothing was shown.
  expect(served).toBeGreaterThan(200)
  expect(refused).toBeGreaterThan(1_000)
  await boot.stop()
  await world.close()
}, 300_000)
