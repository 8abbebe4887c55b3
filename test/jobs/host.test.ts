import { afterEach, describe, expect, it } from 'vitest'
import { type Job, jobEnd } from '../../src/api/batch/job.ts'
import { hours, minutes, seconds } from '../../src/core/duration.ts'
import { jobs } from '../../src/jobs/host/index.ts'
import type { RunProgram } from '../../src/jobs/run-program.ts'
import type { RunOrder } from '../../src/ports/jobs.ts'
import { aJob, type HostWorld, hostWorld } from './host-world.ts'

describe('X-018 the Job host', () => {
  const open: HostWorld[] = []
  const hosting = async (run: RunProgram): Promise<HostWorld> => {
    const world = await hostWorld(run)
    open.push(world)
    return world
  }
  afterEach(async () => {
    for (const world of open.splice(0)) await world.stop()
  })
  const reason = ({ status }: Job, type: string): string | undefined => status?.conditions?.find(one => one.type === type)?.reason
  /** Ends after so many virtual seconds with these codes, one after the other. */
  const programs = (world: () => HostWorld, long: number, ...codes: readonly number[]) => {
    const orders: RunOrder[] = []
    const run: RunProgram = async (order, { signal }) => {
      orders.push(order)
      const code = codes[Math.min(orders.length, codes.length) - 1]!
      await world().clock.sleep(seconds(long), signal)
      return code
    }
    return { orders, run }
  }
  const hosted = async (long: number, ...codes: readonly number[]) => {
    let world!: HostWorld
    const { orders, run } = programs(() => world, long, ...codes)
    world = await hosting(run)
    return { world, orders }
  }

  it('runs a Job of its own image to Complete, with the status that Kubernetes would write', async () => {
    const { world, orders } = await hosted(5, 0)
    await world.kube.create(jobs, aJob('scan', { ttlSecondsAfterFinished: 60 }))
    await world.clock.advance(seconds(3))
    expect((await world.job('scan')).status).toMatchObject({ active: 1, ready: 1, startTime: expect.any(String) })
    await world.clock.advance(seconds(5))
    const done = await world.job('scan')
    expect(done.status).toMatchObject({ succeeded: 1, completionTime: expect.any(String), startTime: expect.any(String) })
    expect(done.status?.active).toBeUndefined()
    expect(jobEnd(done)).toBe('Complete')
    expect(reason(done, 'SuccessCriteriaMet')).toBe('CompletionsReached')
    expect(orders).toMatchObject([{ program: 'bios-scan', account: 'jobs', env: { RACKWRIGHT_JOB_NAME: 'x' }, token: 'token', attempt: 1 }])
    await world.clock.advance(seconds(70))
    expect(await world.kube.find(jobs, { name: 'scan', namespace: 'default' })).toBeUndefined()
  })

  it('writes once for a run that is over before anybody looks: its end', async () => {
    const { world } = await hosted(0, 0)
    await world.kube.create(jobs, aJob('scan'))
    const before = world.writes().length
    await world.clock.advance(minutes(5))
    expect(jobEnd(await world.job('scan'))).toBe('Complete')
    const written = world
      .writes()
      .slice(before)
      .map(({ method, path }) => `${method} ${path.split('?')[0]!.split('/').slice(-2).join('/')}`)
    expect(written.filter(line => line.startsWith('PATCH'))).toEqual(['PATCH scan/status'])
  })

  it('tries again with a growing pause, up to the limit', async () => {
    const { world, orders } = await hosted(1, 1)
    await world.kube.create(jobs, aJob('fails'))
    await world.clock.advance(seconds(9))
    expect(orders).toHaveLength(1)
    expect((await world.job('fails')).status).toMatchObject({ failed: 1 })
    await world.clock.advance(seconds(6))
    expect(orders).toHaveLength(2)
    await world.clock.advance(seconds(15))
    expect(orders).toHaveLength(2)
    await world.clock.advance(seconds(20))
    expect(orders.map(({ attempt }) => attempt)).toEqual([1, 2, 3])
    const failed = await world.job('fails')
    expect(jobEnd(failed)).toBe('Failed')
    expect(reason(failed, 'Failed')).toBe('BackoffLimitExceeded')
    expect(failed.status).toMatchObject({ failed: 3 })
    await world.clock.advance(hours(1))
    expect(orders).toHaveLength(3)
  })

  it('does not try again what its podFailurePolicy calls hopeless', async () => {
    const { world, orders } = await hosted(1, 2)
    const podFailurePolicy = {
      rules: [{ action: 'FailJob' as const, onExitCodes: { containerName: 'job', operator: 'In' as const, values: [2, 3] } }],
    }
    await world.kube.create(jobs, aJob('hopeless', { podFailurePolicy }))
    await world.clock.advance(minutes(10))
    expect(reason(await world.job('hopeless'), 'Failed')).toBe('PodFailurePolicy')
    expect(orders).toHaveLength(1)
  })

  it('does not count what its podFailurePolicy ignores', async () => {
    const { world, orders } = await hosted(1, 7, 7, 7, 7, 0)
    const podFailurePolicy = { rules: [{ action: 'Ignore' as const, onExitCodes: { operator: 'In' as const, values: [7] } }] }
    await world.kube.create(jobs, aJob('ignored', { podFailurePolicy }))
    await world.clock.advance(minutes(3))
    expect(jobEnd(await world.job('ignored'))).toBe('Complete')
    expect(orders).toHaveLength(5)
  })

  it('stops a run at its deadline, and fails the Job only when nothing runs any more', async () => {
    const { world, orders } = await hosted(10_000, 0)
    await world.kube.create(jobs, aJob('long', { activeDeadlineSeconds: 60 }))
    await world.clock.advance(seconds(55))
    expect(jobEnd(await world.job('long'))).toBeUndefined()
    await world.clock.advance(seconds(20))
    const failed = await world.job('long')
    expect(reason(failed, 'Failed')).toBe('DeadlineExceeded')
    expect(failed.status?.active).toBeUndefined()
    expect(orders).toHaveLength(1)
  })

  it('stops a suspended Job and starts it again when it goes on', async () => {
    const { world, orders } = await hosted(30, 0)
    await world.kube.create(jobs, aJob('held'))
    await world.clock.advance(seconds(5))
    await world.kube.patch(jobs, { name: 'held', namespace: 'default' }, { merge: { spec: { suspend: true } } })
    await world.clock.advance(minutes(5))
    const held = await world.job('held')
    expect(reason(held, 'Suspended')).toBe('JobSuspended')
    expect(held.status?.startTime).toBeUndefined()
    expect(orders).toHaveLength(1)
    await world.kube.patch(jobs, { name: 'held', namespace: 'default' }, { merge: { spec: { suspend: false } } })
    await world.clock.advance(minutes(1))
    expect(jobEnd(await world.job('held'))).toBe('Complete')
    expect(orders).toHaveLength(2)
  })

  it('starts a run anew that was under way when the host went down, as the same try', async () => {
    const { world, orders } = await hosted(60, 0)
    await world.kube.create(jobs, aJob('cut'))
    await world.clock.advance(seconds(10))
    await world.restart()
    await world.clock.advance(minutes(2))
    expect(orders.map(({ attempt }) => attempt)).toEqual([1, 1])
    const done = await world.job('cut')
    expect(jobEnd(done)).toBe('Complete')
    expect(done.status?.failed).toBeUndefined()
  })

  it('stops the run of a Job that is deleted', async () => {
    let stopped = false
    const world = await hosting(
      (_, { signal }) =>
        new Promise(resolve =>
          signal.addEventListener('abort', () => {
            stopped = true
            resolve(143)
          }),
        ),
    )
    await world.kube.create(jobs, aJob('gone'))
    await world.clock.advance(seconds(3))
    await world.kube.delete(jobs, { name: 'gone', namespace: 'default' }, { propagation: 'Background' })
    await world.clock.advance(seconds(10))
    expect(stopped).toBe(true)
  })

  it.each([
    ['another image', {}, { image: 'vendor.example/flasher:1' }, 'vendor.example/flasher:1 is not this program'],
    ['an unknown program', {}, { args: ['job', 'mine-coins'] }, 'there is no program "mine-coins"'],
    ['other arguments', {}, { args: ['up'] }, 'its arguments are not'],
    ['a command of its own', {}, { command: ['sh'] }, 'it replaces the command'],
    ['an environment from elsewhere', {}, { envFrom: [{ configMapRef: { name: 'x' } }] }, 'its environment comes from elsewhere'],
    [
      'code in its environment',
      {},
      { env: [{ name: 'NODE_OPTIONS', value: '--import=data:text/javascript,process.exit(0)' }] },
      'its environment has NODE_OPTIONS',
    ],
    ['a home of its own in its environment', {}, { env: [{ name: 'RACKWRIGHT_HOME', value: '/' }] }, 'its environment has RACKWRIGHT_HOME'],
    ['several runs', { completions: 3 }, {}, 'it wants more than one run'],
  ])('leaves a Job with %s alone and says NotRunnableHere', async (_, spec, container, words) => {
    const { world, orders } = await hosted(1, 0)
    await world.kube.create(jobs, aJob('other', spec, container))
    await world.clock.advance(minutes(5))
    const left = await world.job('other')
    expect(reason(left, 'Runnable')).toBe('NotRunnableHere')
    expect(left.status?.conditions?.find(one => one.type === 'Runnable')?.message).toContain(words)
    expect(jobEnd(left)).toBeUndefined()
    expect(left.status?.startTime).toBeUndefined()
    expect(orders).toEqual([])
    const events = await world.kube.list({ group: '', version: 'v1', plural: 'events', namespaced: true })
    expect(events.items.map(event => event['reason'])).toContain('NotRunnableHere')
  })
})
