export type { Activity, CacheState, Controllers, ControllersOptions, Health, HistoryLine, LeaseOptions } from './controllers.ts'
export { openControllers } from './open.ts'
