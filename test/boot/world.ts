import { createHash } from 'node:crypto'
import { kinds } from '../../src/api/kinds.ts'
import { memoryBlobs } from '../../src/boot/blobs/memory.ts'
import { type BootServer, type BootServerOptions, openBootServer } from '../../src/boot/server.ts'
import { bootTickets } from '../../src/boot/tickets.ts'
import { configurations, type ServerBootConfiguration, servers } from '../../src/controllers/metal/resources.ts'
import { printInstant } from '../../src/core/instant.ts'
import { verified } from '../../src/oci/verify.ts'
import type { ArtifactRole } from '../../src/policy/boot/method.ts'
import type { BootAttempt } from '../../src/ports/boot-artifacts.ts'
import type { HttpResponse, ResourceRef } from '../../src/ports/index.ts'
import { silent } from '../../src/ports/index.ts'
import { type TestWorld, testWorld } from '../runtime/world.ts'

export const key = Buffer.alloc(32, 7)
export const baseUrl = 'https://boot.example'
export const uuid = '38947555-7742-3448-3784-823347823834'
export const mac = '02:5c:00:00:00:01'
/** The address that is known for the server, and one that nobody knows. */
export const home = '10.0.0.5'
export const stranger = '10.9.9.9'
export const secretText = 'canary-7f3a-user-data'
export const secrets: ResourceRef = { group: '', version: 'v1', plural: 'secrets', namespaced: true }
export const events: ResourceRef = { group: '', version: 'v1', plural: 'events', namespaced: true }

export const content: Readonly<Record<ArtifactRole, Buffer>> = {
  uki: Buffer.from('a unified kernel image '.repeat(100_000)),
  kernel: Buffer.from('a kernel'),
  initramfs: Buffer.from('an initramfs'),
  squashfs: Buffer.from('a squashfs'),
  iso: Buffer.from('an iso'),
}
export const digestOf = (bytes: Uint8Array): string => `sha256:${createHash('sha256').update(bytes).digest('hex')}`

export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
  readonly bytes: Buffer
}

export interface BootWorld extends TestWorld {
  boot: BootServer
  /** Ends this boot server and starts another one on the same API. */
  restart(): Promise<void>
  another(options?: Partial<BootServerOptions>): Promise<BootServer>
  ask(path: string, options?: Asking): Promise<Answer>
  /** The address of an attempt, up to its ticket. */
  ticket(more?: Partial<BootAttempt>): string
  note(boot: Record<string, unknown>): Promise<void>
  served(): Promise<NonNullable<ServerBootConfiguration['status']>['served']>
  configuration(): Promise<ServerBootConfiguration>
  said(): Promise<readonly string[]>
  end(): Promise<void>
}

export interface Asking {
  readonly method?: string
  readonly from?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: object | string
}

export interface Circumstances extends Partial<BootServerOptions> {
  readonly method?: string
  readonly step?: string
  readonly purpose?: string
  readonly addresses?: readonly string[]
  readonly userData?: string | false
  readonly systemUUID?: string
  /** What the image holds, where it matters. */
  readonly files?: Readonly<Partial<Record<ArtifactRole, Buffer>>>
}

