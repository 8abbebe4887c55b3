import { seconds } from '../../../src/core/duration.ts'
import type { BmcAccess, BmcPool } from '../../../src/ports/bmc.ts'
import { type Clock, silent } from '../../../src/ports/index.ts'
import type { AgentDesk } from '../../../src/provisioner/agent/desk.ts'
import { bmcPool } from '../../../src/redfish/index.ts'
import { generic } from '../../../src/sim/personalities/generic.ts'
import type { Personality } from '../../../src/sim/personalities/personality.ts'
import { openRack, type Rack, type RackEvent } from '../../../src/sim/rack.ts'
import { type Random, seededIds } from '../../../src/sim/seed.ts'
import { liveIso, ramdiskWorld } from '../../metal3/ramdisk-world.ts'

export const disc = liveIso
export const firstPassword = 'secret'

/** A request that reached the management controller and did not only read. */
export interface Wrote {
  readonly method: string
  readonly url: string
}

/** One machine for stories of a host, and a place where its disc can be fetched. */
export interface HostLab {
  readonly rack: Rack
  readonly happened: RackEvent[]
  readonly wrote: Wrote[]
  /** The real client. It is part of the world: what a process that died had asked for still arrives. */
  readonly pool: BmcPool
  /** How its controller is reached: as the process that speaks to it next has just read that. */
  access: BmcAccess | undefined
  /** Where agents call: that of the process which runs now. */
  desk: AgentDesk | undefined
}

const quick: Personality = {
  ...generic,
  machine: {
    ...generic.machine,
    times: {
      ...generic.machine.times,
      post: seconds(40),
      osStart: seconds(10),
      graceful: seconds(10),
      install: seconds(40),
    },
  },
}

export function openHostLab({ clock, random }: { readonly clock: Clock; readonly random: Random }): HostLab {
  const happened: RackEvent[] = []
  const wrote: Wrote[] = []
  const lab: Pick<HostLab, 'desk' | 'access'> = { desk: undefined, access: undefined }
  const rack = openRack({
    clock,
    ids: seededIds(random.fork('rack')),
    servers: [{ name: 'srv-1', personality: quick }],
    password: firstPassword,
    world: ramdiskWorld(() => lab.desk),
  })
  rack.onEvent(event => void happened.push(event))
  const pool = bmcPool({
    clock,
    log: silent,
    async access(name) {
      if (!lab.access) throw new Error(`nobody has said how ${name} is reached`)
      return lab.access
    },
    transport: () => request => {
      const { method, url } = request
      if (method !== 'GET') wrote.push({ method, url })
      return rack.transport('srv-1')(request)
    },
  })
  return Object.assign(lab, { rack, happened, wrote, pool })
}
