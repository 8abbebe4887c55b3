import { wallClock } from '../../net/wall-clock.ts'
import type { Options } from '../catalogue/command.ts'
import { runBootServer } from '../operator/run-boot-server.ts'
import { bootServerSettings, merged } from '../operator/settings.ts'
import { stdoutLog } from '../operator/stdout-log.ts'
import { stopSignal } from '../stop-signal.ts'

/** The boot server by itself, as many replicas as are wanted. */
export async function bootServer(given: Options): Promise<number> {
  await runBootServer(bootServerSettings(merged(given)), { clock: wallClock, log: stdoutLog(), stop: stopSignal() })
  return 0
}
