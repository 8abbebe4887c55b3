import { describe, it } from 'vitest'
import { httpTransport } from '../../src/net/client.ts'
import { serve } from '../../src/net/server.ts'
import { wallClock } from '../../src/net/wall-clock.ts'
import { silent } from '../../src/ports/index.ts'
import { agentCalls } from '../../src/provisioner/agent/calls.ts'
import { openDesk } from '../../src/provisioner/agent/desk.ts'
import { agentKey, agentProtocol } from '../contracts/ironic-agent/suite.ts'
import { type AgentProcess, freePort, realAgent, startAgent } from './ironic-agent/real-agent.ts'

const found = realAgent()
const mac = '00:5c:52:00:00:01'

if ('missing' in found) describe('a real ironic-python-agent', () => it.skip(`it is not here: ${found.missing}`, () => {}))
else
  agentProtocol('a real ironic-python-agent', async () => {
    const clock = wallClock
    const desk = openDesk({ clock, log: silent, key: agentKey })
    const serving = await serve({ host: '127.0.0.1', port: 0, clock, log: silent, handler: (request, peer) => desk.handler(request, peer) })
    const port = await freePort()
    let agent: AgentProcess | undefined
    return {
      desk,
      calls: agentCalls({ clock, transport: ({ url, ca }) => httpTransport({ baseUrl: url, tls: { authority: ca } }) }),
      mac,
      steps: { works: 'lane_works', fails: 'lane_fails', says: 'the lane says no' },
      async start() {
        agent = startAgent(found.folder, { api: serving.url, mac, port, inspects: true })
      },
      async until(words, so) {
        for (let i = 0; i < 600; i++) {
          if (await so()) return
          await clock.sleep(100)
        }
        throw new Error(`"${words}" is not so; the agent says: ${agent?.log().slice(-3_000)}`)
      },
      async stop() {
        await agent?.stop()
        await serving.close()
      },
    }
  })
