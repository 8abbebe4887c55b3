import { readFileSync } from 'node:fs'
import { Fault } from '../../../core/fault.ts'
import { answer } from '../../ask.ts'
import type { Options } from '../../catalogue/command.ts'
import { hiddenAnswer } from '../../hidden-answer.ts'

export interface Credentials {
  readonly username: string
  readonly password: string
}

/** From where it cannot be overheard: a file, the environment, or a question. Never an argument, which every user of the machine can read. */
export async function credentialsFor(options: Options, env: NodeJS.ProcessEnv = process.env): Promise<Credentials> {
  const { user, passwordFile } = options
  const username = typeof user === 'string' ? user : process.stdin.isTTY ? (await answer('User of the BMC [admin]: ')) || 'admin' : 'admin'
  if (typeof passwordFile === 'string') return { username, password: fromFile(passwordFile) }
  const given = env['RACKWRIGHT_BMC_PASSWORD']
  return { username, password: given ?? (await hiddenAnswer(`Password of ${username}: `)) }
}

function fromFile(file: string): string {
  try {
    return readFileSync(file, 'utf8').replace(/\r?\n$/, '')
  } catch (cause) {
    throw new Fault('cli/password', `Cannot read the password from ${file}: ${(cause as NodeJS.ErrnoException).code}`, 'never', { cause })
  }
}
