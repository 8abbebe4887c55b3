import { dirname, isAbsolute, resolve } from 'node:path'
import { parse } from 'yaml'
import { Fault } from '../../core/fault.ts'
import { isObject } from '../../core/json.ts'

/** A kubeconfig as data: each list by name, every path absolute. */
export interface Kubeconfig {
  readonly currentContext: string | undefined
  readonly clusters: Named
  readonly users: Named
  readonly contexts: Named
}
export type Entry = Readonly<Record<string, unknown>>
type Named = Readonly<Record<string, Entry>>

const paths = {
  clusters: ['certificate-authority'],
  users: ['client-certificate', 'client-key', 'tokenFile'],
  contexts: [],
} as const

/** Reads the text of one file. Relative paths in it mean: beside that file. */
export function readKubeconfig(text: string, file: string): Kubeconfig {
  const root = parseText(text, file)
  const current = root['current-context']
  const named = (list: 'clusters' | 'users' | 'contexts', inner: string): Named =>
    byName(root[list], inner, file, entry => absolute(entry, paths[list], file))
  return {
    currentContext: typeof current === 'string' && current !== '' ? current : undefined,
    clusters: named('clusters', 'cluster'),
    users: named('users', 'user'),
    contexts: named('contexts', 'context'),
  }
}

/** The first file that names a thing wins, whole: entries of one name are never mixed. */
export function mergeKubeconfigs(configs: readonly Kubeconfig[]): Kubeconfig {
  const merged = (list: 'clusters' | 'users' | 'contexts'): Named =>
    Object.assign(Object.create(null), ...configs.map(config => config[list]).toReversed()) as Named
  return {
    currentContext: configs.find(config => config.currentContext !== undefined)?.currentContext,
    clusters: merged('clusters'),
    users: merged('users'),
    contexts: merged('contexts'),
  }
}

function parseText(text: string, file: string): Record<string, unknown> {
  try {
    const root: unknown = parse(text) ?? {}
    if (isObject(root)) return root
  } catch (cause) {
    throw new Fault('kubeconfig/unreadable', `Cannot read kubeconfig ${file}: ${(cause as Error).message.split('\n')[0]}`, 'when-changed', {
      cause,
    })
  }
  throw new Fault('kubeconfig/unreadable', `Cannot read kubeconfig ${file}: it is not a mapping`, 'when-changed')
}

function byName(list: unknown, inner: string, file: string, finish: (entry: Entry) => Entry): Named {
  const found = Object.create(null) as Record<string, Entry>
  for (const item of Array.isArray(list) ? (list as unknown[]) : []) {
    const name = isObject(item) ? item['name'] : undefined
    if (!isObject(item) || typeof name !== 'string')
      throw new Fault('kubeconfig/unreadable', `Cannot read kubeconfig ${file}: a ${inner} has no name`, 'when-changed')
    if (found[name])
      throw new Fault('kubeconfig/unreadable', `Cannot read kubeconfig ${file}: it has two ${inner}s named "${name}"`, 'when-changed')
    found[name] = finish(isObject(item[inner]) ? item[inner] : {})
  }
  return found
}

function absolute(entry: Entry, fields: readonly string[], file: string): Entry {
  const folder = dirname(resolve(file))
  const found = { ...entry }
  for (const field of fields) if (typeof found[field] === 'string' && found[field] !== '') found[field] = resolve(folder, found[field])
  const exec = found['exec']
  // A command with a slash is a file beside the kubeconfig; a bare word is looked up in PATH.
  if (isObject(exec) && typeof exec['command'] === 'string' && exec['command'].includes('/') && !isAbsolute(exec['command'])) {
    found['exec'] = { ...exec, command: resolve(folder, exec['command']) }
  }
  return found
}
