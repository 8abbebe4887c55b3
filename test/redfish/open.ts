import { type Log, silent } from '../../src/ports/index.ts'
import { type OpenBmc, openBmc } from '../../src/redfish/index.ts'
import { type StepClock, stepClock } from '../kube-client/fakes.ts'
import { type FakeBmc, fakeBmc, type Tree } from './fake.ts'
import { anyAccess } from './recorded.ts'

export interface Opened {
  readonly bmc: OpenBmc
  readonly fake: FakeBmc
  readonly clock: StepClock
}

/** Opens a fake whose tree was changed; sleeps end at once, deadlines need the clock to be moved. */
export async function opened(
  change: (tree: Tree) => void = () => {},
  hook: (fake: FakeBmc) => void = () => {},
  log: Log = silent,
): Promise<Opened> {
  const fake = fakeBmc(change)
  hook(fake)
  const clock = stepClock(true)
  return { fake, clock, bmc: await openBmc(anyAccess(), { clock, log, transport: fake.transport }) }
}

export const systemOf = (tree: Tree): Record<string, unknown> => tree['/redfish/v1/Systems/1']!
export const bootOf = (tree: Tree): Record<string, unknown> => systemOf(tree)['Boot'] as Record<string, unknown>

/** What a promise was refused with. */
export async function faultOf(
  promise: Promise<unknown>,
): Promise<{ code: string; message: string; retry: string; hint: string | undefined }> {
  try {
    await promise
  } catch (error) {
    return error as { code: string; message: string; retry: string; hint: string | undefined }
  }
  throw new Error('nothing was refused')
}
