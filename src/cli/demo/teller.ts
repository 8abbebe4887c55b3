import { claims, type Server, type ServerClaim, servers } from '../../controllers/metal/resources.ts'
import { type BareMetalHost, hosts } from '../../controllers/metal3/resources.ts'
import { Fault } from '../../core/fault.ts'
import type { Clock, Kube } from '../../ports/index.ts'
import { span } from '../output/age.ts'
import type { Paint } from '../output/paint.ts'
import type { Target } from '../target.ts'
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
  host(name: string, words: string, so: (host: BareMetalHost) => boolean): Promise<BareMetalHost>
  /** Waits until something that is read is so, and says it. */
  sees<T>(words: string, read: () => Promise<T | undefined>, so?: (found: T) => boolean): Promise<T>
  /** Prints what `rackwright why` prints. */
  why(server: string): Promise<void>
  whyHost(host: string): Promise<void>
}

export interface TellerPorts {
  readonly kube: Kube
  readonly clock: Clock
  readonly paint: Paint
  print(line: string): void
}

const namespace = 'default'
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
  const explain = async (name: string, target: Target): Promise<void> => {
    print(`${stamp()}  ${paint.cyan(`$ rackwright why ${name}`)}`)
    print(renderChain(await whyOf(kube, target), clock.now(), paint).replace(/^/gm, '      '))
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
    claim: (name, words, so) => until(words, () => kube.find(claims, { name, namespace }), so),
    host: (name, words, so) => until(words, () => kube.find(hosts, { name, namespace }), so),
    sees: (words, read, so = () => true) => until(words, read, so),
    why: async name => explain(name, { is: 'server', server: await kube.get(servers, { name }) }),
    whyHost: async name => explain(name, { is: 'host', host: await kube.get(hosts, { name, namespace }) }),
  }
}
