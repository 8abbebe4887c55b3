import { ApiError } from '../../api/status.ts'
import { printInstant } from '../../core/instant.ts'
import type { ResourceRef } from '../../ports/index.ts'
import type { JobEnvironment } from './environment.ts'
import { type Outcome, stopped } from './exit.ts'
import type { ProgramName, ProgramPorts } from './program.ts'
import type { ServerBIOS, ServerFirmware } from './resources.ts'

/** What a job says of itself, in `status.lastJob`. A field that is left out is taken away. */
export interface Note {
  readonly step?: string | undefined
  readonly task?: string | undefined
  readonly progress?: number | undefined
  readonly power?: 'On' | 'Off' | undefined
}

type Result = Readonly<Record<string, unknown>>

/** The object that a job works for, and the part of its status that is the job's. */
export interface Target<T> {
  /** As it was read at the start, or after the last write. */
  readonly object: T
  /** What an earlier try of the same Job noted. */
  readonly before: Note
  /** Before anything is done that the machine cannot tell later. */
  note(note: Note): Promise<void>
  /** The result, and that the job is over. */
  done(result: Result, message: string): Promise<void>
  /** That it is not done, and why; `runningJob` is left to the controller, since the Job may try again. */
  gaveUp(outcome: Outcome, message: string): Promise<void>
  /** Throws where the wish changed meanwhile. */
  same(): Promise<void>
}

const tries = 8

export async function openTarget<T extends ServerBIOS | ServerFirmware>(
  { kube, clock, signal }: ProgramPorts,
  env: JobEnvironment,
  of: ResourceRef<T>,
  program: ProgramName,
): Promise<Target<T>> {
  const fresh = async (): Promise<T> => {
    const found = await kube.find(of, { name: env.name }, { signal })
    if (found?.metadata.uid === env.uid) return found
    throw stopped(`${env.kind} ${env.name} is ${found ? 'another one now' : 'gone'}`)
  }
  let object = await fresh()
  const { generation } = object.metadata
  const own = object.status?.lastJob?.name === env.job ? object.status.lastJob : undefined
  // A try that gave up has told why, and begins anew; one that was cut off goes on.
  const before: Note =
    own?.outcome === 'Running' ? { step: own.step, task: own.task, progress: own.progress, power: own.power } : { power: own?.power }
  let noted = before

  /** One patch, refused where somebody wrote meanwhile: then it is made again from what they wrote. */
  const write = async (status: (standing: T) => Result): Promise<void> => {
    for (let attempt = 1; ; attempt++) {
      const { resourceVersion, uid } = object.metadata
      const merge = { metadata: { resourceVersion, uid }, status: status(object) }
      try {
        object = await kube.patch(of, { name: env.name }, { merge }, { subresource: 'status', signal })
        return
      } catch (error) {
        if (!ApiError.is(error, 'Conflict') || attempt === tries) throw error
        object = await fresh()
      }
    }
  }
  const report = (outcome: 'Running' | 'Succeeded' | Outcome, note: Note, message?: string): object => ({
    name: env.job,
    program,
    outcome,
    generation: generation ?? null,
    message: message?.slice(0, 4_000) ?? null,
    step: note.step?.slice(0, 256) ?? null,
    task: note.task ?? null,
    progress: note.progress ?? null,
    power: note.power ?? null,
    finished: outcome === 'Running' ? null : printInstant(clock.now()),
  })
  return {
    get object() {
      return object
    },
    before,
    async note(note) {
      noted = note
      await write(() => ({ lastJob: report('Running', note) }))
    },
    done: (result, message) =>
      write(standing => ({
        ...result,
        lastJob: report('Succeeded', {}, message),
        ...(standing.status?.runningJob?.name === env.job ? { runningJob: null } : {}),
      })),
    gaveUp: (outcome, message) => write(() => ({ lastJob: report(outcome, noted, message) })),
    async same() {
      object = await fresh()
      if (object.metadata.generation !== generation) throw stopped(`${env.kind} ${env.name} was changed meanwhile`)
    },
  }
}
