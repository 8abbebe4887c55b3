import type { Provisioner, Turn, Work } from '../../src/ports/provisioner.ts'

/** An engine that answers some work as a test says, and otherwise is the one that it stands in front of. */
export const answering =
  (answers: Partial<Record<Work, (asked: number) => Turn>>) =>
  (direct: Provisioner): Provisioner => {
    const asked = new Map<Work, number>()
    return {
      ...direct,
      look: (host, work, memory, signal) => (answers[work] ? Promise.resolve(undefined) : direct.look(host, work, memory, signal)),
      judge(host, work, memory, sight, now) {
        const answer = answers[work]
        if (!answer) return direct.judge(host, work, memory, sight, now)
        asked.set(work, (asked.get(work) ?? 0) + 1)
        return answer(asked.get(work)!)
      },
    }
  }

export const done = (because: string): Turn => ({ is: 'done', because })
export const failed = (because: string, retryable = true): Turn => ({ is: 'failed', because, retryable })
export const working = (because: string): Turn => ({ is: 'progress', because, again: 15_000 })
