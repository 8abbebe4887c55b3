import type { Server, ServerClaim } from '../../controllers/metal/resources.ts'
import type { BareMetalHost } from '../../controllers/metal3/resources.ts'
import { readProvisioned } from '../../policy/boot/provisioned.ts'
import type { Fleet } from '../output/servers.ts'

/**
 * What changed between two looks, a sentence each: the story that `up` tells in a pipe, where no table can be redrawn. Beside a table only
 * servers that somebody has are worth a line.
 */
export function changesOf(before: Fleet, after: Fleet, which: 'all' | 'claimed' = 'all'): readonly string[] {
  const told = after.servers.filter(({ spec }) => which === 'all' || spec.serverClaimRef !== undefined)
  const old = new Map(before.servers.map(server => [server.metadata.uid, server]))
  const oldClaims = new Map(before.claims.map(claim => [claim.metadata.uid, claim]))
  const oldHosts = new Map(before.hosts.map(host => [host.metadata.uid, host]))
  const oldProvisioned = new Set(before.configurations.filter(isProvisioned).map(({ metadata }) => metadata.uid))
  return [
    ...told.flatMap(server => serverChanges(old.get(server.metadata.uid), server)),
    ...after.claims.flatMap(claim => claimChanges(oldClaims.get(claim.metadata.uid), claim)),
    ...after.configurations
      .filter(configuration => isProvisioned(configuration) && !oldProvisioned.has(configuration.metadata.uid))
      .map(({ spec }) => `${spec.serverRef.name}: provisioned`),
    ...after.hosts.flatMap(host => hostChanges(oldHosts.get(host.metadata.uid), host)),
  ]
}

const isProvisioned = ({ metadata }: Fleet['configurations'][number]): boolean => readProvisioned(metadata.annotations) === 'yes'

function serverChanges(before: Server | undefined, { metadata, status }: Server): readonly string[] {
  const said: string[] = []
  const { name } = metadata
  if (!before) said.push(`${name}: found${status?.manufacturer === undefined ? '' : `, ${status.manufacturer} ${status.model ?? ''}`}`)
  const [was, is] = [before?.status?.state, status?.state]
  if (is !== undefined && is !== was) said.push(`${name}: ${was === undefined ? '' : `${was} → `}${is}`)
  const [bootWas, boot] = [before?.status?.boot, status?.boot]
  if (boot && (boot.attempt !== bootWas?.attempt || boot.step !== bootWas.step))
    said.push(`${name}: boot ${boot.attempt}, ${bootWords(boot)}`)
  else if (boot?.next !== undefined && bootWas?.next === undefined)
    said.push(`${name}: boot ${boot.attempt}, the next reset reaches the disk`)
  return said
}

function bootWords(boot: NonNullable<NonNullable<Server['status']>['boot']>): string {
  switch (boot.step) {
    case 'Arming':
      return `${boot.purpose.toLowerCase()}: ${boot.method} is being armed and read back`
    case 'Starting':
      return `${boot.method} is armed; the power goes on`
    case 'Running':
      return 'the machine is on'
    case 'Ended':
      return `ended: ${boot.because ?? boot.outcome ?? 'it is over'}`
    default:
      return boot.step satisfies never
  }
}

function hostChanges(before: BareMetalHost | undefined, { metadata, status }: BareMetalHost): readonly string[] {
  const [was, is] = [before?.status?.provisioning?.state, status?.provisioning?.state]
  const said = is !== undefined && is !== was ? [`host ${metadata.name}: ${was ? `${was} → ` : ''}${is}`] : []
  const problem = status?.errorType === undefined || status.errorMessage === before?.status?.errorMessage ? undefined : status.errorMessage
  return problem === undefined ? said : [...said, `host ${metadata.name}: ${problem}`]
}

function claimChanges(before: ServerClaim | undefined, { metadata, spec, status }: ServerClaim): readonly string[] {
  const name = `claim ${metadata.namespace ?? ''}/${metadata.name}`
  const said: string[] = []
  if (!before) said.push(`${name}: wants ${spec.image}`)
  if (status?.phase === 'Bound' && before?.status?.phase !== 'Bound')
    said.push(`${name}: has ${spec.serverRef?.name ?? status.binding?.server ?? 'a server'}`)
  const problem = (of: ServerClaim['status']): string | undefined =>
    of?.conditions?.find(c => c.status === 'False' && c.type === 'ImageValid')?.message
  const now = problem(status)
  if (now !== undefined && now !== problem(before?.status)) said.push(`${name}: ${now}`)
  if (metadata.deletionTimestamp !== undefined && before?.metadata.deletionTimestamp === undefined)
    said.push(`${name}: is being given back`)
  return said
}
