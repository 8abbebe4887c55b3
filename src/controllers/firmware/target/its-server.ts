import type { KubeObject } from '../../../core/object.ts'
import type { ControllerKube } from '../../../ports/index.ts'
import { servers } from '../../metal/resources.ts'
import { byBackRef } from '../indexes.ts'
import type { Subject, Target } from './subject.ts'

/**
 * The server that an object is about for good: the one that refers back to it. Where the API lets a changed `serverRef` through, the server of
 * before is still the one that has to be given back.
 */
export function itsServer<T extends Target & KubeObject>(
  kube: Pick<ControllerKube, 'cached'>,
  { backRef }: Pick<Subject<T>, 'backRef'>,
  { metadata, spec }: T,
): string {
  const named = spec.serverRef.name
  // What was never changed cannot have moved: an old reference to a namesake says nothing then.
  if ((metadata.generation ?? 1) === 1) return named
  const refer = kube.cached.by(servers, byBackRef[backRef], metadata.name).map(server => server.metadata.name)
  return refer.length === 0 || refer.includes(named) ? named : refer[0]!
}
