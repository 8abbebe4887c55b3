export type {
  Bios,
  BiosAttribute,
  BiosValue,
  Bmc,
  BmcAccess,
  BmcPool,
  BmcTask,
  Boot,
  BootEvidence,
  BootOption,
  BootTarget,
  Firmware,
  FirmwareComponent,
  Glance,
  HardwareInventory,
  Identity,
  Inventory,
  Manager,
  Media,
  MediaSlot,
  Override,
  Power,
  PowerState,
} from './bmc.ts'
export type { Clock } from './clock.ts'
export { type Grant, type GrantVerb, granting, holding, keepingStatus, owning, watching } from './grant.ts'
export type { Ids } from './ids.ts'
export type {
  Caller,
  DeleteOptions,
  JsonPatchStep,
  Kube,
  KubeEvent,
  Listing,
  NewObject,
  ObjectKey,
  Patch,
  Reader,
  RequestOptions,
  ResourceRef,
  Watcher,
  Where,
  WriteOptions,
  Writer,
} from './kube.ts'
export { type Log, silent } from './log.ts'
export {
  type Cached,
  type ControllerKube,
  type Entitlement,
  type Index,
  type Look,
  type Outcome,
  type Performer,
  type Performers,
  type Reconciler,
  type Wakes,
  type Watch,
  type Wish,
  wokenBy,
} from './reconciler.ts'
export { resourceOf } from './resource.ts'
export type { Row, Store, StoreState } from './store.ts'
export type { HttpRequest, HttpResponse, Transport, WatchEvent } from './transport.ts'
export type { Attributes, User, Verdict } from './user.ts'
