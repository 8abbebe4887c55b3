import { seconds } from '../../core/duration.ts'
import { wallClock } from '../../net/wall-clock.ts'
import { publishLogs } from '../ramdisk-logs/publish.ts'
import { stopSignal } from '../stop-signal.ts'

/** Tells what ramdisks wrote on the standard output, as it comes: what the container ironic-ramdisk-logs runs. */
export async function ramdiskLogs(_: object, folder = ''): Promise<number> {
  const stopped = new AbortController()
  void stopSignal().then(() => stopped.abort())
  while (!stopped.signal.aborted) {
    await publishLogs(folder, line => void process.stdout.write(`${line}\n`))
    await wallClock.sleep(seconds(5), stopped.signal).catch(() => undefined)
  }
  return 0
}
