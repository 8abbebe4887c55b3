import { appendFile, mkdir, readdir, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { RunKey } from '../../ports/jobs.ts'

export interface JobLogs {
  /** Keeps a line; never waits. */
  say(run: RunKey, line: string): void
  /** The last lines of a try, also of one of before a restart. */
  read(run: RunKey): Promise<readonly string[]>
  close(): Promise<void>
}

export interface JobLogLimits {
  /** Files of so many tries are kept. */
  readonly files?: number
  /** How long a file may get; what is said after that is left out. */
  readonly bytes?: number
  /** So many lines are shown. */
  readonly lines?: number
}

/** What Jobs said, in a file for each try: it is there after a restart, too. What cannot be written is not worth a Job. */
export async function openJobLogs(folder: string, { files = 1_000, bytes = 256 * 1024, lines = 400 }: JobLogLimits = {}): Promise<JobLogs> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const sizes = new Map<string, number>()
  let writing: Promise<unknown> = prune(folder, files)
  const after = (work: () => Promise<unknown>): void => {
    writing = writing.then(work).catch(() => undefined)
  }
  return {
    say(run, line) {
      const file = nameOf(run)
      const text = `${line.slice(0, 1_000)}\n`
      const before = sizes.get(file)
      if ((before ?? 0) + text.length > bytes) return
      sizes.set(file, (before ?? 0) + text.length)
      after(() => appendFile(join(folder, file), text, { mode: 0o600 }))
      if (before === undefined && sizes.size % 100 === 0) after(() => prune(folder, files))
    },
    async read(run) {
      await writing
      const text = await readFile(join(folder, nameOf(run)), 'utf8').catch(() => '')
      return text.split('\n').slice(0, -1).slice(-lines)
    },
    async close() {
      await writing
    },
  }
}

/** A UID is letters, digits and dashes; whatever else somebody calls a Job leads nowhere else. */
const nameOf = ({ job, attempt }: RunKey): string => `${job.replace(/[^A-Za-z0-9-]/g, '_')}.${attempt}.log`

async function prune(folder: string, most: number): Promise<void> {
  const names = await readdir(folder)
  if (names.length <= most) return
  const aged = await Promise.all(names.map(async name => ({ name, at: (await stat(join(folder, name))).mtimeMs })))
  for (const { name } of aged.toSorted((a, b) => b.at - a.at).slice(most)) await rm(join(folder, name), { force: true })
}
