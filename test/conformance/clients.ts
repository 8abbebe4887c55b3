import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { connect, loadConnection } from '../../src/kube/index.ts'
import { wallClock } from '../../src/net/wall-clock.ts'
import { client, eventually } from '../contracts/api/host.ts'
import { widgetCrd } from '../contracts/api/objects.ts'
import { built } from './built.ts'
import { pythonOf, run } from './quick-rack.ts'

const group = 'clients.rackwright.test'

/** Somebody else's clients, each as its users use it: the same steps, and the same answers on every host. */
export function clientCases(host: string, kubeconfig: () => string): void {
  const python = pythonOf('kubernetes')
  const go = built('tools/client-go/build')
  for (const [name, found] of Object.entries({ 'the Python client': python, 'client-go': go }))
    if ('missing' in found) console.log(`${name} is skipped: ${found.missing}`)

  describe(`clients of ${host}`, () => {
    beforeAll(async () => {
      const transport = connect(await loadConnection({ file: kubeconfig() }), wallClock)
      const api = client(transport)
      await api.post('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', widgetCrd(group))
      const pause = () => new Promise<void>(resolve => setTimeout(resolve, 100))
      await eventually(async () => (await api.get(`/apis/${group}/v1/widgets`)).code === 200, pause)
      await transport.close()
    })
    it.skipIf('missing' in python)('the Python client creates, pages, replaces, patches, watches and deletes', async () => {
      const program = join('folder' in python ? python.folder : '', 'bin', 'python')
      const out = await run(program, [join(import.meta.dirname, 'drive-kubernetes.py'), kubeconfig(), group])
      expect(JSON.parse(out.trim().split('\n').at(-1) ?? '')).toEqual({
        listed: ['py-0', 'py-1', 'py-2'],
        twice: 409,
        replaced: { n: '9' },
        conflict: 409,
        patched: { m: '1' },
        told: ['DELETED py-0', 'DELETED py-1'],
        gone: 404,
        custom: { size: 3, color: 'red' },
        status: { phase: 'Ready' },
        invalid: 422,
        allowed: true,
      })
    })
    it.skipIf('missing' in go)('client-go: typed and dynamic informers, leader election, bodies in JSON and in protobuf', async () => {
      const out = await run(join('folder' in go ? go.folder : '', 'drive'), [kubeconfig(), group])
      const secret = { type: 'Opaque', user: 'root', more: 'AAEC', labels: { a: 'b' }, twice: true, conflict: true, gone: true }
      expect(JSON.parse(out.trim().split('\n').at(-1) ?? '')).toEqual({
        json: secret,
        protobuf: secret,
        typed: ['add', 'update', 'delete'],
        dynamic: { told: ['add', 'update', 'delete'], color: 'red', phase: 'Ready' },
        'led by': 'me',
        renewed: true,
      })
    })
  })
}
