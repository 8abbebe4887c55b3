import { isFalse, isTrue } from '../../../core/condition.ts'
import { minutes } from '../../../core/duration.ts'
import { act, idle, type Plan, type Release, release, wait } from '../../../core/plan.ts'
import { imageValid, imageProblem as problemOf } from '../image-problem.ts'
import type { Seen, SeenServer } from './seen.ts'

export type Verb =
  /** Compare-and-set on the Server: it is ours, if it is still free. */
  | { readonly do: 'take'; readonly server: string; readonly serverUID: string }
  | { readonly do: 'nameServer'; readonly server: string }
  | { readonly do: 'createConfiguration'; readonly server: string }
  | { readonly do: 'updateConfiguration' }
  | Release

/** One server per claim and one claim per server: noted on the claim first, then taken on the server, then named in the claim. */
export function decide(seen: Seen): Plan<Verb> {
  const { claim, server } = seen
  if (claim.deleting) return letGo(seen)
  if (!claim.binding) return seek(seen)
  if (!server || server.uid !== claim.binding.serverUID) return lost(claim.binding.server, 'is gone')
  if (server.taken === 'us') return keep(seen, server)
  if (server.taken === 'other') return lost(server.name, 'was taken by another claim')
  if (!server.available) return lost(server.name, 'is not available any more')
  return act(`takes server ${server.name}`, [{ do: 'take', server: server.name, serverUID: server.uid }])
}

/** The server is switched off and cleaned by its own controller, which then lets go of the claim; only that ends the claim. */
function letGo({ server }: Seen): Plan<Verb> {
  if (server?.taken === 'us') return wait(`waits until server ${server.name} is off and has let go of it`, minutes(1))
  return act('nothing refers to it any more', [release])
}

function lost(server: string, why: string): Plan<Verb> {
  const because = `server ${server} ${why}`
  return idle(because, {
    status: { binding: null, phase: 'Unbound', conditions: [isFalse('Bound', 'ServerLost', because)] },
    events: [{ type: 'Warning', reason: 'ServerLost', message: because }],
    again: 0,
  })
}

/** Without a server: nothing is noted, taken or created before the image is known to fit. */
function seek(seen: Seen): Plan<Verb> {
  const { match } = seen
  if (!match) return idle('looks for a server')
  if (!match.fits)
    return idle(match.because, { status: { phase: 'Unbound', conditions: [isFalse('Bound', 'NoServerFits', match.because)] } })
  const problem = imageProblem(seen)
  if (problem) return problem
  const { server } = seen
  if (!server || server.name !== match.server) return idle(`looks at server ${match.server}`)
  return idle(`chooses server ${server.name}`, {
    status: {
      binding: { server: server.name, serverUID: server.uid },
      phase: 'Unbound',
      conditions: [valid(seen), isFalse('Bound', 'Binding', `server ${server.name} is being taken`)],
    },
    again: 0,
  })
}

function keep(seen: Seen, server: SeenServer): Plan<Verb> {
  const { claim, configuration } = seen
  const bound = { phase: 'Bound', conditions: [isTrue('Bound', 'ServerTaken', `server ${server.name}`)] }
  if (claim.serverRef === undefined)
    return act(`names server ${server.name}`, [{ do: 'nameServer', server: server.name }], { status: bound })
  // Where the API does not refuse it by itself: a claim stays with the server that it has.
  if (claim.serverRef !== server.name) {
    const because = `serverRef cannot be changed: it names ${claim.serverRef}, and the claim has server ${server.name}`
    return idle(because, { status: { ...bound, conditions: [...bound.conditions, isFalse('Accepted', 'ServerRefChanged', because)] } })
  }
  if (!configuration) {
    const problem = imageProblem(seen)
    if (problem)
      return {
        ...problem,
        status: { ...problem.status, phase: 'Bound', conditions: [...bound.conditions, ...(problem.status.conditions ?? [])] },
      }
    const status = { ...bound, conditions: [...bound.conditions, valid(seen)] }
    const events = claim.installedBefore ? [warning(server.name)] : []
    return act(`says what server ${server.name} boots`, [{ do: 'createConfiguration', server: server.name }], { status, events })
  }
  if (!configuration.ours) {
    const because = `a ServerBootConfiguration named ${claim.name} belongs to somebody else`
    return idle(because, { status: { ...bound, conditions: [...bound.conditions, isFalse('Configured', 'NameTaken', because)] } })
  }
  const configured = isTrue('Configured', 'Created', `ServerBootConfiguration ${claim.name}`)
  if (configuration.current) {
    return idle(`has server ${server.name}`, {
      status: { ...bound, conditions: [...bound.conditions, configured, isFalse('Reprovision', 'UpToDate', '')] },
    })
  }
  if (!configuration.provisioned) {
    const problem = imageProblem(seen)
    if (problem) return { ...problem, status: { ...problem.status, phase: 'Bound' } }
    return act('says anew what the server boots', [{ do: 'updateConfiguration' }], {
      status: { ...bound, conditions: [...bound.conditions, valid(seen)] },
    })
  }
  const because = 'image or boot policy changed after the server was installed; nothing is reinstalled by itself'
  return idle(because, { status: { ...bound, conditions: [...bound.conditions, configured, isTrue('Reprovision', 'Required', because)] } })
}

/** Whoever deleted the configuration may not know what that means. */
const warning = (server: string) => ({
  type: 'Warning' as const,
  reason: 'InstalledAgain',
  message: `its boot configuration is made anew: server ${server} is installed again at its next commanded boot, over what is on its disks. To keep that: rackwright adopt ${server}`,
})

function imageProblem({ claim, image }: Seen): Plan<Verb> | undefined {
  return image ? problemOf(claim.image, claim.policy, image) : idle(`reads image ${claim.image}`)
}

const valid = ({ claim }: Seen) => imageValid(claim.image, claim.policy)
