import { refused } from './exit.ts'

/** The variables that a program is told by, and no others: whatever else stands in an environment may run code of its own. */
export const jobVariables = [
  'RACKWRIGHT_TARGET_KIND',
  'RACKWRIGHT_TARGET_NAME',
  'RACKWRIGHT_TARGET_UID',
  'RACKWRIGHT_JOB_NAME',
  'RACKWRIGHT_JOB_NAMESPACE',
  'RACKWRIGHT_JOB_RUNNER',
  'RACKWRIGHT_MANAGER_NAMESPACE',
] as const

/** What a program is told by its environment: the same variables in a pod and on the embedded host. */
export interface JobEnvironment {
  readonly kind: 'ServerBIOS' | 'ServerFirmware'
  readonly name: string
  readonly uid: string
  readonly job: string
  readonly namespace: string
  /** Where the Secrets of BMCs are. */
  readonly managerNamespace: string
  readonly runner: string
}

type Variables = Readonly<Record<string, string | undefined>>

export function readEnvironment(env: Variables): JobEnvironment {
  const value = (name: string): string => {
    const found = env[`RACKWRIGHT_${name}`]
    if (found !== undefined && found !== '') return found
    throw refused(`Cannot run: RACKWRIGHT_${name} is not set`)
  }
  const kind = value('TARGET_KIND')
  if (kind !== 'ServerBIOS' && kind !== 'ServerFirmware')
    throw refused(`Cannot run: RACKWRIGHT_TARGET_KIND is ${kind}, not ServerBIOS or ServerFirmware`)
  const namespace = value('JOB_NAMESPACE')
  return {
    kind,
    name: value('TARGET_NAME'),
    uid: value('TARGET_UID'),
    job: value('JOB_NAME'),
    namespace,
    managerNamespace: env['RACKWRIGHT_MANAGER_NAMESPACE'] || namespace,
    runner: value('JOB_RUNNER'),
  }
}
