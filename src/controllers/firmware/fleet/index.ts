import { ApiError } from '../../../api/status.ts'
import type { KubeObject } from '../../../core/object.ts'
import { selectorOf, selects } from '../../../core/selector.ts'
import { type NewObject, type Reconciler, wokenBy } from '../../../ports/index.ts'
import { operationAnnotation } from '../../metal/operation.ts'
import { maintenances, type ServerMaintenance, servers } from '../../metal/resources.ts'
import { madeByUs, us } from '../resources.ts'
import { updatesLabel } from '../target/names.ts'
import type { Target } from '../target/subject.ts'
import { decide } from './decide.ts'
import { maintenanceKey, memberName } from './names.ts'
import { type FleetPorts, observe } from './observe.ts'
import type { Seen, Verb } from './seen.ts'
import type { FirmwareSet, FleetSubject } from './subject.ts'

/** Has an object for every server that it selects, and tells them what is wanted, a few at a time. */
export function fleetController<S extends FirmwareSet & KubeObject, T extends Target & KubeObject>(
  ports: FleetPorts,
  subject: FleetSubject<S, T>,
): Reconciler<S, Seen, Verb> {
  const { kube, namespace } = ports
  const concerned = (labels: Readonly<Record<string, string>> | undefined, all: readonly S[]) =>
    all.filter(({ spec }) => selects(selectorOf(spec.serverSelector), labels)).map(({ metadata }) => ({ name: metadata.name }))
  const owner = ({ apiVersion, kind, metadata }: S) => ({
    apiVersion,
    kind,
    name: metadata.name,
    uid: metadata.uid ?? '',
    controller: true,
    blockOwnerDeletion: true,
  })
  return {
    name: subject.controller,
    kind: subject.resource,
    watches: [
      wokenBy(servers, ({ metadata }, all) => concerned(metadata.labels, all() as readonly S[])),
      // Objects of somebody's own matter, too: they win.
      wokenBy(subject.member.resource, (member, all) => {
        const of = member.metadata.ownerReferences?.map(({ name }) => ({ name }))
        return of ?? concerned(kube.cached.get(servers, { name: member.spec.serverRef.name })?.metadata.labels, all() as readonly S[])
      }),
      wokenBy(maintenances, 'owner'),
    ],
    observe: async set => observe(ports, subject, set),
    decide,
    perform: {
      createMember: {
        async run({ server }, { object, signal }) {
          const spec = { serverRef: { name: server }, ...subject.wish(object, false) }
          const metadata = {
            name: memberName(object, server),
            labels: { ...object.metadata.labels, [madeByUs]: us },
            ownerReferences: [owner(object)],
          }
          const member = { apiVersion: object.apiVersion, kind: subject.member.kind, metadata, spec } as unknown as NewObject<T>
          await unlessThere(() => kube.create(subject.member.resource, member, { signal }))
        },
      },
      tell: {
        async run({ member }, { object, signal }) {
          await kube.patch(
            subject.member.resource,
            { name: member },
            { merge: { spec: replacing(subject.wish(object, true), kube.cached.get(subject.member.resource, { name: member })) } },
            { signal },
          )
        },
      },
      pace: {
        async run({ member }, { object, signal }) {
          const { scanPeriodMinutes } = object.spec.template.spec
          await kube.patch(subject.member.resource, { name: member }, { merge: { spec: { scanPeriodMinutes } } }, { signal })
        },
      },
      deleteMember: {
        run: ({ member }, { signal }) => unlessGone(() => kube.delete(subject.member.resource, { name: member }, { signal })),
      },
      createMaintenance: {
        async run({ server, uid, policy }, { object, signal }) {
          const metadata = {
            ...maintenanceKey(namespace, object, server),
            labels: { [madeByUs]: us, [updatesLabel]: uid },
            annotations: { 'metal.ironcore.dev/reason': `${object.kind} ${object.metadata.name} brings its firmware to what is wanted` },
            ownerReferences: [owner(object)],
          }
          const spec = { serverRef: { name: server }, policy, priority: 0, serverPower: 'Off' as const }
          const made: NewObject<ServerMaintenance> = { apiVersion: object.apiVersion, kind: 'ServerMaintenance', metadata, spec }
          await unlessThere(() => kube.create(maintenances, made, { signal }))
        },
      },
      deleteMaintenance: {
        run: ({ server }, { object, signal }) =>
          unlessGone(() => kube.delete(maintenances, maintenanceKey(namespace, object, server), { signal })),
      },
      takeOperation: {
        async run(_, { object, signal }) {
          const { name, resourceVersion } = object.metadata
          const metadata = { resourceVersion, annotations: { [operationAnnotation]: null } }
          await kube.patch(subject.resource, { name }, { merge: { metadata } }, { signal })
        },
      },
    },
  }
}

/** A merge patch that leaves nothing of the wish before: settings that are not wanted any more are taken out by name. */
function replacing(wish: object, before: Target | undefined): object {
  const { bios } = wish as { readonly bios?: { readonly version?: string; readonly settings: object } }
  if (!bios || !before || !('bios' in before.spec)) return wish
  const gone = Object.keys(before.spec.bios.settings).filter(name => !Object.hasOwn(bios.settings, name))
  const settings = { ...bios.settings, ...Object.fromEntries(gone.map(name => [name, null])) }
  return { ...wish, bios: { version: bios.version ?? null, settings } }
}

async function unlessThere(create: () => Promise<unknown>): Promise<void> {
  try {
    await create()
  } catch (error) {
    if (!ApiError.is(error, 'AlreadyExists')) throw error
  }
}

async function unlessGone(remove: () => Promise<void>): Promise<void> {
  try {
    await remove()
  } catch (error) {
    if (!ApiError.is(error, 'NotFound')) throw error
  }
}