/** A server with an open attempt, its configuration with a pinned image, and a boot server that knows of them. */
export async function bootWorld(circumstances: Circumstances = {}): Promise<BootWorld> {
  const { files = content, systemUUID = uuid, method = 'UefiHttp', step = 'Running', purpose = 'Claim' } = circumstances
  const { addresses = [home], userData = JSON.stringify({ ignition: { version: '3.4.0' }, passwd: { users: [{ name: secretText }] } }) } =
    circumstances
  const roles = Object.keys(files) as ArtifactRole[]
  const artifact = (role: ArtifactRole) => ({ role, digest: digestOf(files[role]!), bytes: files[role]!.length })
  const world = await testWorld(kinds)
  const blobs = circumstances.blobs ?? memoryBlobs(verified)
  for (const role of roles) await blobs.put(artifact(role).digest, artifact(role).bytes, slices(files[role]!))
  const options = {
    ...circumstances,
    kube: world.controllersKube,
    clock: world.clock,
    log: circumstances.log ?? silent,
    blobs,
    key,
    baseUrl,
  }
  const configurationKey = { name: 'c1', namespace: 'default' }
  if (userData !== false)
    await world.kube.create(secrets, {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'ignition', namespace: 'default' },
      data: { ignition: Buffer.from(userData).toString('base64') },
    })
  const server = await world.kube.create(servers, {
    apiVersion: 'metal.ironcore.dev/v1alpha1',
    kind: 'Server',
    metadata: { name: 'srv-1' },
    spec: { systemUUID, reclaimPolicy: 'Recycle', bootOrderPolicy: 'Audit', unclaimable: false },
  })
  const configuration = await world.kube.create(configurations, {
    apiVersion: 'metal.ironcore.dev/v1alpha1',
    kind: 'ServerBootConfiguration',
    metadata: configurationKey,
    spec: { serverRef: { name: 'srv-1' }, image: 'r.io/os:1', ...(userData === false ? {} : { ignitionSecretRef: { name: 'ignition' } }) },
  })
  const serverUID = server.metadata.uid!
  const configurationUID = configuration.metadata.uid!
  const merge = (status: object) => ({ merge: { status } })
  await world.kube.patch(
    configurations,
    configurationKey,
    merge({ state: 'Ready', image: { generation: 1, digest: digestOf(Buffer.from('manifest')), artifacts: roles.map(artifact) } }),
    { subresource: 'status' },
  )
  const opened = world.clock.now()
  const attempt: BootAttempt = { serverUID, configurationUID, generation: 1, attempt: 1, expires: opened + 3_600_000 }
  const note = async (boot: Record<string, unknown>): Promise<void> => {
    await world.kube.patch(servers, { name: 'srv-1' }, merge({ boot }), { subresource: 'status' })
    await world.clock.settle()
  }
  await world.kube.patch(
    servers,
    { name: 'srv-1' },
    merge({ networkInterfaces: [{ name: 'eth0', macAddress: mac, ...(addresses.length > 0 ? { ips: addresses } : {}) }] }),
    { subresource: 'status' },
  )
  const boot = openBootServer(options)
  boot.start()
  await world.clock.settle()
  await note({
    attempt: 1,
    purpose,
    method,
    step,
    serves: true,
    configuration: { ...configurationKey, uid: configurationUID, generation: 1 },
    opened: printInstant(opened),
    expires: printInstant(attempt.expires),
  })
  const it: BootWorld = {
    ...world,
    boot,
    async restart() {
      await it.boot.stop()
      it.boot = await it.another()
    },
    async another(more = {}) {
      const next = openBootServer({ ...options, ...more })
      next.start()
      await world.clock.settle()
      return next
    },
    ask: (path, asking = {}) => askOf(it.boot, path, asking),
    ticket: (more = {}) =>
      bootTickets({ key, baseUrl: '' })
        .bootUri({ ...attempt, ...more }, { role: 'kernel', digest: '', bytes: 0 }, 'os')
        .replace(/\/kernel$/, ''),
    note,
    configuration: () => world.kube.get(configurations, configurationKey),
    served: async () => (await world.kube.get(configurations, configurationKey)).status?.served,
    said: async () =>
      (await world.kube.list(events)).items.map(
        event => `${String(event['reason'])} ×${String(event['count'])}: ${String(event['message'])}`,
      ),
    async end() {
      await it.boot.stop()
      await world.close()
    },
  }
  return it
}

export async function askOf(boot: BootServer, path: string, { method = 'GET', from = home, headers = {}, body }: Asking): Promise<Answer> {
  const bytes = body === undefined ? undefined : Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))
  return read(await boot.handler({ method, url: path, headers, ...(bytes ? { body: bytes } : {}) }, { address: from }))
}

async function read({ status, headers, body }: HttpResponse): Promise<Answer> {
  const parts: Uint8Array[] = []
  if (body instanceof Uint8Array) parts.push(body)
  else for await (const part of body) parts.push(part)
  const bytes = Buffer.concat(parts)
  return { status, headers, bytes, text: bytes.toString() }
}

async function* slices(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}
