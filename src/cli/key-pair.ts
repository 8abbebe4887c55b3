import { readFileSync } from 'node:fs'
import { Fault } from '../core/fault.ts'
import type { Options } from './catalogue/command.ts'

/** A certificate chain and its key, from the files that two options name; undefined where neither is given. */
export function keyPair(options: Options, cert: string, key: string): { readonly certificate: string; readonly key: string } | undefined {
  const [first, second] = [options[cert], options[key]]
  if (first === undefined && second === undefined) return undefined
  if (typeof first !== 'string' || typeof second !== 'string')
    throw new Fault('cli/tls', `Cannot serve with half a key pair: ${flag(cert)} and ${flag(key)} go together`, 'never')
  return { certificate: read(first), key: read(second) }
}

const flag = (name: string): string => `--${name.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)}`

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (cause) {
    throw new Fault('cli/tls', `Cannot read ${file}: ${(cause as NodeJS.ErrnoException).code}`, 'never', { cause })
  }
}
