import { ask } from './ask.ts'
import { macOf, uuidOf } from './identity.ts'
import { stepsOf } from './load-image.ts'
import type { LoadedFrom } from './loaded.ts'
import { biosValue, type Machine } from './machine.ts'

const agent = 'UefiHttpBoot/1.0'

/**
 * UEFI HTTP boot as EDK2 does it: HEAD, then GET; no redirects; the path ends in .efi or .iso, or the type says so.
 * Learned in a lab with OVMF 2022.11.
 */
export async function loadHttp(machine: Machine, uri: string | undefined): Promise<LoadedFrom> {
  const needs = machine.model.httpNeeds
  if (needs && biosValue(machine, needs.attribute) !== needs.value) return { failed: `the BIOS setting ${needs.attribute} is off` }
  const booter = { server: machine.name, uuid: uuidOf(machine.uuidOf ?? machine.number), mac: macOf(machine.number, 0) }
  const url = uri ?? machine.site.world?.dhcp?.({ ...booter, wants: 'UefiHttp' })
  if (url === undefined) {
    // Four unanswered DISCOVERs: about a minute on a real machine.
    await machine.site.clock.sleep(60_000)
    return { failed: 'there is no boot URI and no DHCP answer with one' }
  }
  const head = await ask(machine, { method: 'HEAD', url }, agent)
  if (!head) return { failed: `nobody answers at ${url}` }
  if (head.status !== 200) return { failed: `HEAD ${url} answers ${head.status}` }
  const got = await ask(machine, { method: 'GET', url }, agent)
  if (!got) return { failed: `nobody answers at ${url}` }
  if (got.status !== 200) return { failed: `GET ${url} answers ${got.status}` }
  if (!bootable(url, got.headers['content-type'] ?? '')) return { failed: `${url} is neither an EFI application nor an ISO` }
  return { os: url, steps: stepsOf(machine, { from: 'UefiHttp', url, bytes: got.body }) }
}

const bootable = (url: string, type: string): boolean =>
  /\.(efi|iso)$/i.test(new URL(url).pathname) || type.startsWith('application/efi') || type.startsWith('application/vnd.efi')
