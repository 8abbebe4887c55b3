import { isFalse, isTrue } from '../../../core/condition.ts'
import { type Instant, minutes, seconds } from '../../../core/duration.ts'
import { printInstant } from '../../../core/instant.ts'
import { act, idle, type Plan, wait } from '../../../core/plan.ts'
import type { Seen, Verb } from './seen.ts'

/** Secrets are not watched. */
const glance = minutes(1)

/** Says where the configuration of the assisted agent is, in the place of an assisted service that does not. */
export function decide({ deleting, isHeld, theirs, rendered, standing, unused, hasSecret }: Seen, now: Instant): Plan<Verb> {
  if (deleting) return isHeld ? act('frees what was served for it', [{ do: 'drop' }]) : idle('it is deleted')
  if (theirs !== undefined)
    return isHeld
      ? act(`it is left to an assisted service: ${theirs}`, [{ do: 'drop' }])
      : idle(`it is left to an assisted service: ${theirs}`)
  if (!isHeld) return act('takes hold of it before anything is served for it', [{ do: 'hold' }])
  if (!rendered) return idle('it is being rendered')
  if (rendered.is === 'failed')
    return wait(rendered.because, seconds(30), {
      status: { conditions: [isFalse('ImageCreated', rendered.reason, rendered.because)] },
    })
  const { ignition, iso, network, without } = rendered
  const message = [
    'Its Ignition is served; nothing more of an assisted service is here',
    ...(without ? [`there is no disc of it: ${without.message}`] : []),
    ...(unused.length > 0 ? [`not followed: ${unused.join(', ')}`] : []),
  ].join('; ')
  return idle('its Ignition is served', {
    // Neither a Secret nor what discs are made of is watched.
    ...(hasSecret || without ? { again: glance } : {}),
    status: {
      isoDownloadURL: iso ?? null,
      createdTime: standing.ignition === ignition && standing.created !== undefined ? standing.created : printInstant(now),
      bootArtifacts: {
        discoveryIgnitionURL: ignition,
        initrd: network?.initrd ?? null,
        kernel: network?.kernel ?? null,
        rootfs: network?.rootfs ?? null,
      },
      conditions: [isTrue('ImageCreated', 'ImageCreated', message)],
    },
  })
}
