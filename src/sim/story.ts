import type { Millis } from '../core/duration.ts'
import type { KubeObject } from '../core/object.ts'
import type { Clock, Kube } from '../ports/index.ts'
import type { Mode } from './faults/fault.ts'
import type { Invariant, Sight } from './invariant.ts'
import type { ProcessPorts, Running } from './process.ts'
import type { Random } from './seed.ts'
import type { Stage } from './stage.ts'
import type { Words } from './words.ts'

/** Where stories of one kind play: what the API serves, what the processes run, which devices there are, what must always hold. */
export interface Setting<Devices = unknown, More extends object = object> {
  readonly crds: readonly KubeObject[]
  devices(world: { readonly clock: Clock; readonly random: Random }): Devices
  program(ports: ProcessPorts, devices: Devices): Running
  readonly invariants: readonly Invariant<Devices>[]
  /** What must be the same at the end of every run, whatever went wrong on the way: objects and devices, without names and times that chance made. */
  end(sight: Sight<Devices>): unknown
  /** Words of the domain, laid over those that every story knows. */
  words?(stage: Stage<Devices>): More
  /** What people may do at any moment, and take back after a while, so that the story ends as it would have. */
  meddle?(user: Kube, clock: Clock): Promise<void>
  /** What is not tried in its stories, because they rightly end otherwise then. */
  readonly without?: readonly Mode[]
  /** What runs beside the processes and keeps up with the API as they do: a paced clock waits for it too. */
  beside?(devices: Devices): Pick<Running, 'busy' | 'caches'>
  /** Ends what runs beside the processes. */
  close?(devices: Devices): Promise<void>
  /** The API server dies with the processes, as in one-process mode. */
  readonly together?: boolean
  /** How long nothing may have been written for it to be the fixed point; more than the longest back-off unless told. */
  readonly rest?: Millis
  /** Looks are repeated for minutes here: of the same look between two changes the first two stand for the rest. */
  readonly series?: boolean
}

/** A story as data: it can be played once by a test, or thousands of times with faults. */
export interface Story<Devices = unknown, More extends object = object> {
  readonly name: string
  readonly setting: Setting<Devices, More>
  play(words: Words<Devices> & More): Promise<void>
}

/** `scenario('a press prints', async ({ given, when, then }) => …)` for the stories of one setting. */
export const scenarios =
  <Devices, More extends object>(setting: Setting<Devices, More>) =>
  (name: string, play: Story<Devices, More>['play']): Story<Devices, More> => ({ name, setting, play })
