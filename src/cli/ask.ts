import { createInterface } from 'node:readline/promises'
import { Fault } from '../core/fault.ts'
import type { Options } from './catalogue/command.ts'

/** Asks before something is destroyed. `--yes` is an answer; without a terminal there is nobody to ask. */
export async function agreed(options: Options, question: string): Promise<boolean> {
  if (options['yes'] === true) return true
  if (!process.stdin.isTTY) {
    throw new Fault('cli/not-asked', 'Cannot ask whether to do this: standard input is not a terminal', 'never', {
      hint: 'say --yes if you are sure',
    })
  }
  return (await answer(`${question} Type yes: `)) === 'yes'
}

export async function answer(question: string): Promise<string> {
  const prompt = createInterface({ input: process.stdin, output: process.stdout })
  try {
    return (await prompt.question(question)).trim()
  } finally {
    prompt.close()
  }
}
