export type { RedfishOptions } from './connect.ts'
export { type OpenBmc, openBmc } from './open.ts'
export { bmcPool, type PoolOptions } from './pool.ts'
