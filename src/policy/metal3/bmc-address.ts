/** A host's `spec.bmc.address`, read: where its controller is, and how the host is booted from outside its disk. */
export interface BmcAddress {
  readonly scheme: string
  /** Where Redfish is served: `https://10.0.0.2:8000`. */
  readonly url: string
  readonly hostname: string
  /** The path of the System, where one is named. */
  readonly system?: string
  readonly boots: 'VirtualMedia' | 'Http' | 'Pxe'
  /** False where only another engine speaks its protocol. */
  readonly direct: boolean
}

export type BadAddress = { readonly because: string }

interface Driver {
  readonly boots: BmcAddress['boots']
  readonly direct: boolean
}

const drivers: Readonly<Record<string, Driver>> = {
  redfish: { boots: 'Pxe', direct: true },
  'ilo5-redfish': { boots: 'Pxe', direct: true },
  'idrac-redfish': { boots: 'Pxe', direct: true },
  'redfish-virtualmedia': { boots: 'VirtualMedia', direct: true },
  'ilo5-virtualmedia': { boots: 'VirtualMedia', direct: true },
  'idrac-virtualmedia': { boots: 'VirtualMedia', direct: true },
  'redfish-uefihttp': { boots: 'Http', direct: true },
  ipmi: { boots: 'Pxe', direct: false },
  libvirt: { boots: 'Pxe', direct: false },
}

const hostnames = /^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*\.?$/i
const addresses = /^\[[0-9a-f:.]+\]$/i

/** As Metal3 reads it: without a scheme it is IPMI, `redfish:host` lacks only its slashes, and `+http` says how Redfish is spoken. */
export function readBmcAddress(text: string): BmcAddress | BadAddress {
  const [, named, rest = ''] = /^(?:([a-z][a-z0-9-]*(?:\+https?)?):(?:\/\/)?)?(.*)$/i.exec(text.trim()) ?? []
  // `host:623` is a host with its port, not a scheme.
  const isPort = named !== undefined && /^\d+(\/|$)/.test(rest)
  const [scheme = 'ipmi', transport = 'https'] = (isPort || named === undefined ? 'ipmi' : named.toLowerCase()).split('+')
  const driver = Object.hasOwn(drivers, scheme) ? drivers[scheme]! : undefined
  if (!driver) return { because: `the BMC address ${shown(text)} has scheme ${scheme}; known are ${Object.keys(drivers).join(', ')}` }
  const url = readUrl(`${transport}://${isPort ? text.trim() : rest}`)
  if (!url || url.hostname === '' || (!hostnames.test(url.hostname) && !addresses.test(url.hostname)))
    return { because: `the BMC address ${shown(text)} names no host` }
  if (url.username !== '' || url.password !== '') return { because: 'the BMC address holds credentials; they belong into the Secret' }
  const path = url.pathname.replace(/\/+$/, '')
  return {
    scheme,
    url: url.origin,
    hostname: url.hostname,
    ...(path === '' || path === '/redfish/v1' ? {} : { system: path }),
    ...driver,
  }
}

function readUrl(text: string): URL | undefined {
  try {
    return new URL(text)
  } catch {
    return undefined
  }
}

/** Without what may be a password: an address that cannot be read may hold one. */
const shown = (text: string): string => JSON.stringify(text.replace(/\/\/[^/@]*@/, '//…@'))
