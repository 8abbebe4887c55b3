import { openApiServer } from '../../../src/apiserver/server.ts'
import { memoryStore } from '../../../src/apiserver/store/memory.ts'
import { openWorld } from '../../../src/apiserver/world/index.ts'
import { randomIds } from '../../../src/net/random-ids.ts'
import { wallClock } from '../../../src/net/wall-clock.ts'
import { silent } from '../../../src/ports/index.ts'
import type { Host } from './host.ts'

/** The embedded API server in memory, called straight into its handlers. */
export async function embeddedHost(): Promise<Host> {
  const world = await openWorld({ store: memoryStore(), log: silent })
  const server = await openApiServer({ world, clock: wallClock, ids: randomIds, log: silent })
  return {
    is: 'here',
    transport: server.transportAs({ name: 'admin', groups: ['system:masters', 'system:authenticated'] }),
    as: (name, groups = []) => server.transportAs({ name, groups: [...groups, 'system:authenticated'] }),
    close: () => server.close(),
  }
}
