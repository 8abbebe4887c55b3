// The operator or the boot server as a process of its own, by a clock that goes faster than the wall's: node hurried.ts <operator|boot-server> <speed> <began> <config>.
import { runOperator } from '../../../src/cli/operator/run.ts'
import { runBootServer } from '../../../src/cli/operator/run-boot-server.ts'
import { bootServerSettings, merged, operatorSettings } from '../../../src/cli/operator/settings.ts'
import { stdoutLog } from '../../../src/cli/operator/stdout-log.ts'
import { stopSignal } from '../../../src/cli/stop-signal.ts'
import { hurried } from '../hurry.ts'

const [what, speed = '1', began = '0', config = ''] = process.argv.slice(2)
const ports = { clock: hurried(Number(speed), Number(began)), log: stdoutLog(), stop: stopSignal() }
const options = merged({ config })
await (what === 'operator' ? runOperator(operatorSettings(options), ports) : runBootServer(bootServerSettings(options), ports))
