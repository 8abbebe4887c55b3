import { setTimeout } from 'node:timers/promises'
import { describe, it } from 'vitest'
import { connect, loadConnection } from '../../src/kube/index.ts'
import type { HttpTransport } from '../../src/net/client.ts'
import { wallClock } from '../../src/net/wall-clock.ts'
import { startCluster } from '../../tools/kube/cluster.ts'
import { apiContract } from '../contracts/api/contract.ts'

const bin = process.env['KUBEBUILDER_ASSETS']
if (bin === undefined)
  describe.skip('a real kube-apiserver: KUBEBUILDER_ASSETS names no folder with its binaries', () => it('is not here', () => {}))
else
  apiContract(
    'a real kube-apiserver',
    async () => {
      const cluster = await startCluster(bin)
      const connection = await loadConnection({ file: cluster.kubeconfig })
      const opened = new Map<string, HttpTransport>()
      const transportAs = (impersonation: Readonly<Record<string, string>>): HttpTransport => {
        const key = JSON.stringify(impersonation)
        const transport = opened.get(key) ?? connect({ ...connection, impersonation }, wallClock)
        opened.set(key, transport)
        return transport
      }
      return {
        is: 'kubernetes',
        transport: transportAs({}),
        as: (name, groups = []) =>
          transportAs({ 'impersonate-user': name, ...(groups.length > 0 ? { 'impersonate-group': groups.join(',') } : {}) }),
        async close() {
          for (const transport of opened.values()) await transport.close()
          await cluster.stop()
        },
      }
    },
    () => setTimeout(100),
  )
