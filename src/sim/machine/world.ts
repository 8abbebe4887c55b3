import type { Transport } from '../../ports/index.ts'

/** What a machine loads from: firmware, BMCs and operating systems all have their own reasons and their own manners. */
export interface WorldRequest {
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PUT'
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: Uint8Array
  /** The name of the server that asks. */
  readonly server: string
}

export interface WorldAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
}

/** Who asks the network how to boot. */
export interface NetBooter {
  readonly server: string
  readonly uuid: string
  readonly mac: string
  readonly wants: 'Pxe' | 'UefiHttp'
}

/** What was loaded, before anybody knows what it will do. */
export interface Loaded {
  readonly server: string
  readonly uuid: string
  readonly mac: string
  readonly from: BootKind
  readonly url: string
  readonly bytes: Uint8Array
  readonly commandLine?: string
}

export type BootKind = 'Pxe' | 'UefiHttp' | 'Hdd' | 'Cd' | 'UefiShell' | 'BiosSetup' | 'Other'

/** What an operating system does once it runs. An empty list is one that just runs. */
export type Step =
  /** Asks until it is answered with 2xx. */
  | { readonly do: 'fetch'; readonly url: string }
  | { readonly do: 'post'; readonly url: string; readonly body: string }
  /** Puts an operating system on the disk; `then` is what that one does when it boots first, `later` what it does at its next boots. */
  | { readonly do: 'install'; readonly os: string; readonly then?: readonly Step[]; readonly later?: readonly (readonly Step[])[] }
  | { readonly do: 'wipe' }
  | { readonly do: 'wait'; readonly ms: number }
  | { readonly do: 'reboot' }
  | { readonly do: 'power-off' }
  /** From here on the power button is not listened to. */
  | { readonly do: 'ignore-power-button' }
  /** Looks at the machine, registers what it found under this address, and reports that it runs. */
  | { readonly do: 'probe'; readonly url: string }
  /** Runs an Ironic agent that calls there, until the machine is restarted. */
  | {
      readonly do: 'ironic-agent'
      readonly url: string
      readonly callback?: string
      readonly token?: string
      readonly assisted?: AssistedSettings
    }
  /** Runs the assisted agent by itself, and restarts the machine from what that has installed. */
  | { readonly do: 'assisted-agent'; readonly assisted: AssistedSettings }

/** What the unit of an assisted agent says. */
export interface AssistedSettings {
  readonly url: string
  readonly infraEnv: string
  /** It was started by the boot already. */
  readonly runs: boolean
}

/** Everything outside the rack, as its machines see it. Boot servers, DHCP and images are plugged in here. */
export interface BootWorld {
  fetch(request: WorldRequest): Promise<WorldAnswer>
  /** What DHCP offers: the URL to boot from, an iPXE script for `Pxe`. Nobody answers where this is missing. */
  dhcp?(booter: NetBooter): string | undefined
  /** From which address a machine speaks; its operating system knows it too. */
  addressOf?(server: string): string | undefined
  /** What a loaded image does; undefined leaves it to the lines in the image itself (see readProgram). */
  program?(loaded: Loaded): readonly Step[] | undefined
}

/** A world in which each origin is served by a transport; everything else is unreachable. */
export function worldOver(
  transportOf: (origin: string, server: string) => Transport | undefined,
  more: Omit<BootWorld, 'fetch'> = {},
): BootWorld {
  return {
    ...more,
    async fetch({ method, url, headers, body, server }) {
      const { origin, pathname, search } = new URL(url)
      const transport = transportOf(origin, server)
      if (!transport) throw new Error(`nothing answers at ${origin}`)
      const answer = await transport({ method, url: pathname + search, headers, ...(body === undefined ? {} : { body }) })
      return { status: answer.status, headers: answer.headers, body: await whole(answer.body) }
    },
  }
}

async function whole(body: Uint8Array | AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  if (body instanceof Uint8Array) return body
  const parts: Uint8Array[] = []
  for await (const part of body) parts.push(part)
  return Buffer.concat(parts)
}
