import { type Millis, minutes } from '../../core/duration.ts'

/** A machine that is not through after so long will not be. */
export const selfTest = minutes(30)
/** Where a BMC does not tell how far the machine is, it gets at least this long: it may be writing. */
export const blind = minutes(5)
const beyond = ['SystemHardwareInitializationComplete', 'SetupEntered', 'OSBootStarted', 'OSRunning']

/** Whether a machine is through its self test, by what its BMC says; undefined where it says nothing about that. */
export function isThroughSelfTest(evidence: { readonly progress?: string; readonly inPost?: boolean }): boolean | undefined {
  if (evidence.inPost !== undefined) return !evidence.inPost
  return evidence.progress === undefined ? undefined : beyond.includes(evidence.progress)
}

/** The same for whoever must know: `shown` is whether the machine shows what its reset was for. */
export const hasPassed = (evidence: Parameters<typeof isThroughSelfTest>[0], passed: Millis, shown: boolean): boolean =>
  isThroughSelfTest(evidence) ?? (passed >= blind && (passed >= selfTest || shown))
