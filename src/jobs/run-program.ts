import type { RunOrder } from '../ports/jobs.ts'

/** Runs a program to its end and answers with its exit code: the same function in this process, in a thread and in a pod. */
export type RunProgram = (order: RunOrder, life: { readonly signal: AbortSignal; say(line: string): void }) => Promise<number>

/** A program that throws has failed, and says why; its exit code is the one of what is worth another try. */
export async function exitCodeOf(run: RunProgram, order: RunOrder, signal: AbortSignal, say: (line: string) => void): Promise<number> {
  try {
    return await run(order, { signal, say })
  } catch (error) {
    say(error instanceof Error ? error.message : String(error))
    return 1
  }
}
