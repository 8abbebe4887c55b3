// Sends requests to the API that a benchmark measures: `plain` ones that are fine, or `hostile` ones that must all be refused.
import { connect, loadConnection } from '../src/kube/index.ts'
import { wallClock } from '../src/net/wall-clock.ts'

const [kubeconfig = '', mode = 'plain'] = process.argv.slice(2)
const url = '/api/v1/namespaces/default/configmaps'
const map = (data: string): string => `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"generateName":"h-"},"data":${data}}`

const bodies: readonly (readonly [body: string, type: string])[] =
  mode === 'plain'
    ? [[map(`{"text":"${'x'.repeat(3_000)}"}`), 'application/json']]
    : [
        [map('['.repeat(100_000)), 'application/json'],
        [map(`{${Array.from({ length: 60_000 }, (_, i) => `"k${i}":"v"`).join(',')}}`), 'application/json'],
        [map(`{"text":"${'x'.repeat(3 << 20)}"}`), 'application/json'],
        [`a: &a [${'x,'.repeat(50)}]\nb: [${'*a,'.repeat(5_000)}]`, 'application/yaml'],
        [`x: ${'['.repeat(5_000)}`, 'application/yaml'],
        ['k8s\0'.concat('\xff'.repeat(100_000)), 'application/vnd.kubernetes.protobuf'],
        [map('{"__proto__":{"a":"b"}}'), 'application/json'],
        [map(`{"a":${'9'.repeat(100_000)}}`), 'application/json'],
      ]
const transport = connect(await loadConnection({ file: kubeconfig }), wallClock)
for (let round = 0; round < 40; round += 1) {
  await Promise.all(
    bodies.map(async ([body, type]) => {
      const response = await transport({ method: 'POST', url, headers: { 'content-type': type }, body: Buffer.from(body, 'latin1') }).catch(
        () => undefined,
      )
      const status = response?.status ?? 0
      if (response && !(response.body instanceof Uint8Array)) for await (const _ of response.body);
      // The server may close on a body that is too large before all of it was sent; every answer is a refusal all the same.
      if (mode === 'plain' ? status !== 201 : status >= 500 || status === 201) throw new Error(`answered ${status} to ${body.slice(0, 60)}`)
    }),
  )
}
await transport.close()
