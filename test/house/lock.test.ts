import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

interface Locked {
  readonly resolved?: string
  readonly integrity?: string
  readonly optionalDependencies?: Readonly<Record<string, string>>
  readonly hasInstallScript?: boolean
  readonly dev?: boolean
}

const root = join(import.meta.dirname, '../..')
const text = readFileSync(join(root, 'package-lock.json'), 'utf8')
const packages = (JSON.parse(text) as { packages: Record<string, Locked> }).packages

it('every optional dependency has an entry in the lock, so that `npm ci` works on every platform', () => {
  const missing = Object.entries(packages).flatMap(([place, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies)
      .filter(name => !findsFrom(place, name))
      .map(name => `${place} → ${name}`),
  )
  expect(missing).toEqual([])
})

it('the lock names no registry, so that any mirror serves it', () => {
  expect(text).not.toMatch(/https?:\/\/(?!github\.com|opencollective\.com|[^"]*(funding|sponsors?))[^"]*\.tgz/)
  expect(Object.values(packages).filter(p => p.resolved)).toEqual([])
})

it('every package in the lock carries its hash', () => {
  expect(
    Object.entries(packages)
      .filter(([place, p]) => place !== '' && !p.integrity)
      .map(([place]) => place),
  ).toEqual([])
})

it('no run-time package has an install script', () => {
  expect(
    Object.entries(packages)
      .filter(([, p]) => p.hasInstallScript && !p.dev)
      .map(([place]) => place),
  ).toEqual([])
})

/** Node's own lookup: in the package's node_modules, then in that of each folder above it. */
function findsFrom(place: string, name: string): boolean {
  for (let at = place; ; at = at.slice(0, Math.max(0, at.lastIndexOf('/node_modules/')))) {
    if (Object.hasOwn(packages, `${at === '' ? '' : `${at}/`}node_modules/${name}`)) return true
    if (at === '') return false
    if (!at.includes('/node_modules/')) at = ''
    if (at === '') return Object.hasOwn(packages, `node_modules/${name}`)
  }
}
