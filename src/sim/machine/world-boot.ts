import type { HttpRequest, HttpResponse } from '../../ports/index.ts'
import { type BootWorld, worldOver } from './world.ts'

export interface BootServerWorld {
  /** Where the boot server is said to be. */
  readonly baseUrl: string
  /** The one that runs at this moment; nobody answers while there is none. */
  handler(): ((request: HttpRequest, from: { readonly address: string }) => Promise<HttpResponse>) | undefined
}

/** A network with one boot server, which DHCP points at, and an address for each machine; without sockets. */
export function bootServerWorld({ baseUrl, handler }: BootServerWorld): BootWorld {
  const { origin } = new URL(baseUrl)
  const addresses = new Map<string, string>()
  const addressOf = (server: string): string => {
    const known = addresses.get(server)
    if (known !== undefined) return known
    const n = addresses.size + 1
    const address = `10.${64 + (n >> 16)}.${(n >> 8) & 255}.${n & 255}`
    addresses.set(server, address)
    return address
  }
  const transportOf = (to: string, server: string) => {
    if (to !== origin) return undefined
    return (request: HttpRequest): Promise<HttpResponse> =>
      handler()?.(request, { address: addressOf(server) }) ?? Promise.reject(new Error(`nothing answers at ${to}`))
  }
  return worldOver(transportOf, {
    dhcp: ({ wants }) => `${baseUrl}${wants === 'Pxe' ? '/ipxe' : '/httpboot.efi'}`,
    addressOf,
  })
}
