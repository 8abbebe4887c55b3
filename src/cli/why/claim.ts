import type { ServerClaim } from '../../controllers/metal/resources.ts'
import { because, type Chain, end, link } from './chain.ts'
import { conditionIn } from './remedies.ts'
import { type ServerFacts, whyServer } from './server.ts'

export interface ClaimFacts {
  readonly claim: ServerClaim
  /** Of the server that the claim has or is about to take. */
  readonly server: ServerFacts | undefined
}

export function whyClaim({ claim, server }: ClaimFacts): Chain {
  const { metadata, status, spec } = claim
  const what = `claim ${metadata.namespace ?? ''}/${metadata.name}`
  if (metadata.deletionTimestamp !== undefined) {
    const first = link(what, 'is being given back', metadata.deletionTimestamp)
    return server ? because(first, whyServer(server)) : end(first, 'nobody: it goes in a moment', 'rackwright get claims')
  }
  const image = conditionIn(status, 'ImageValid')
  if (image?.status === 'False')
    return because(
      link(what, status?.phase === 'Bound' ? 'has its server, and nothing to boot' : 'has no server'),
      end(
        link(`image ${spec.image}`, image.message, image.lastTransitionTime),
        'whoever made the image, or you with another one',
        `kubectl -n ${metadata.namespace ?? 'default'} edit serverclaim ${metadata.name}`,
      ),
    )
  const bound = conditionIn(status, 'Bound')
  if (status?.phase !== 'Bound')
    return because(
      link(what, 'has no server', bound?.lastTransitionTime),
      bound
        ? end(
            link(bound.reason, bound.message, bound.lastTransitionTime),
            'you: free a server, add one, or ask for less',
            'rackwright get servers',
          )
        : end(link('nothing', 'was decided yet'), 'nobody: it was made a moment ago', 'rackwright doctor'),
    )
  const configured = conditionIn(status, 'Configured')
  if (configured?.status === 'False')
    return because(
      link(what, `has ${spec.serverRef?.name ?? 'its server'}, and nothing to boot`),
      end(link(configured.reason, configured.message, configured.lastTransitionTime), 'you', `rackwright describe claim/${metadata.name}`),
    )
  const changed = conditionIn(status, 'Reprovision')
  if (changed?.status === 'True')
    return because(
      link(what, 'asks for something else than what is installed', changed.lastTransitionTime),
      end(link(changed.reason, changed.message), 'you, if you want it installed anew', `rackwright reprovision ${metadata.name}`),
    )
  const first = link(what, `has ${spec.serverRef?.name ?? 'a server'}`, bound?.lastTransitionTime)
  return server ? because(first, whyServer(server)) : end(first)
}
