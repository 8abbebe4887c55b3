import type { ServerClaim } from '../../controllers/metal/resources.ts'
import { claims } from '../../controllers/metal/resources.ts'
import { Fault } from '../../core/fault.ts'
import { parseSelector } from '../../core/selector.ts'
import type { NewObject } from '../../ports/index.ts'
import { withApi } from '../api.ts'
import type { Options } from '../catalogue/command.ts'
import { namespaceOf } from '../target.ts'

/** Asks for a server; the controllers do the rest. */
export async function claim(options: Options, name = ''): Promise<number> {
  const wanted = claimOf(options, name)
  await withApi(options, kube => kube.create(claims, wanted))
  console.log(`Claim ${wanted.metadata.namespace}/${name} is made. Follow it with: rackwright why claim/${name}`)
  return 0
}

/** The claim that the options describe. */
export function claimOf(options: Options, name: string): NewObject<ServerClaim> {
  const { image, server, selector, ignition, firstBoot, power } = options
  if (typeof image !== 'string') throw new Fault('cli/claim', 'Cannot claim a server: say which image to install with --image', 'never')
  const spec = {
    power: power === undefined ? 'On' : oneOf('power', String(power), ['On', 'Off']),
    image,
    ...(typeof server === 'string' ? { serverRef: { name: server } } : {}),
    ...(typeof selector === 'string' ? { serverSelector: { matchExpressions: requirements(selector) } } : {}),
    ...(typeof ignition === 'string' ? { ignitionSecretRef: { name: ignition } } : {}),
    bootPolicy: { firstBoot: oneOf('firstBoot', String(firstBoot ?? 'Pxe'), ['Pxe', 'UefiHttp', 'VirtualMedia']), boot: 'Hdd' as const },
  }
  const metadata = { name, namespace: namespaceOf(options) }
  return { apiVersion: 'metal.ironcore.dev/v1alpha1', kind: 'ServerClaim', metadata, spec } as NewObject<ServerClaim>
}

function oneOf(option: string, text: string, words: readonly string[]): string {
  const found = words.find(word => word.toLowerCase() === text.toLowerCase().replaceAll('-', ''))
  if (found !== undefined) return found
  throw new Fault('cli/claim', `Cannot claim with ${option} "${text}": it has to be ${words.join(' or ')}`, 'never')
}

function requirements(selector: string): readonly { key: string; operator: string; values?: readonly string[] }[] {
  const words: Readonly<Record<string, string>> = { in: 'In', notin: 'NotIn', exists: 'Exists', absent: 'DoesNotExist' }
  return parseSelector(selector).map(({ key, operator, values }) => ({
    key,
    operator: words[operator] ?? operator,
    ...(values.length > 0 ? { values } : {}),
  }))
}
