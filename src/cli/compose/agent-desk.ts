import { plain, script } from '../../boot/answers.ts'
import { type KernelArgument, printIpxe } from '../../boot/ipxe.ts'
import { serve } from '../../net/server.ts'
import type { Clock, HttpRequest, HttpResponse, Log } from '../../ports/index.ts'
import type { AgentDesk } from '../../provisioner/agent/desk.ts'

/**
 * What a host's machine asks the boot server for: the script of a boot over the network that was commanded for it, and what its
 * agent says. Undefined where a request is for somebody else.
 */
export function agentHandler(desk: AgentDesk, baseUrl: string) {
  return (request: HttpRequest, from: { readonly address: string }): Promise<HttpResponse> | HttpResponse | undefined => {
    const path = request.url.split('?', 1)[0] ?? ''
    if (/^\/(v1(\/.*)?)?$/.test(path)) return desk.handler(request, from)
    const [, identity] = /^\/ipxe\/([0-9A-Fa-f:-]{12,36})$/.exec(path) ?? []
    return identity === undefined ? undefined : bootScript(desk, baseUrl, identity)
  }
}

/** The kernel is told where we are, and the token of this try: nobody else can speak for the machine. */
function bootScript(desk: AgentDesk, baseUrl: string, identity: string): HttpResponse | undefined {
  const boot = desk.netboot(identity)
  if (!boot) return undefined
  const told: readonly KernelArgument[] = [
    { name: 'ipa-api-url', value: baseUrl },
    { name: 'ipa-inspection-callback-url', value: `${baseUrl}/v1/continue_inspection` },
    { name: 'ipa-agent-token', value: boot.token },
    ...boot.arguments.split(/\s+/).filter(Boolean).map(argumentOf),
  ]
  try {
    return script(printIpxe({ kernel: new URL(boot.kernel), initramfs: new URL(boot.initramfs), arguments: told }))
  } catch {
    return plain(500, 'The addresses of the ramdisk cannot be written into a script.')
  }
}

function argumentOf(word: string): KernelArgument {
  const equals = word.indexOf('=')
  return equals < 0 ? { name: word } : { name: word.slice(0, equals), value: word.slice(equals + 1) }
}

/** A listener of its own for agents, where no boot server is in the same process; whose desk it is may change with the lease. */
export async function serveAgents(
  { host, port, url }: { readonly host: string; readonly port: number; readonly url: string | undefined },
  { clock, log }: { readonly clock: Clock; readonly log: Log },
) {
  let desk: AgentDesk | undefined
  let acts = (): boolean => true
  let baseUrl = url ?? ''
  const serving = await serve({
    host,
    port,
    clock,
    log,
    handler: async (request, from) =>
      desk && acts()
        ? ((await agentHandler(desk, baseUrl)(request, from)) ?? plain(404, 'There is nothing here.'))
        : plain(503, 'Nobody waits for agents here just now.', { 'retry-after': '5' }),
  })
  if (url === undefined) baseUrl = serving.url
  log.info('Agents of hosts may call', { url: baseUrl })
  return {
    /** `whileActs`: one that only keeps its caches warm knows no host that boots, and must not say so. */
    answer(whose: AgentDesk | undefined, whileActs: () => boolean = () => true): void {
      desk = whose
      acts = whileActs
    },
    port: serving.port,
    close: () => serving.close(),
  }
}
