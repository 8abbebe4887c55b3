import { type Server, servers } from '../controllers/metal/resources.ts'
import { Fault } from '../core/fault.ts'
import type { Kube } from '../ports/index.ts'

/** Asks for something to be done with a server. Said here where it would only be taken away again. */
export async function ask(
  kube: Kube,
  { metadata: { name }, status }: Server,
  operation: string,
  within?: readonly string[],
): Promise<void> {
  const state = status?.state ?? 'new'
  if (within && !within.includes(state))
    throw new Fault('cli/operation', `Cannot ask for ${operation}: ${name} is ${state}, and that is for ${within.join(' or ')}`, 'never', {
      hint: `rackwright why ${name}`,
    })
  await kube.patch(servers, { name }, { merge: { metadata: { annotations: { 'metal.ironcore.dev/operation': operation } } } })
}
