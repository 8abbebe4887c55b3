import { wallClock } from '../../net/wall-clock.ts'
import type { Options } from '../catalogue/command.ts'
import { runOperator } from '../operator/run.ts'
import { merged, operatorSettings } from '../operator/settings.ts'
import { stdoutLog } from '../operator/stdout-log.ts'
import { stopSignal } from '../stop-signal.ts'

/** The same controllers against any Kubernetes. Several replicas may run: one of them acts, the others keep their caches warm. */
export async function operator(given: Options): Promise<number> {
  await runOperator(operatorSettings(merged(given)), { clock: wallClock, log: stdoutLog(), stop: stopSignal() })
  return 0
}
