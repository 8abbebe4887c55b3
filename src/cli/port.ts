import { Fault } from '../core/fault.ts'

/** A port as somebody typed it. */
export function portOf(text: unknown): number {
  const port = Number(text)
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port
  throw new Fault('cli/port', `Cannot use port "${String(text)}": it is not a number from 0 to 65535`, 'never', {
    hint: 'leave --port out, or say --port 0 for a free one',
  })
}
