import type { JsonObject } from '../../core/json.ts'
import type { Personality } from '../personalities/personality.ts'

/** Where things are in the tree of a make. Paths have no slash at the end; links are spelled as the vendor does. */
export interface Links {
  readonly root: string
  readonly system: string
  readonly manager: string
  readonly chassis: string
  readonly sessions: string
  readonly tasks: string
  /** A link as it stands in a resource. */
  to(path: string): JsonObject
  /** The text of a link. */
  spell(path: string): string
}

export function linksOf({ ids, slash }: Pick<Personality, 'ids' | 'slash'>): Links {
  const root = '/redfish/v1'
  const spell = (path: string): string => (slash ? `${path}/` : path)
  return {
    root,
    system: `${root}/Systems/${ids.system}`,
    manager: `${root}/Managers/${ids.manager}`,
    chassis: `${root}/Chassis/${ids.chassis}`,
    sessions: `${root}/SessionService/Sessions`,
    tasks: `${root}/TaskService/Tasks`,
    spell,
    to: path => ({ '@odata.id': spell(path) }),
  }
}
