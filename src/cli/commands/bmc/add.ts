import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { bmcs } from '../../../controllers/metal/resources.ts'
import { Fault } from '../../../core/fault.ts'
import type { KubeObject } from '../../../core/object.ts'
import { wallClock } from '../../../net/wall-clock.ts'
import { type Kube, type ResourceRef, silent } from '../../../ports/index.ts'
import { openBmc } from '../../../redfish/index.ts'
import { withApi } from '../../api.ts'
import { agreed } from '../../ask.ts'
import { type ShownCertificate, shownCertificate } from '../../bmc-fingerprint.ts'
import type { Options } from '../../catalogue/command.ts'
import { bmcSecrets } from '../../compose/bmc-access.ts'
import { type Credentials, credentialsFor } from './credentials.ts'

/** Where a BMC is, taken apart from what a person typed: `10.0.0.14`, `bmc-4.example:8443`, `https://[fd00::14]`. */
export function placeOf(text: string): { readonly host: string; readonly port: number } {
  const bare = isIP(text) === 6 ? `[${text}]` : text
  const url = URL.parse(/^https?:\/\//i.test(bare) ? bare : `https://${bare}`)
  if (!url || url.hostname === '' || url.username !== '' || url.password !== '')
    throw new Fault('cli/address', `Cannot add a BMC: "${text}" is no address`, 'never', {
      hint: 'give a host name or an IP address, and a port where it is not 443',
    })
  return { host: url.hostname.replace(/^\[|\]$/g, ''), port: url.port === '' ? 443 : Number(url.port) }
}

/** Shows the certificate, asks for credentials, tries them, and only then makes the BMC. */
export const add = async (options: Options, address = ''): Promise<number> => {
  const { host, port } = placeOf(address)
  const shown = await shownCertificate(host, port)
  console.log(certificateText(`${host}:${port}`, shown))
  if (!(await agreed(options, 'Is this the certificate of your BMC?'))) return 1
  const credentials = await credentialsFor(options)
  const found = await look(host, port, shown, credentials)
  console.log(`${found.manufacturer} ${found.model}${found.serial === undefined ? '' : `, serial number ${found.serial}`} answers.`)
  const name = typeof options['name'] === 'string' ? options['name'] : nameFor(host)
  const ip = isIP(host) === 0 ? (await lookup(host)).address : host
  await withApi(options, kube => create(kube, name, { ip, host, port, shown, credentials }))
  console.log(`BMC ${name} is made; its server follows in a moment. See it with: rackwright get bmcs`)
  return 0
}

export const certificateText = (where: string, { fingerprint, subject, issuer, until }: ShownCertificate): string =>
  [
    `${where} shows this certificate:`,
    `  subject:     ${subject}`,
    `  issuer:      ${issuer}`,
    `  good until:  ${until}`,
    `  fingerprint: ${fingerprint}`,
    'Compare the fingerprint with what the BMC shows on its own web page or console.',
  ].join('\n')

/** `10.0.0.14` → `bmc-10-0-0-14`: a name that the API takes. */
export const nameFor = (host: string): string =>
  isIP(host) === 0 ? host.toLowerCase() : `bmc-${host.replaceAll(/[.:]+/g, '-').replace(/-$/, '')}`

async function look(host: string, port: number, { fingerprint }: ShownCertificate, credentials: Credentials) {
  const at = isIP(host) === 6 ? `[${host}]` : host
  const access = { address: `https://${at}:${port}`, tls: { fingerprint }, credentials: async () => credentials }
  const bmc = await openBmc(access, { clock: wallClock, log: silent })
  try {
    return bmc.identity
  } finally {
    await bmc.close()
  }
}

interface Found {
  readonly ip: string
  readonly host: string
  readonly port: number
  readonly shown: ShownCertificate
  readonly credentials: Credentials
}

async function create(kube: Kube, name: string, { ip, host, port, shown, credentials }: Found): Promise<void> {
  const apiVersion = 'metal.ironcore.dev/v1alpha1'
  const encoded = (text: string): string => Buffer.from(text).toString('base64')
  const data = { username: encoded(credentials.username), password: encoded(credentials.password) }
  await kube.create(bmcSecrets, { apiVersion, kind: 'BMCSecret', metadata: { name }, data } as KubeObject)
  const spec = {
    access: { ip },
    bmcSecretRef: { name },
    protocol: { name: 'Redfish', scheme: 'https', port },
    tls: { fingerprint: shown.fingerprint },
    ...(isIP(host) === 0 ? { hostname: host } : {}),
  }
  await kube.create(bmcs as ResourceRef, { apiVersion, kind: 'BMC', metadata: { name }, spec } as KubeObject)
}
