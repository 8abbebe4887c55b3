import { afterAll, beforeAll } from 'vitest'
import { httpTransport } from '../../src/net/client.ts'
import { randomIds } from '../../src/net/random-ids.ts'
import { wallClock } from '../../src/net/wall-clock.ts'
import { silent } from '../../src/ports/index.ts'
import { openBmc } from '../../src/redfish/index.ts'
import type { Times } from '../../src/sim/machine/model.ts'
import { personalities } from '../../src/sim/personalities/index.ts'
import { openRack, type Rack } from '../../src/sim/rack.ts'
import { type Listening, listen } from '../../src/sim/redfish/listen.ts'
import { bmcContract, type OpenedMachine } from '../contracts/bmc/contract.ts'
import { makes } from '../contracts/bmc/makes.ts'
import { watched } from '../contracts/bmc/watched.ts'

/** Nobody waits for these machines. */
const times: Times = { powerOn: 2, powerOff: 2, graceful: 2, post: 5, osStart: 1, install: 1, bmcRestart: 20, update: 5 }

/** The same suite as in virtual time, over real sockets and TLS: a fresh rack for each sentence would cost a certificate, so each gets a fresh server. */
const perMake = 40
const names = Object.keys(makes)
const open: { rack?: Rack; listening?: Listening } = {}

beforeAll(async () => {
  const servers = names.flatMap(name => {
    const make = personalities.find(one => one.name === name)!
    const update = make.update.appearsAfter === undefined ? make.update : { ...make.update, appearsAfter: 10 }
    const personality = { ...make, update, machine: { ...make.machine, times } }
    return Array.from({ length: perMake }, (_, n) => ({ name: `${name}-${n}`, personality }))
  })
  open.rack = openRack({ clock: wallClock, ids: randomIds, servers })
  open.listening = await listen(open.rack, { clock: wallClock, log: silent, port: 0, adminToken: randomIds.nonce(16) })
})
afterAll(() => open.listening?.close())

for (const [make, known] of Object.entries(makes)) {
  let used = 0
  const name = `a simulated ${make} machine over HTTPS`
  bmcContract(
    name,
    async (): Promise<OpenedMachine> => {
      const server = `${make}-${used++}`
      const { rack, listening } = open as Required<typeof open>
      const wire = httpTransport({ baseUrl: listening.url(server), tls: { authority: listening.authority } })
      const { transport, asked, linked } = watched(wire)
      const access = {
        address: listening.url(server),
        tls: { ca: listening.authority },
        credentials: async () => ({ username: rack.username, password: rack.password(server) }),
      }
      const bmc = await openBmc(access, { clock: wallClock, log: silent, transport })
      const close = async (): Promise<void> => {
        await bmc.close()
        await wire.close()
      }
      return { bmc: { ...bmc, close }, known: { name, ...known }, asked, linked, settle: () => quiet(rack, server) }
    },
    { changes: true },
  )
}

/** Until the host is through with its power and no task runs; a bounded number of looks. Looking for a boot source may take longer. */
async function quiet(rack: Rack, server: string): Promise<void> {
  const at = rack.machine(server)
  for (let look = 0; look < 400; look++) {
    await wallClock.sleep(5)
    const moving = at.cancel !== undefined || at.stage === 'post' || rack.busy(server)
    if (!moving && look > 6) return
  }
  throw new Error(`${server} does not come to rest: ${at.power}, ${at.stage}`)
}
