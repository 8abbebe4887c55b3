import pc from 'picocolors'
import { Fault } from '../core/fault.ts'

/** Tells a person what went wrong and what to do, on standard error. A fault is foreseen and needs no stack; anything else does. */
export function complain(error: Error): void {
  const head = `${pc.red('rackwright:')} ${error.message}`
  if (!(error instanceof Fault)) return void console.error(`${head}\n${error.stack ?? ''}`)
  console.error(error.hint === undefined ? head : `${head}\n  ${pc.bold('What to do:')} ${error.hint}`)
}
