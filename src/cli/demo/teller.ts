import { claims, type Server, type ServerClaim, servers } from '../../controllers/metal/resources.ts'
import { Fault } from '../../core/fault.ts'
import type { Clock, Kube } from '../../ports/index.ts'
import { span } from '../output/age.ts'
import type { Paint } from '../output/paint.ts'
import { whyOf } from '../why/read.ts'
import { renderChain } from '../why/render.ts'

/** Tells a story while it happens: what is done is done, what is awaited is awaited at the API. */
export interface Teller {
  readonly kube: Kube
  chapter(title: string): void
  say(words: string): void
  /** What a person would type for it. */
  types(command: string): void
  /** Waits until the server is so, and says it. */
  server(name: string, words: string, so: (server: Server) => boolean): Promise<Server>
  claim(name: string, words: string, so: (claim: ServerClaim) => boolean): Promise<ServerClaim>
  /** Prints what `rackwright why` prints. */
  why(server: string): Promise<void>
}

export interface TellerPorts {
  readonly kube: Kube
  readonly clock: Clock
  readonly paint: Paint
  print(line: string): void
}

const look = 200
/** A computer that is busy with other things may take its time; a story that does not go on is a fault. */
const patience = 300_000

export function openTeller({ kube, clock, paint, print }: TellerPorts): Teller {
  const begun = clock.elapsed()
  let chapters = 0
  const stamp = (): string => paint.dim(span(clock.elapsed() - begun).padStart(4))
  const until = async <T>(words: string, read: () => Promise<T | undefined>, so: (found: T) => boolean): Promise<T> => {
    const end = clock.elapsed() + patience
    for (;;) {
      const found = await read()
      if (found !== undefined && so(found)) {
        print(`${stamp()}  ${paint.green('✓')} ${words}`)
        return found
      }
      if (clock.elapsed() > end) throw new Fault('demo/stuck', `Cannot go on with the story: it is not so that ${words}`, 'never')
      await clock.sleep(look)
    }
  }
  return {
    kube,
    chapter(title) {
      chapters++
      print(`\n${paint.bold(`${chapters}. ${title}`)}`)
    },
    say: words => print(`${stamp()}  ${words}`),
    types: command => print(`${stamp()}  ${paint.cyan(`$ rackwright ${command}`)}`),
    server: (name, words, so) => until(words, () => kube.find(servers, { name }), so),
    claim: (name, words, so) => until(words, () => kube.find(claims, { name, namespace: 'default' }), so),
    async why(name) {
      print(`${stamp()}  ${paint.cyan(`$ rackwright why ${name}`)}`)
      const chain = await whyOf(kube, { is: 'server', server: await kube.get(servers, { name }) })
      print(renderChain(chain, clock.now(), paint).replace(/^/gm, '      '))
    },
  }
}
