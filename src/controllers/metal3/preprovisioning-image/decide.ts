import { type Condition, isFalse, isTrue } from '../../../core/condition.ts'
import { type Millis, minutes, seconds } from '../../../core/duration.ts'
import { act, idle, type Plan, type Release, release, wait } from '../../../core/plan.ts'
import type { Network, Seen } from './seen.ts'

export type Verb = { readonly do: 'drop' } | Release

/** Says where the image of a host is, or what it waits for. While it is not Ready its host waits. */
export function decide(seen: Seen): Plan<Verb> {
  const { gate, network, built, format, architecture } = seen
  // A machine may read from it for as long as its host holds it.
  if (seen.deleting && !seen.isHeld) return act('frees what was kept of it', [{ do: 'drop' }, release])
  if (seen.theirs !== undefined) return idle(`it is left to the assisted service: ${seen.theirs}`)
  if (seen.lacks !== undefined) {
    if (seen.stands) return wait(`it stays as it is, for a machine may run from it: ${seen.lacks}`, minutes(1))
    return refuse(seen, 'ConfigurationError', seen.lacks, minutes(1))
  }
  if (format === undefined)
    return refuse(
      seen,
      'ConfigurationError',
      `there is no live ISO for ${architecture}, or it accepts no format that can be made`,
      minutes(5),
    )
  if (network.is === 'missing')
    return refuse(seen, 'MissingNetworkData', `Secret ${network.name} with the network data is not there`, seconds(30))
  if (gate.is === 'closed') return unready(seen, gate.reason, gate.because, gate.again)
  if (!built) return idle('is being built')
  // What is wanted was built before we came: its address stays, and leads there again as soon as it can be read.
  if (built.is === 'failed' && built.mayRecover && seen.stands)
    return wait(`it stays as it is, for a machine may run from it: ${built.because}`, seconds(30))
  if (built.is === 'failed') return refuse(seen, built.reason, built.because, built.mayRecover ? seconds(30) : minutes(5))
  const { image, conflicts } = built
  const message =
    conflicts.length === 0 ? 'Generated image' : `Generated image; the Ironic agent's own was taken instead of ${shown(conflicts)}`
  return idle(message, {
    status: {
      imageUrl: image.imageUrl,
      kernelUrl: image.kernelUrl ?? null,
      extraKernelParams: image.kernelParams ?? null,
      format,
      architecture,
      networkData: network.is === 'there' ? { name: network.name, version: network.version } : null,
      conditions: [isTrue('Ready', 'ImageSuccess', message), isFalse('Error', 'ImageSuccess', ''), ...about(network)],
    },
    // A Secret is not watched.
    ...(network.is === 'there' ? { again: minutes(1) } : {}),
  })
}

const shown = (conflicts: readonly string[]): string =>
  conflicts.length <= 5 ? conflicts.join(', ') : `${conflicts.slice(0, 5).join(', ')} and ${conflicts.length - 5} more`

const about = (network: Network): readonly Condition[] => [
  network.is === 'ignored'
    ? isTrue('NetworkDataIgnored', 'InfraEnv', `Secret ${network.name} is not used: the InfraEnv of its host describes the network`)
    : isFalse('NetworkDataIgnored', 'Used', ''),
]

const cleared = { imageUrl: null, kernelUrl: null, extraKernelParams: null, format: null, networkData: null } as const

function unready({ network }: Seen, reason: string, because: string, again: Millis | undefined): Plan<Verb> {
  const status = { ...cleared, conditions: [isFalse('Ready', reason, because), isFalse('Error', reason, ''), ...about(network)] }
  return again === undefined ? idle(because, { status }) : wait(because, again, { status })
}

const refuse = ({ network, host, standing }: Seen, reason: string, because: string, again: Millis): Plan<Verb> =>
  wait(because, again, {
    status: { ...cleared, conditions: [isFalse('Ready', reason, because), isTrue('Error', reason, because), ...about(network)] },
    events:
      standing?.reason === reason && standing.message === because
        ? []
        : [{ type: 'Warning', reason, message: `No image for host ${host}: ${because}` }],
  })
