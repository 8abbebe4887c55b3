import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { raidOrder } from '../../src/policy/metal3/raid.ts'
import type { EngineMemory } from '../../src/ports/provisioner.ts'
import { bring } from '../contracts/provisioner/bring.ts'
import { type Lane, openLane } from './ironic-agent/lane.ts'
import { isHarmless, realAgent } from './ironic-agent/real-agent.ts'

const found = realAgent()

if ('missing' in found) describe('the direct engine with a real agent', () => it.skip(`it is not here: ${found.missing}`, () => {}))
else
  describe('the direct engine with a real ironic-python-agent on a simulated machine', () => {
    let lane: Lane
    let memory: EngineMemory | undefined
    const discs = () => Object.values(lane.rack.machine('srv-1').media ?? {})
    beforeAll(async () => {
      lane = await openLane(found.folder)
    })
    afterAll(() => lane?.stop())

    it('ZT-006 inspects the machine, and leaves it off and without the disc', async () => {
      const inspected = await bring(lane, lane.host, 'inspect')
      expect(isHarmless(lane.agents.at(-1)!.pid), 'the agent runs as somebody who may do nothing').toBe(true)
      expect(inspected.turn).toMatchObject({
        is: 'done',
        inventory: {
          manufacturer: 'Maker',
          memoryBytes: 16 * 1024 ** 3,
          nics: [{ name: 'eth0', mac: '00:5c:52:00:00:01', addresses: ['172.22.0.1'] }],
          disks: [{ name: '/dev/fake0', serial: 'S1' }],
        },
      })
      memory = (await bring(lane, lane.host, 'prepare', inspected.memory)).memory
      expect([lane.rack.machine('srv-1').power, discs()]).toEqual(['Off', []])
    })
    it('ZT-040 has it do a deploy step of its own, then boots from disk', async () => {
      const deployed = await bring(lane, { ...lane.host, customDeploy: 'lane_works' }, 'deploy', memory)
      expect(deployed.turn, lane.agents.at(-1)?.log().slice(-2_000)).toMatchObject({ is: 'done' })
      expect(deployed.steps).toEqual([
        'insert',
        'bootOnce',
        'switchOn',
        'deploy.lane_works',
        'standby.sync',
        'switchOff',
        'eject',
        'bootFrom',
        'switchOn',
      ])
      expect(discs(), 'ZT-050 the disc is out').toEqual([])
      memory = deployed.memory
    })
    it('ZT-043 tells in the agent’s own words why a step failed', async () => {
      const failed = await bring(lane, { ...lane.host, customDeploy: 'lane_fails' }, 'deploy', { ...memory!, work: 'none' })
      expect(failed.turn).toMatchObject({ is: 'failed', because: expect.stringContaining('the lane says no'), retryable: true })
      memory = failed.memory
    })
    it('has it clean the machine by the step that hosts ask for', async () => {
      const cleaned = await bring(lane, lane.host, 'clean', memory)
      expect(cleaned.turn, lane.agents.at(-1)?.log().slice(-2_000)).toMatchObject({ is: 'done' })
      expect(cleaned.steps).toContain('deploy.erase_devices_metadata')
      expect(lane.rack.machine('srv-1').power).toBe('Off')
    })
    it('RAID volumes of a controller are refused: the stock manager offers the steps, and is known to make none', async () => {
      const raid = raidOrder({ hardwareRAIDVolumes: [{ level: '5' }] }, false)
      const refused = await bring(lane, { ...lane.host, raid }, 'prepare')
      expect(refused.turn).toMatchObject({ is: 'failed', because: expect.stringContaining('no step for RAID controllers') })
      expect(refused.steps, 'nothing was asked of it').not.toContain('raid.delete_configuration')
      expect([lane.rack.machine('srv-1').power, discs()]).toEqual(['Off', []])
    })
    it('RAID volumes of the system are checked by the agent itself, and what it says against them is told', async () => {
      const raid = raidOrder({ softwareRAIDVolumes: [{ level: '1' }, { level: '0' }] }, false)
      const refused = await bring(lane, { ...lane.host, raid }, 'prepare')
      expect(refused.turn, lane.agents.at(-1)?.log().slice(-2_000)).toMatchObject({
        is: 'failed',
        because: expect.stringMatching(/its agent failed at raid\.create_configuration: .*only one RAID device with size 'MAX'/),
      })
      expect(refused.steps.filter(step => /^(raid|deploy)\./.test(step))).toEqual([
        'raid.delete_configuration',
        'deploy.erase_devices_metadata',
        'raid.create_configuration',
      ])
    })
  })
