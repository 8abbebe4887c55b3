/** What an iPXE script comes to. */
export type IpxeEnd =
  | { readonly chain: string }
  | { readonly kernel: string; readonly commandLine: string; readonly initrds: readonly string[] }
  | { readonly stop: 'exit' | 'shell' }

export interface IpxeSettings {
  readonly uuid: string
  readonly mac: string
  readonly serial: string
}

/** Options stand right behind the verb; `--name x` and `--timeout x` have a value, the others have none. */
const options = /^(\w+)(?:\s+(?:--(?:name|timeout)[ =]\S+|-[nt] \S+|--\S+))+/

/** Runs the straight-line part of iPXE's language that boot servers use: set, kernel, initrd, chain, boot, exit, shell. */
export function readIpxe(text: string, settings: IpxeSettings): IpxeEnd {
  const values: Record<string, string> = {
    uuid: settings.uuid,
    serial: settings.serial,
    'net0/mac': settings.mac,
    mac: settings.mac,
    'mac:hexhyp': settings.mac.replaceAll(':', '-'),
    'net0/mac:hexhyp': settings.mac.replaceAll(':', '-'),
    buildarch: 'x86_64',
    platform: 'efi',
  }
  let kernel: { url: string; commandLine: string } | undefined
  const initrds: string[] = []
  for (const raw of text.split('\n').slice(1)) {
    const line = expand(
      raw
        .replace(/\s*(\|\||&&).*$/, '')
        .trim()
        .replace(options, '$1'),
      values,
    )
    const [verb = '', ...words] = line.split(/\s+/)
    const [first = '', ...rest] = words
    if (verb === 'set') values[first] = rest.join(' ')
    else if (verb === 'kernel') kernel = { url: first, commandLine: rest.join(' ') }
    else if (verb === 'initrd') initrds.push(first)
    else if (verb === 'chain') return { chain: first }
    else if (verb === 'boot' && first !== '') return { chain: first }
    else if (verb === 'boot') return kernel ? { kernel: kernel.url, commandLine: kernel.commandLine, initrds } : { stop: 'exit' }
    else if (verb === 'shell') return { stop: 'shell' }
    else if (verb === 'exit' || verb === 'sanboot') return { stop: 'exit' }
  }
  return { stop: 'exit' }
}

const expand = (line: string, values: Readonly<Record<string, string>>): string =>
  line.replace(/\$\{([^}]*)\}/g, (_, name: string) => values[name] ?? '')
