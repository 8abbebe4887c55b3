import type pc from 'picocolors'

/** Colours, or none of them in a pipe. Comes in from outside, so that what is printed can be tested as text. */
export type Paint = Pick<typeof pc, 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan' | 'magenta'>

/** How a state looks: good is green, under way yellow, wrong red, at rest plain. */
export function paintState(paint: Paint, state: string): string {
  switch (state) {
    case 'Available':
    case 'Bound':
    case 'Ready':
    case 'On':
    case 'True':
      return paint.green(state)
    case 'Discovery':
    case 'Initial':
    case 'Released':
    case 'Maintenance':
    case 'Unbound':
    case 'Pending':
    case 'PoweringOn':
    case 'PoweringOff':
      return paint.yellow(state)
    case 'Reserved':
      return paint.cyan(state)
    case 'Error':
    case 'False':
      return paint.red(state)
    default:
      return state
  }
}
