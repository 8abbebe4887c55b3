import { printInstant } from '../../core/instant.ts'
import type { HttpResponse } from '../../ports/index.ts'
import { byIdentity, refuse } from '../access.ts'
import { script, stop, wrongMethod } from '../answers.ts'
import type { Attempt } from '../attempts.ts'
import type { BootContext, Call } from '../context.ts'
import { fetchOf, withFetch } from '../facts.ts'
import { type KernelArgument, printIpxe } from '../ipxe.ts'
import { secondBoot } from '../stages.ts'
import { ticketUrl } from '../tickets.ts'

/** What DHCP points at: iPXE fills in who it is and asks again. */
export const chain = ({ baseUrl }: BootContext): HttpResponse => script(`#!ipxe\nchain --replace --autofree ${baseUrl}/ipxe/\${uuid}\n`)

/** The boot of one machine, in iPXE's language, with addresses that carry a ticket. Everybody else is stopped. */
export async function bootScript(context: BootContext, { request, address }: Call, name: string): Promise<HttpResponse> {
  if (request.method !== 'GET' && request.method !== 'HEAD') return wrongMethod('GET, HEAD')
  const asked = await byIdentity(context, name, address)
  if (asked.is === 'refused') return stop
  const { attempt, userData } = asked.access
  const stopped = (because: string): HttpResponse => {
    refuse(context, attempt.server, because)
    return stop
  }
  if (attempt.boot.method !== 'Pxe') return stopped(`it was told to boot by ${attempt.boot.method}, and asks by PXE`)
  const again = secondBoot(context, asked.access, 'script')
  if (again !== undefined) return stopped(again)
  const secret = attempt.configuration.spec.ignitionSecretRef
  if (secret && !userData)
    return stopped(`it has user data, and asks from ${address}, which is not known for it (see --allow-user-data-by-window)`)
  const text = print(context, attempt, userData)
  if (text === undefined) return stopped('what it boots has no kernel and initramfs')
  if (request.method === 'HEAD' || fetchOf(asked.access.facts, 'script')) return script(text)
  const now = printInstant(context.clock.now())
  const kept = await context.evidence.note(attempt, f => withFetch(f, { what: 'script', first: now, done: now, from: address }))
  return kept === 'gone' ? stop : script(text)
}

function print(context: BootContext, attempt: Attempt, userData: boolean): string | undefined {
  const has = (role: string): boolean => attempt.artifacts.some(a => a.role === role)
  if (!has('kernel') || !has('initramfs')) return undefined
  const base = ticketUrl(context, attempt, userData ? {} : { withoutUserData: true })
  const live: KernelArgument[] = [
    { name: 'gl.ovl', value: '/:tmpfs' },
    { name: 'gl.url', value: `${base}/squashfs` },
    { name: 'gl.live', value: '1' },
  ]
  const ignition: KernelArgument[] = [
    { name: 'ignition.firstboot', value: '1' },
    { name: 'ignition.config.url', value: `${base}/ignition` },
    { name: 'ignition.platform.id', value: 'metal' },
  ]
  return printIpxe({
    kernel: new URL(`${base}/kernel`),
    initramfs: new URL(`${base}/initramfs`),
    arguments: [
      ...(has('squashfs') ? live : []),
      { name: 'ip', value: 'any' },
      ...(attempt.configuration.spec.ignitionSecretRef ? ignition : []),
      { name: 'rackwright.boot', value: base },
      ...context.kernelArguments,
    ],
  })
}
