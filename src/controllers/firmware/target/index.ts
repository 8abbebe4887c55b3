import type { KubeObject } from '../../../core/object.ts'
import { type Reconciler, wokenBy } from '../../../ports/index.ts'
import { maintenances, servers } from '../../metal/resources.ts'
import { byServer } from '../indexes.ts'
import { jobRunners, jobs } from '../resources.ts'
import type { FirmwarePorts } from '../settings.ts'
import { decide } from './decide.ts'
import { targetFinalizer, updatesLabel } from './names.ts'
import { observe } from './observe.ts'
import { performers } from './perform.ts'
import type { Seen } from './seen.ts'
import type { Subject, Target } from './subject.ts'
import type { Verb } from './verbs.ts'

/** Asks a server now and then what it runs, and lets jobs bring it to what is wanted. */
export function targetController<T extends Target & KubeObject>(ports: FirmwarePorts, subject: Subject<T>): Reconciler<T, Seen, Verb> {
  const { kube } = ports
  const about = (server: string) => kube.cached.by(subject.resource, byServer, server).map(({ metadata }) => ({ name: metadata.name }))
  return {
    name: subject.controller,
    kind: subject.resource,
    finalizer: targetFinalizer,
    watches: [
      wokenBy(jobs, 'owner'),
      wokenBy(servers, ({ metadata }) => about(metadata.name)),
      // Of two for one server the other begins when the first is gone.
      wokenBy(subject.resource, ({ spec }) => about(spec.serverRef.name)),
      wokenBy(maintenances, ({ metadata, spec }) => (metadata.labels?.[updatesLabel] === undefined ? [] : about(spec.serverRef.name))),
      wokenBy(jobRunners, (_, all) => waitingForRunner(all() as readonly T[])),
    ],
    observe: (object, look) => observe(ports, subject, object, look),
    decide,
    perform: performers(ports, subject),
  }
}

/** A changed JobRunner matters at once only to those that wait for one. */
const waitingForRunner = (all: readonly Target[]) =>
  all
    .filter(({ status }) => status?.runningJob !== undefined || status?.conditions?.some(({ reason }) => reason === 'NoJobRunner'))
    .map(({ metadata }) => ({ name: metadata.name }))
