import { canonical } from '../../../core/canonical.ts'
import { conditionOf } from '../../../core/condition.ts'
import type { KubeObject } from '../../../core/object.ts'
import { selectorOf, selects } from '../../../core/selector.ts'
import { spread } from '../../../core/spread.ts'
import type { ControllerKube } from '../../../ports/index.ts'
import { operationAnnotation } from '../../metal/operation.ts'
import { maintenances, type Server, type ServerMaintenance, servers } from '../../metal/resources.ts'
import { byOwner, byServer } from '../indexes.ts'
import { updatesLabel } from '../target/names.ts'
import type { Target } from '../target/subject.ts'
import { maintenanceKey } from './names.ts'
import type { Seen, SeenServer } from './seen.ts'
import type { FirmwareSet, FleetSubject } from './subject.ts'

export interface FleetPorts {
  readonly kube: ControllerKube
  /** Where maintenances for claimed servers are. */
  readonly namespace: string
}

export function observe<S extends FirmwareSet & KubeObject, T extends Target & KubeObject>(
  { kube, namespace }: FleetPorts,
  subject: FleetSubject<S, T>,
  set: S,
): Seen {
  const { metadata, spec, status } = set
  const selector = selectorOf(spec.serverSelector)
  const selected = kube.cached
    .list(servers)
    .filter(server => selects(selector, server.metadata.labels) && server.metadata.deletionTimestamp === undefined)
  const members = kube.cached.by(subject.member.resource, byOwner, metadata.uid ?? '')
  // How often members are scanned is no other wish: what was found out about this one still counts.
  const revision = spread(canonical({ ...subject.wish(set, true), scanPeriodMinutes: undefined })).toString(36)
  const same = status?.revision === revision
  const byName = new Map(members.map(member => [member.spec.serverRef.name, member]))
  const seen = selected.map(server => serverSeen(kube, namespace, subject, set, server, byName.get(server.metadata.name)))
  const chosen = new Set(selected.map(server => server.metadata.name))
  const keep = new Set(seen.filter(({ other }) => other === undefined).map(({ member }) => member?.name))
  return {
    set: {
      name: metadata.name,
      deleting: metadata.deletionTimestamp !== undefined,
      revision,
      rules: spec.rollout,
      allowDowngrade: spec.allowDowngrade,
      maintenancePolicy: spec.maintenancePolicy,
      resumeAsked: metadata.annotations?.[operationAnnotation] === 'resume',
    },
    state: {
      canaries: same ? (status?.canaries ?? []) : [],
      accepted: same ? (status?.accepted ?? []) : [],
      pausedSince: same ? status?.paused?.since : undefined,
      pausedFor: same ? status?.paused?.reason : undefined,
    },
    servers: seen,
    surplus: members
      .filter(member => !keep.has(member.metadata.name) && member.metadata.deletionTimestamp === undefined)
      .map(member => member.metadata.name),
    strays: kube.cached
      .by(maintenances, byOwner, metadata.uid ?? '')
      .filter(one => one.metadata.deletionTimestamp === undefined && !chosen.has(one.spec.serverRef.name))
      .map(one => ({ server: one.spec.serverRef.name, updating: isUpdated(kube, one) })),
  }
}

/** Whether the object that a maintenance was made for has a job on its server. */
const isUpdated = (kube: ControllerKube, { metadata, spec }: ServerMaintenance): boolean => {
  const uid = kube.cached.get(servers, { name: spec.serverRef.name })?.spec.updateRef?.uid
  return uid !== undefined && uid === metadata.labels?.[updatesLabel]
}

function serverSeen<S extends FirmwareSet & KubeObject, T extends Target & KubeObject>(
  kube: ControllerKube,
  namespace: string,
  subject: FleetSubject<S, T>,
  set: S,
  { metadata, spec, status }: Server,
  member: T | undefined,
): SeenServer {
  const other = kube.cached
    .by(subject.member.resource, byServer, metadata.name)
    .find(one => !one.metadata.ownerReferences?.some(({ uid }) => uid === set.metadata.uid) && one.metadata.deletionTimestamp === undefined)
  const maintenance = kube.cached.get(maintenances, maintenanceKey(namespace, set, metadata.name))
  return {
    name: metadata.name,
    group: [status?.manufacturer, status?.model].filter(Boolean).join(' '),
    state: status?.state ?? 'Initial',
    claimed: spec.serverClaimRef !== undefined,
    other: other?.metadata.name,
    member: member && memberSeen(subject, set, member, spec.updateRef?.uid === member.metadata.uid),
    maintenance: maintenance && { name: maintenance.metadata.name, deleting: maintenance.metadata.deletionTimestamp !== undefined },
  }
}

function memberSeen<S extends FirmwareSet & KubeObject, T extends Target & KubeObject>(
  subject: FleetSubject<S, T>,
  set: S,
  member: T,
  updating: boolean,
): NonNullable<SeenServer['member']> {
  const told = subject.isTold(set, member)
  const sync = conditionOf(member.status, 'InSync')
  const { trouble } = member.status ?? {}
  // What is reported of an older wish says nothing about this one.
  const current = member.status?.observedGeneration === member.metadata.generation
  return {
    name: member.metadata.name,
    uid: member.metadata.uid ?? '',
    known: subject.member.isKnown(member),
    mute: conditionOf(member.status, 'Scanned')?.status === 'False',
    told,
    asWanted: subject.member.differences(subject.told(set, member)).length === 0,
    inSync: current && sync?.status === 'True',
    downgrade: subject.downgrade(set, member),
    failure: current && trouble?.generation === member.metadata.generation ? trouble?.message : undefined,
    says: sync?.status === 'True' ? undefined : sync?.message,
    updating,
    inPace: member.spec.scanPeriodMinutes === set.spec.template.spec.scanPeriodMinutes,
  }
}
