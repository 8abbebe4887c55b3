import { Fault } from '../../core/fault.ts'
import { wallClock } from '../../net/wall-clock.ts'
import type { Options } from '../catalogue/command.ts'
import { imageWishes } from '../live-isos.ts'
import { runHostImages } from '../operator/run-host-images.ts'
import { bootServerSettings, merged } from '../operator/settings.ts'
import { stdoutLog } from '../operator/stdout-log.ts'
import { stopSignal } from '../stop-signal.ts'

/** Images for hosts by themselves, beside whoever looks after the hosts. */
export async function hostImages(given: Options): Promise<number> {
  const options = merged(given)
  const wishes = imageWishes(options)
  const { agentUrl } = options
  if (!wishes || typeof agentUrl !== 'string')
    throw new Fault('cli/live-iso', 'Cannot make images of hosts: --live-iso and --agent-url are needed', 'never')
  const takeOver = options['takeOver'] === 'assisted'
  const settings = { ...bootServerSettings(options), wishes, takeOver, agentUrl: agentUrl.replace(/\/$/, '') }
  await runHostImages(settings, { clock: wallClock, log: stdoutLog(), stop: stopSignal() })
  return 0
}
