import type { User } from '../ports/index.ts'

/** A person who may do everything, and whoever else writes to the API besides the processes under test. */
export const root: User = { name: 'user', groups: ['system:masters', 'system:authenticated'] }
