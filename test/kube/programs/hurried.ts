// The operator or the boot server as a process of its own, by a clock that goes faster than the wall's: node hurried.ts <operator|boot-server> <speed> <began> <config>.
import { runOperator } from '../../../src/cli/operator/run.ts'
import { runBootServer } from '../../../src/cli/operator/run-boot-server.ts'
import { bootServerSettings, merged, operatorSettings } from '../../../src/cli/operator/settings.ts'
import { stdoutLog } from '../../../src/cli/operator/stdout-log.ts'
import { stopSignal } from '../../../src/cli/stop-signal.ts'
import { wallClock } from '../../../src/net/wall-clock.ts'
import type { Clock } from '../../../src/ports/index.ts'

const [what, speedText = '1', beganText = '0', config = ''] = process.argv.slice(2)
const [speed, began] = [Number(speedText), Number(beganText)]
const clock: Clock = {
  now: () => Math.round(began + (wallClock.now() - began) * speed),
  elapsed: () => wallClock.elapsed() * speed,
  after: (ms, then) => wallClock.after(ms / speed, then),
  sleep: (ms, signal) => wallClock.sleep(ms / speed, signal),
}
const ports = { clock, log: stdoutLog(), stop: stopSignal() }
const options = merged({ config })
await (what === 'operator' ? runOperator(operatorSettings(options), ports) : runBootServer(bootServerSettings(options), ports))
