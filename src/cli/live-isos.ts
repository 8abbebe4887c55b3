import { Fault } from '../core/fault.ts'
import type { Options } from './catalogue/command.ts'
import type { HostImageOptions } from './compose/host-images.ts'

/** What images of hosts are made of, as it is said on a command line: `--live-iso x86_64=/isos/coreos.iso,aarch64=…`. */
export type ImageWishes = Pick<HostImageOptions, 'liveIsos' | 'minimal' | 'assisted' | 'linkedSettling'> & { readonly agentImage: string }

export function imageWishes({ liveIso, agentImage, minimalIso, assistedUrl, assistedAgentImage }: Options): ImageWishes | undefined {
  if (typeof liveIso !== 'string') return undefined
  const files = liveIso.split(',').map(text => /^([a-z0-9_]+)=(.+)$/.exec(text.trim()))
  if (typeof agentImage !== 'string' || files.includes(null))
    throw new Fault('cli/live-iso', `Cannot use --live-iso ${liveIso}: it needs names of architectures, and --agent-image`, 'never', {
      hint: 'for example: --agent-image quay.io/example/ironic-agent:1 --live-iso x86_64=/isos/coreos-live.iso',
    })
  const assisted = assistedIn(assistedUrl, assistedAgentImage)
  return {
    ...(assisted ? { assisted } : {}),
    liveIsos: Object.fromEntries(files.map(found => [found![1], found![2]])),
    agentImage,
    minimal: minimalIso === true,
  }
}

/** Whose agents InfraEnvs are rendered for; undefined where an assisted service renders them itself. */
function assistedIn(url: unknown, image: unknown): HostImageOptions['assisted'] | undefined {
  if (typeof url !== 'string') return undefined
  if (!URL.canParse(url) || typeof image !== 'string')
    throw new Fault('cli/assisted', `Cannot use --assisted-url ${url}: it needs an address, and --assisted-agent-image`, 'never')
  return { url: url.replace(/\/$/, ''), agentImage: image }
}
