import pc from 'picocolors'
import type { KubeObject } from '../../core/object.ts'
import { wallClock } from '../../net/wall-clock.ts'
import { type Kube, type ResourceRef, resourceOf } from '../../ports/index.ts'
import { withApi } from '../api.ts'
import type { Options } from '../catalogue/command.ts'
import { eventsOf } from '../events.ts'
import { described } from '../output/described.ts'
import { print } from '../output/structured.ts'
import { findTarget, namespaceOf } from '../target.ts'
import { kindNamed } from './get.ts'

export const describe = (options: Options, what = '', name?: string): Promise<number> =>
  withApi(options, async kube => {
    const object = await found(kube, options, name === undefined ? what : `${what}/${name}`)
    const events = await eventsOf(kube, object)
    print(options, { object, events }, () => described(object, events, wallClock.now(), pc))
    return 0
  })

/** `bmc/x` and `bmc x` name a kind; anything else is a server, a claim or a host. */
async function found(kube: Kube, options: Options, name: string): Promise<KubeObject> {
  const [head = '', tail] = name.split('/')
  if (tail !== undefined && !/^(srv|servers?|(server)?claims?|scl|hosts?)$/.test(head) && isKind(head)) {
    const kind = kindNamed(head)
    const key = kind.scope === 'Namespaced' ? { name: tail, namespace: namespaceOf(options) } : { name: tail }
    return kube.get(resourceOf(kind) as ResourceRef, key)
  }
  const target = await findTarget(kube, name, options)
  return target.is === 'server' ? target.server : target.is === 'host' ? target.host : target.claim
}

function isKind(text: string): boolean {
  try {
    return kindNamed(text) !== undefined
  } catch {
    return false
  }
}
