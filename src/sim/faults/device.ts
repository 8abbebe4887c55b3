import { seconds } from '../../core/duration.ts'
import { type Exchange, exchange, type Victim } from './exchange.ts'

/** Devices answer at once or not at all; what is not there after this long has broken off on the way. */
const patience = seconds(10)

/** The port as one process holds it: the same methods, each call logged and open to faults. `reads` are the methods that change nothing. */
export function throughFaults<P extends object>(victim: Victim, name: string, port: P, reads: readonly (keyof P & string)[]): P {
  return new Proxy(port, {
    get(target, method) {
      const found = Reflect.get(target, method, target) as unknown
      if (typeof found !== 'function' || typeof method !== 'string') return found
      return (...args: unknown[]): Promise<unknown> => {
        const call: Exchange<unknown> = {
          call: `${name}.${method}`,
          kind: (reads as readonly string[]).includes(method) ? 'device read' : 'device write',
          asked: args.filter(arg => !(arg instanceof AbortSignal)),
          signal: args.find(arg => arg instanceof AbortSignal),
          patience,
          effect: async () => (found as (...args: unknown[]) => unknown).apply(target, args),
          told: answer => answer ?? 'done',
        }
        return exchange(victim, call)
      }
    },
  })
}
