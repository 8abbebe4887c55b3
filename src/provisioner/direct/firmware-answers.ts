import { Fault } from '../../core/fault.ts'
import type { EngineMemory, EngineStep, HostOrder } from '../../ports/provisioner.ts'

/** What a controller answered to the last call for firmware: known only to the process that made it, and only spares it some waiting. */
export interface Answer {
  readonly task?: string
  /** Why it refused, where that is certain. */
  readonly refused?: string
  /** It did not do it, and may in a while. */
  readonly later?: string
}

const steps = ['setBios', 'unsetBios', 'update']
/** After any other fault a call may have been taken all the same. */
const certain = ['refused', 'not-offered', 'not-found', 'no-such-setting', 'license', 'lockdown', 'forbidden'].map(word => `bmc/${word}`)
const passing = ['busy', 'in-post', 'session-limit', 'throttled', 'changed-meanwhile', 'unauthorized'].map(word => `bmc/${word}`)

/** Remembers answers for as long as the step that they are to is the last that was noted. */
export function firmwareAnswers() {
  const last = new Map<string, { readonly step: string; readonly answer: Answer }>()
  return {
    of: ({ uid }: HostOrder, memory: EngineMemory | undefined): Answer | undefined => {
      const found = last.get(uid)
      return found?.step === memory?.step ? found?.answer : undefined
    },
    async keep({ uid }: HostOrder, step: EngineStep, call: () => Promise<unknown>): Promise<void> {
      last.delete(uid)
      if (!steps.includes(step.do)) {
        await call()
        return
      }
      try {
        const task = await call()
        last.set(uid, { step: step.do, answer: typeof task === 'string' ? { task } : {} })
      } catch (error) {
        const code = error instanceof Fault ? error.code : ''
        const words = error instanceof Error ? error.message : ''
        if (certain.includes(code)) last.set(uid, { step: step.do, answer: { refused: words } })
        if (passing.includes(code)) last.set(uid, { step: step.do, answer: { later: words } })
        throw error
      }
    },
    forget: ({ uid }: Pick<HostOrder, 'uid'>): void => void last.delete(uid),
  }
}
