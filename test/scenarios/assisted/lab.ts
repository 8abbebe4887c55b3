import { minutes, seconds } from '../../../src/core/duration.ts'
import type { BmcPool } from '../../../src/ports/bmc.ts'
import { type Clock, type HttpRequest, type HttpResponse, silent } from '../../../src/ports/index.ts'
import type { AgentDesk } from '../../../src/provisioner/agent/desk.ts'
import { bmcPool } from '../../../src/redfish/index.ts'
import type { AssistedService } from '../../../src/sim/assisted/service.ts'
import { imageRecords } from '../../../src/sim/images/image-records.ts'
import { withCoreos } from '../../../src/sim/machine/coreos-disc.ts'
import type { BootWorld } from '../../../src/sim/machine/world.ts'
import { generic } from '../../../src/sim/personalities/generic.ts'
import type { Personality } from '../../../src/sim/personalities/personality.ts'
import { openRack, type Rack, type RackEvent } from '../../../src/sim/rack.ts'
import { type Random, seededIds } from '../../../src/sim/seed.ts'
import { ramdiskWorld } from '../../metal3/ramdisk-world.ts'
import { baseUrl } from '../host-images/base.ts'
import type { Wrote } from '../metal3/lab.ts'

export const serviceUrl = 'https://assisted.example'

/** What a process serves: a desk for agents, and everything that is booted or read. */
export interface Serving {
  readonly desk: AgentDesk
  readonly handler: (request: HttpRequest) => HttpResponse | undefined
}

/** A machine, what our processes serve to it, and an assisted service. */
export interface AssistedLab {
  readonly rack: Rack
  readonly happened: RackEvent[]
  readonly wrote: Wrote[]
  readonly pool: BmcPool
  /** What each process serves, by its name. */
  readonly serving: Map<string, Serving>
  service: AssistedService | undefined
  /** The disk of our processes. */
  readonly records: ReturnType<typeof imageRecords>
}

const quick: Personality = {
  ...generic,
  machine: {
    ...generic.machine,
    times: { ...generic.machine.times, post: seconds(40), osStart: seconds(10), graceful: seconds(10), install: minutes(1) },
  },
}

export function openAssistedLab({ clock, random }: { readonly clock: Clock; readonly random: Random }): AssistedLab {
  const happened: RackEvent[] = []
  const wrote: Wrote[] = []
  const lab: Pick<AssistedLab, 'serving' | 'service'> = { serving: new Map(), service: undefined }
  const rack = openRack({
    clock,
    ids: seededIds(random.fork('rack')),
    servers: [{ name: 'srv-1', personality: quick }],
    world: networkOf(lab),
  })
  rack.onEvent(event => void happened.push(event))
  const pool = bmcPool({
    clock,
    log: silent,
    access: async () => ({
      address: 'https://srv-1',
      tls: { trust: 'System' },
      credentials: async () => ({ username: rack.username, password: rack.password('srv-1') }),
    }),
    transport: () => request => {
      const { method, url } = request
      if (method !== 'GET') wrote.push({ method, url })
      return rack.transport('srv-1')(request)
    },
  })
  return Object.assign(lab, { records: imageRecords(), rack, happened, wrote, pool })
}

function networkOf(lab: Pick<AssistedLab, 'serving' | 'service'>): BootWorld {
  let asks: AgentDesk | undefined
  const around = ramdiskWorld(() => asks)
  const world: BootWorld = {
    ...around,
    async fetch(request) {
      const { method, headers, body, url } = request
      const asked = (base: string): HttpRequest => ({ method, url: url.slice(base.length), headers, ...(body ? { body } : {}) })
      if (url.startsWith(serviceUrl)) return whole(await lab.service?.handler(asked(serviceUrl)))
      // Agents have to reach whoever acts: here they reach everybody, and believe who knows them.
      let best = { status: 404, headers: {}, body: Buffer.alloc(0) as Uint8Array }
      for (const { desk, handler } of lab.serving.values()) {
        asks = desk
        const answer = url.startsWith(baseUrl) ? await whole(handler(asked(baseUrl))) : await around.fetch(request)
        if (best.status === 404) best = answer
      }
      return best
    },
  }
  return withCoreos(world, url => url.startsWith(baseUrl))
}

async function whole(answer: HttpResponse | undefined) {
  const parts: Uint8Array[] = []
  for await (const part of answer?.body instanceof Uint8Array ? [answer.body] : (answer?.body ?? [])) parts.push(part)
  return { status: answer?.status ?? 404, headers: answer?.headers ?? {}, body: Buffer.concat(parts) }
}
