import { machineFiles } from '../../agent/collect/files.ts'
import { probe as runProbe } from '../../agent/probe.ts'
import { httpTransport } from '../../net/client.ts'
import { wallClock } from '../../net/wall-clock.ts'
import type { Log } from '../../ports/index.ts'
import type { Options } from '../catalogue/command.ts'
import { stopSignal } from '../stop-signal.ts'

/** Runs on the machine itself: says what it is made of to the boot server that started it, until it is switched off. */
export async function probe(options: Options): Promise<number> {
  const { registry, uuid } = options
  const over = new AbortController()
  void stopSignal().then(why => over.abort(new Error(why)))
  await runProbe({
    clock: wallClock,
    log: consoleLog,
    files: machineFiles(),
    connect: baseUrl => httpTransport({ baseUrl }),
    ...(typeof registry === 'string' ? { registry } : {}),
    ...(typeof uuid === 'string' ? { uuid } : {}),
    signal: over.signal,
  })
  return 0
}

/** The console of a machine that nobody is logged in to. */
const say = (what: string, about: Readonly<Record<string, unknown>> = {}): void =>
  console.log(`rackwright probe: ${what}${Object.keys(about).length > 0 ? ` ${JSON.stringify(about)}` : ''}`)
const consoleLog: Log = { debug: () => {}, info: say, warn: say, error: say }
