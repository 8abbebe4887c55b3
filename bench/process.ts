import { readFileSync } from 'node:fs'

/** Processor milliseconds that a process has used, all its threads together. */
export function cpuOf(pid: number | undefined): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) * 10
}

export interface Times {
  readonly wall: number
  readonly cpu: number
}

/** Wall time of `work` here, and what another process spent on it meanwhile. */
export async function servedBy(pid: number | undefined, work: () => Promise<unknown>): Promise<Times> {
  const used = cpuOf(pid)
  const started = process.hrtime.bigint()
  await work()
  return { wall: Number(process.hrtime.bigint() - started) / 1e6, cpu: cpuOf(pid) - used }
}
