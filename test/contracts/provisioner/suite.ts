import { describe, expect, it } from 'vitest'
import type { HostOrder, Provisioner } from '../../../src/ports/provisioner.ts'
import { type Bringing, bring } from './bring.ts'

/** A machine, and engines that know nothing but what they are told and what they see. */
export interface EngineLab extends Omit<Bringing, 'engine'> {
  /** A new one each time, as after a restart. */
  engine(): Provisioner
  readonly host: HostOrder
  /** What is to be installed, for a host as this one. */
  readonly installs: {
    readonly image: Pick<HostOrder, 'image'>
    readonly method: Pick<HostOrder, 'customDeploy'>
    readonly live: Pick<HostOrder, 'image'>
  }
  /** How the machine really is. */
  really(): {
    readonly power: string
    readonly runs: string | undefined
    readonly disk: string | undefined
    readonly discs: readonly string[]
    readonly happened: number
  }
  settle(): Promise<void>
  cut(): void
  mend(): void
  stop(): Promise<void>
}

/** What every engine promises to the controller of hosts. */
export function provisionerContract(name: string, open: () => Promise<EngineLab>): void {
  const story = (title: string, play: (lab: EngineLab, by: Bringing) => Promise<void>) =>
    it(title, async () => {
      const lab = await open()
      const one = lab.engine()
      try {
        await play(lab, { ...lab, engine: () => one })
      } finally {
        await lab.stop()
      }
    })

  describe(`what an engine promises: ${name}`, () => {
    story('registration tells which machine answers, and changes nothing', async (lab, by) => {
      const { turn, steps } = await bring(by, lab.host, 'register')
      expect(turn).toMatchObject({ is: 'done', systemUUID: expect.any(String), powered: false })
      expect([steps, lab.really().happened]).toEqual([[], 0])
    })
    story('a controller that does not answer is a failure of its registration, and a pause of everything else', async (lab, by) => {
      lab.cut()
      expect((await bring(by, lab.host, 'register')).turn).toMatchObject({ is: 'failed', retryable: true })
      const engine = lab.engine()
      const sight = await lab.during(engine.look(lab.host, 'powerOn', undefined, new AbortController().signal))
      expect(engine.judge(lab.host, 'powerOn', undefined, sight, lab.clock.now())).toMatchObject({ is: 'busy' })
    })
    story('an inspection tells what the machine is made of; what comes next leaves it off', async (lab, by) => {
      const inspected = await bring(by, lab.host, 'inspect')
      expect(inspected.turn).toMatchObject({ is: 'done', inventory: { nics: expect.any(Array), disks: expect.any(Array) } })
      expect((await bring(by, lab.host, 'prepare', inspected.memory)).turn.is).toBe('done')
      expect(lab.really()).toMatchObject({ power: 'Off', discs: [] })
    })
    story('power is brought to where it is wanted, and a machine that is there already is not touched', async (lab, by) => {
      expect((await bring(by, lab.host, 'powerOn')).turn).toMatchObject({ is: 'done', powered: true })
      const again = await bring(by, lab.host, 'powerOn')
      expect(again.steps).toEqual([])
      expect((await bring(by, lab.host, 'powerOff', again.memory)).turn).toMatchObject({ is: 'done', powered: false })
      expect(lab.really().power).toBe('Off')
    })
    for (const [what, times, restarts] of [
      ['once', 1, false],
      ['twice, as after a lost answer', 2, false],
      ['by one engine after the other, as after restarts', 1, true],
    ] as const)
      story(`an image is installed, booted from disk and cleaned away, each step done ${what}`, async (lab, by) => {
        const host: HostOrder = { ...lab.host, ...lab.installs.image }
        let newest = by.engine(0)
        const engines: Bringing = {
          ...by,
          times,
          engine(turn) {
            if (restarts && turn % 20 === 19) newest = lab.engine()
            return newest
          },
        }
        const deployed = await bring(engines, host, 'deploy')
        expect(deployed.turn, deployed.turn.because).toMatchObject({ is: 'done' })
        await lab.settle()
        expect(lab.really()).toMatchObject({ power: 'On', runs: 'Hdd', discs: [], disk: host.image?.url })
        const cleaned = await bring(engines, host, 'clean', deployed.memory)
        expect(cleaned.turn, cleaned.turn.because).toMatchObject({ is: 'done' })
        expect(lab.really()).toMatchObject({ power: 'Off', disk: undefined, discs: [] })
        expect(cleaned.memory?.attempt).toBeGreaterThan(deployed.memory?.attempt ?? 0)
      })
    story('a method of the agent’s own installs it', async (lab, by) => {
      const deployed = await bring(by, { ...lab.host, ...lab.installs.method }, 'deploy')
      expect(deployed.turn, deployed.turn.because).toMatchObject({ is: 'done' })
      expect(deployed.steps).toContain(`deploy.${lab.installs.method.customDeploy}`)
    })
    story('a live disc stays in as long as it is wanted, and is taken out with the host', async (lab, by) => {
      const host: HostOrder = { ...lab.host, ...lab.installs.live }
      const deployed = await bring(by, host, 'deploy')
      await lab.settle()
      expect(lab.really()).toMatchObject({ runs: 'Cd', discs: [host.image?.url] })
      expect((await bring(by, host, 'letGo', deployed.memory)).turn).toMatchObject({ is: 'done' })
      expect(lab.really()).toMatchObject({ power: 'Off', discs: [] })
    })
    story('looking changes nothing, whatever is asked for', async (lab, by) => {
      for (const work of ['register', 'inspect', 'prepare', 'deploy', 'clean', 'powerOn', 'powerOff', 'letGo'] as const)
        await by.engine(0).look({ ...lab.host, ...lab.installs.image }, work, undefined, new AbortController().signal)
      await lab.settle()
      expect(lab.really()).toMatchObject({ happened: 0, power: 'Off', discs: [] })
    })
  })
}
