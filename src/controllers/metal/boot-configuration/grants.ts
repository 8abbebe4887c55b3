import { type Grant, keepingStatus, watching } from '../../../ports/index.ts'
import { configurations, servers } from '../resources.ts'

export const bootConfigurationGrants: readonly Grant[] = [watching(configurations), watching(servers), keepingStatus(configurations)]
