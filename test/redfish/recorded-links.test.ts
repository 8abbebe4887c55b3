import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { isObject } from '../../src/core/json.ts'
import { isBelow, safePath } from '../../src/redfish/transport/link.ts'
import { isRecorded, recordings } from './recorded.ts'

interface Link {
  readonly id?: string
  readonly owner?: string
  readonly target?: string
}

function* linksIn(value: unknown, owner: string): Generator<Link> {
  if (Array.isArray(value)) for (const item of value) yield* linksIn(item, owner)
  if (!isObject(value)) return
  if (typeof value['@odata.id'] === 'string') yield { id: value['@odata.id'] }
  if (typeof value['target'] === 'string') yield { owner, target: value['target'] }
  for (const item of Object.values(value)) yield* linksIn(item, owner)
}

for (const tree of ['dell', 'supermicro'])
  if (isRecorded(tree))
    it(`the fence around links lets every link and action of the recorded ${tree} tree through`, () => {
      const files = globSync(join(recordings, tree, 'redfish/**/index.json'))
      const links = files.flatMap(file => {
        const resource = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>
        return [...linksIn(resource, String(resource['@odata.id']))]
      })
      expect(links.length).toBeGreaterThan(1_000)
      expect(links.filter(({ id }) => id !== undefined && safePath(id) === undefined)).toEqual([])
      expect(links.filter(({ owner, target }) => owner !== undefined && target !== undefined && !isBelow(target, owner))).toEqual([])
    })
  else it.skip(`the recorded tree "${tree}" is not here (../shared/fixtures/redfish)`, () => {})
