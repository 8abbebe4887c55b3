import { readFileSync } from 'node:fs'
import { seconds } from '../core/duration.ts'
import { Fault } from '../core/fault.ts'
import type { Options } from './catalogue/command.ts'
import type { HostImageOptions } from './compose/host-images.ts'
import { numberOf } from './number.ts'

/** What images of hosts are made of, as it is said on a command line: `--live-iso x86_64=/isos/coreos.iso,aarch64=…`. */
export interface ImageWishes
  extends Pick<HostImageOptions, 'liveIsos' | 'minimal' | 'assisted' | 'settling' | 'linkedSettling' | 'authority'> {
  readonly agentImage: string
  /** PEM of the authority that signed the certificate under which agents find us. */
  readonly agentAuthority?: string
}

export function imageWishes(options: Options): ImageWishes | undefined {
  const { liveIso, agentImage, minimalIso, assistedUrl, assistedAgentImage, settling } = options
  if (typeof liveIso !== 'string') return undefined
  const files = liveIso.split(',').map(text => /^([a-z0-9_]+)=(.+)$/.exec(text.trim()))
  if (typeof agentImage !== 'string' || files.includes(null))
    throw new Fault('cli/live-iso', `Cannot use --live-iso ${liveIso}: it needs names of architectures, and --agent-image`, 'never', {
      hint: 'for example: --agent-image quay.io/example/ironic-agent:1 --live-iso x86_64=/isos/coreos-live.iso',
    })
  const assisted = assistedIn(assistedUrl, assistedAgentImage)
  const [authority, agentAuthority] = [pemIn(options, 'ignitionCa'), pemIn(options, 'agentCa')]
  return {
    ...(assisted ? { assisted } : {}),
    ...(authority === undefined ? {} : { authority }),
    ...(agentAuthority === undefined ? {} : { agentAuthority }),
    ...(settling === undefined ? {} : { settling: seconds(numberOf('--settling', settling, { least: 0, most: 3_600 })) }),
    liveIsos: Object.fromEntries(files.map(found => [found![1], found![2]])),
    agentImage,
    minimal: minimalIso === true,
  }
}

/** A machine that gets something else than a certificate here trusts nobody, and says so to nobody. */
function pemIn(options: Options, name: 'ignitionCa' | 'agentCa'): string | undefined {
  const file = options[name]
  if (typeof file !== 'string') return undefined
  const flag = name === 'agentCa' ? '--agent-ca' : '--ignition-ca'
  let found: string
  try {
    found = readFileSync(file, 'utf8')
  } catch (cause) {
    throw new Fault('cli/ca', `Cannot read ${file} of ${flag}: ${(cause as NodeJS.ErrnoException).code}`, 'never', { cause })
  }
  if (!found.includes('-----BEGIN CERTIFICATE-----'))
    throw new Fault('cli/ca', `Cannot use ${file} of ${flag}: there is no certificate in it`, 'never', { hint: 'it must be PEM' })
  return found
}

/** Whose agents InfraEnvs are rendered for; undefined where an assisted service renders them itself. */
function assistedIn(url: unknown, image: unknown): HostImageOptions['assisted'] | undefined {
  if (typeof url !== 'string') return undefined
  if (!URL.canParse(url) || typeof image !== 'string')
    throw new Fault('cli/assisted', `Cannot use --assisted-url ${url}: it needs an address, and --assisted-agent-image`, 'never')
  return { url: url.replace(/\/$/, ''), agentImage: image }
}
