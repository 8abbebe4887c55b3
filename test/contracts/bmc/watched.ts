import type { HttpRequest, Transport } from '../../../src/ports/index.ts'

/** Notes what is asked and what is linked. */
export function watched(transport: Transport): { readonly transport: Transport; readonly asked: string[]; readonly linked: Set<string> } {
  const asked: string[] = []
  const linked = new Set(['/redfish/v1/'])
  return {
    asked,
    linked,
    async transport(request: HttpRequest) {
      asked.push(`${request.method} ${request.url}`)
      const answer = await transport(request)
      if (answer.body instanceof Uint8Array && answer.body.length > 0) note(JSON.parse(new TextDecoder().decode(answer.body)), linked)
      return answer
    },
  }
}

function note(value: unknown, linked: Set<string>): void {
  if (typeof value === 'string' && value.startsWith('/')) linked.add(value.split('#', 1)[0]!)
  else if (typeof value === 'object' && value !== null) for (const item of Object.values(value)) note(item, linked)
}
