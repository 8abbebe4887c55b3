import { setTimeout } from 'node:timers/promises'
import { describe, it } from 'vitest'
import { connect, loadConnection } from '../../src/kube/index.ts'
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
      const transport = connect(await loadConnection({ file: cluster.kubeconfig }), wallClock)
      return {
        transport,
        async close() {
          await transport.close()
          await cluster.stop()
        },
      }
    },
    () => setTimeout(100),
  )
