import { describe, expect, it } from 'vitest'
import { kinds } from '../../src/api/kinds.ts'
import { claims, readinessRules, type Server, type ServerReadinessRule, servers } from '../../src/controllers/metal/resources.ts'
import { serverClaimController } from '../../src/controllers/metal/server-claim/index.ts'
import { serverReadinessRuleController } from '../../src/controllers/metal/server-readiness-rule/index.ts'
import { minutes, seconds } from '../../src/core/duration.ts'
import { type TestWorld, testWorld } from '../runtime/world.ts'

const metal = 'metal.ironcore.dev/v1alpha1'
const facts = {
  reference: 'os',
  digest: 'sha256:0',
  architecture: 'x86_64',
  architectures: ['x86_64'],
  artifacts: [{ role: 'uki', digest: 'sha256:1', bytes: 1 }],
} as const
const gate = { key: 'example.com/not-wired', effect: 'NoBind' }

interface Rules extends TestWorld {
  rule(mode: 'Continuous' | 'BootstrapOnly', more?: object): Promise<unknown>
  reports(server: string, status: 'True' | 'False'): Promise<unknown>
  server(name: string): Promise<Server>
  claims(name: string): Promise<unknown>
  phase(claim: string): Promise<string | undefined>
  restart(): Promise<void>
}

async function withRules(count: number, story: (world: Rules) => Promise<void>): Promise<void> {
  const world = await testWorld(kinds)
  const makeServer = async (name: string): Promise<void> => {
    await world.kube.create(servers, {
      apiVersion: metal,
      kind: 'Server',
      metadata: { name, labels: { pool: 'compute' } },
      spec: { systemUUID: `uuid-${name}` },
    } as unknown as Server)
    await world.kube.patch(servers, { name }, { merge: { status: { state: 'Available', powerState: 'Off' } } }, { subresource: 'status' })
  }
  for (let n = 1; n <= count; n += 1) await makeServer(`srv-${n}`)
  const open = () => {
    const controllers = world.controllers()
    controllers.add(kube => serverReadinessRuleController(kube))
    controllers.add(kube => serverClaimController({ kube, images: { inspect: async () => facts } }))
    controllers.start()
    return controllers
  }
  let controllers = open()
  await story({
    ...world,
    rule: (enforcementMode, more = {}) =>
      world.kube.create(readinessRules, {
        apiVersion: metal,
        kind: 'ServerReadinessRule',
        metadata: { name: 'wired' },
        spec: { conditions: [{ type: 'NetworkReady', requiredStatus: 'True' }], enforcementMode, taint: gate, ...more },
      } as unknown as ServerReadinessRule),
    reports: (name, status) =>
      world.kube.patch(
        servers,
        { name },
        {
          merge: {
            status: {
              conditions: [{ type: 'NetworkReady', status, reason: 'Looked', message: '', lastTransitionTime: '2026-01-01T00:00:00Z' }],
            },
          },
        },
        { subresource: 'status' },
      ),
    server: name => world.kube.get(servers, { name }),
    claims: name =>
      world.kube.create(claims, {
        apiVersion: metal,
        kind: 'ServerClaim',
        metadata: { name, namespace: 'default' },
        spec: { power: 'On', image: 'os', bootPolicy: { firstBoot: 'UefiHttp', boot: 'Hdd' } },
      }),
    phase: async name => (await world.kube.get(claims, { name, namespace: 'default' })).status?.phase,
    async restart() {
      await controllers.stop()
      controllers = open()
      await world.clock.advance(seconds(5))
    },
  })
  await controllers.stop()
  await world.close()
}

describe('a readiness rule', () => {
  it('X-001 that is continuous taints servers that are not ready, and takes the taint off and on with their condition', () =>
    withRules(2, async world => {
      await world.reports('srv-2', 'True')
      await world.rule('Continuous')
      await world.clock.advance(minutes(1))
      expect((await world.server('srv-1')).spec.taints).toEqual([gate])
      expect((await world.server('srv-2')).spec.taints).toBeUndefined()
      expect((await world.kube.get(readinessRules, { name: 'wired' })).status).toMatchObject({
        notReady: 1,
        conditions: [{ type: 'Ready', status: 'False', message: '1 server is not ready and kept from claims by example.com/not-wired' }],
      })
      await world.reports('srv-1', 'True')
      await world.clock.advance(minutes(1))
      expect((await world.server('srv-1')).spec.taints).toEqual([])
      await world.reports('srv-1', 'False')
      await world.clock.advance(minutes(1))
      expect((await world.server('srv-1')).spec.taints).toEqual([gate])
    }))

  it('X-001 keeps a claim away from the first moment on, and lets it in when the server is ready', () =>
    withRules(1, async world => {
      await Promise.all([world.rule('Continuous'), world.claims('c1')])
      await world.clock.advance(minutes(5))
      expect(await world.phase('c1')).not.toBe('Bound')
      await world.reports('srv-1', 'True')
      await world.clock.advance(minutes(1))
      expect(await world.phase('c1')).toBe('Bound')
      // What a claim has it keeps: the taint keeps others away.
      await world.reports('srv-1', 'False')
      await world.clock.advance(minutes(1))
      expect((await world.server('srv-1')).spec.taints).toEqual([gate])
      expect(await world.phase('c1')).toBe('Bound')
    }))

  it('X-001 that asks once notes its answer on the server, and does not come back', () =>
    withRules(1, async world => {
      await world.rule('BootstrapOnly')
      await world.clock.advance(minutes(1))
      expect((await world.server('srv-1')).spec.taints).toEqual([gate])
      await world.reports('srv-1', 'True')
      await world.clock.advance(minutes(1))
      const ready = await world.server('srv-1')
      expect(ready.spec.taints).toEqual([])
      expect(ready.metadata.annotations).toEqual({ 'readiness.metal.ironcore.dev/bootstrap-completed-wired': 'true' })
      await world.reports('srv-1', 'False')
      await world.clock.advance(minutes(10))
      expect((await world.server('srv-1')).spec.taints).toEqual([])
    }))

  it('X-001 that is deleted takes its taint off every server, and nobody else’s', () =>
    withRules(120, async world => {
      await world.kube.patch(servers, { name: 'srv-7' }, { merge: { spec: { taints: [{ key: 'gpu' }] } } })
      await world.rule('Continuous')
      await world.clock.advance(minutes(2))
      expect((await world.server('srv-120')).spec.taints).toEqual([gate])
      await world.kube.delete(readinessRules, { name: 'wired' })
      await world.clock.advance(minutes(2))
      expect(await world.kube.find(readinessRules, { name: 'wired' })).toBeUndefined()
      const left = (await world.kube.list(servers, {})).items.flatMap(({ spec }) => spec.taints ?? [])
      expect(left).toEqual([{ key: 'gpu', effect: 'NoBind' }])
    }))

  it('I26 writes nothing more once every server is as it should be, after a restart either', () =>
    withRules(3, async world => {
      await world.rule('Continuous', { serverSelector: { matchLabels: { pool: 'compute' } } })
      await world.clock.advance(minutes(2))
      const writes = world.writes().length
      await world.clock.advance(minutes(60))
      await world.restart()
      await world.clock.advance(minutes(60))
      expect(world.writes().length).toBe(writes)
    }))
})
