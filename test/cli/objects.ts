import type { BMC, Server, ServerBootConfiguration, ServerClaim } from '../../src/controllers/metal/resources.ts'

/** 2026-01-01T00:10:00Z: ten minutes after the objects here were made. */
export const now = Date.UTC(2026, 0, 1, 0, 10, 0)
export const made = '2026-01-01T00:00:00Z'
/** So many seconds before now, as the API has it. */
export const ago = (seconds: number): string => new Date(now - seconds * 1_000).toISOString().replace('.000', '')

const apiVersion = 'metal.ironcore.dev/v1alpha1'

export const condition = (type: string, status: 'True' | 'False', reason: string, message: string, seconds = 60) => ({
  type,
  status,
  reason,
  message,
  lastTransitionTime: ago(seconds),
})

export const server = (name: string, spec: Partial<Server['spec']> = {}, status: Partial<Server['status']> = {}): Server =>
  ({
    apiVersion,
    kind: 'Server',
    metadata: { name, uid: `uid-${name}`, creationTimestamp: made },
    spec: { systemUUID: `uuid-${name}`, bmcRef: { name }, reclaimPolicy: 'Recycle', bootOrderPolicy: 'Audit', unclaimable: false, ...spec },
    status: { state: 'Available', powerState: 'Off', manufacturer: 'Dell Inc.', model: 'PowerEdge R650', ...status },
  }) as Server

export const claim = (name: string, spec: Partial<ServerClaim['spec']> = {}, status: Partial<ServerClaim['status']> = {}): ServerClaim =>
  ({
    apiVersion,
    kind: 'ServerClaim',
    metadata: { name, namespace: 'default', uid: `uid-${name}`, creationTimestamp: made },
    spec: { power: 'On', image: 'os:1', ...spec },
    status,
  }) as ServerClaim

export const bmc = (name: string, ...conditions: readonly object[]): BMC =>
  ({
    apiVersion,
    kind: 'BMC',
    metadata: { name },
    spec: {
      access: { ip: '10.0.0.14' },
      bmcSecretRef: { name, kind: 'BMCSecret' },
      protocol: { name: 'Redfish', port: 443, scheme: 'https' },
    },
    status: { conditions },
  }) as unknown as BMC

export const configuration = (
  name: string,
  on: string,
  status: Partial<ServerBootConfiguration['status']> = { state: 'Ready' },
  annotations: Record<string, string> = {},
): ServerBootConfiguration =>
  ({
    apiVersion,
    kind: 'ServerBootConfiguration',
    metadata: { name, namespace: 'default', uid: `uid-sbc-${name}`, annotations },
    spec: { serverRef: { name: on }, image: 'os:1' },
    status,
  }) as ServerBootConfiguration

type Boot = NonNullable<NonNullable<Server['status']>['boot']>

export const boot = (more: Partial<Boot> = {}): Boot => ({
  attempt: 2,
  purpose: 'Claim',
  method: 'UefiHttp',
  step: 'Running',
  serves: true,
  opened: ago(90),
  expires: '2026-01-01T01:08:30Z',
  configuration: { namespace: 'default', name: 'c1', uid: 'uid-sbc-c1', generation: 1 },
  ...more,
})
