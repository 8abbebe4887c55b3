import { ask } from './ask.ts'
import { macOf, uuidOf } from './identity.ts'
import { readIpxe } from './ipxe.ts'
import { stepsOf } from './load-image.ts'
import type { LoadedFrom } from './loaded.ts'
import type { Machine } from './machine.ts'

const agent = 'iPXE/1.21.1'
/** Scripts may chain; ones that chain for ever do not boot. */
const chains = 8

/** PXE as it is used today: DHCP leads to iPXE, iPXE to a script, the script to a kernel. */
export async function loadPxe(machine: Machine): Promise<LoadedFrom> {
  const booter = { server: machine.name, uuid: uuidOf(machine.uuidOf ?? machine.number), mac: macOf(machine.number, 0) }
  let url = machine.site.world?.dhcp?.({ ...booter, wants: 'Pxe' })
  if (url === undefined) {
    await machine.site.clock.sleep(67_000)
    return { failed: 'no DHCP answer names a boot file' }
  }
  for (let hop = 0; hop < chains; hop++) {
    const answer = await ask(machine, { method: 'GET', url }, agent)
    if (!answer) return { failed: `nobody answers at ${url}` }
    const moved = answer.headers['location']
    if (answer.status >= 300 && answer.status < 400 && moved !== undefined) {
      url = new URL(moved, url).href
      continue
    }
    if (answer.status !== 200) return { failed: `${url} answers ${answer.status}` }
    const text = Buffer.from(answer.body.subarray(0, 64 * 1024)).toString('utf8')
    if (!text.startsWith('#!ipxe')) return { os: url, steps: stepsOf(machine, { from: 'Pxe', url, bytes: answer.body }) }
    const script = readIpxe(text, { uuid: booter.uuid, mac: booter.mac, serial: machine.name })
    if ('chain' in script) url = new URL(script.chain, url).href
    else if ('stop' in script) return script.stop === 'shell' ? { stop: 'shell' } : { failed: 'the iPXE script leaves' }
    else return loadKernel(machine, url, script)
  }
  return { failed: `iPXE scripts chain more than ${chains} times` }
}

async function loadKernel(
  machine: Machine,
  base: string,
  script: { readonly kernel: string; readonly commandLine: string; readonly initrds: readonly string[] },
): Promise<LoadedFrom> {
  const parts: Uint8Array[] = []
  for (const part of [script.kernel, ...script.initrds]) {
    const url = new URL(part, base).href
    const answer = await ask(machine, { method: 'GET', url }, agent)
    if (answer?.status !== 200) return { failed: `${url} answers ${answer?.status ?? 'nothing'}` }
    parts.push(answer.body)
  }
  const url = new URL(script.kernel, base).href
  const bytes = Buffer.concat(parts.flatMap(part => [part, Buffer.from('\n')]))
  return { os: url, steps: stepsOf(machine, { from: 'Pxe', url, bytes, commandLine: script.commandLine }) }
}
