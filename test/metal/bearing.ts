import type { FaultName } from '../../src/sim/misbehaviour/catalogue.ts'
import type { FaultOrder } from '../../src/sim/rack.ts'

/**
 * What becomes of a server whose BMC misbehaves: it gets where it should all the same; it stops where nothing can go wrong; or it takes
 * more than one BMC, or a socket, to show, and is told elsewhere.
 */
export type Bearing = { readonly lives: FaultOrder } | { readonly stops: string } | { readonly elsewhere: string }

const lives = (order: FaultOrder = {}): Bearing => ({ lives: order })

/** Of the whole catalogue: a way to misbehave that is not here does not compile. */
export const bearings: Readonly<Record<FaultName, Bearing>> = {
  'no-answer': lives({ times: 3 }),
  'flapping-link': lives(),
  'reset-mid-body': lives({ times: 3 }),
  'chunk-error': lives({ times: 3 }),
  hold: lives({ times: 2 }),
  'truncated-json': lives({ times: 3 }),
  'duplicated-json': lives({ times: 3 }),
  'wrong-content-type': lives(),
  'certificate-changed': { elsewhere: 'test/redfish/over-https.test.ts' },
  'tls-1.1-only': { elsewhere: 'test/redfish/over-https.test.ts' },
  'huge-body': lives({ times: 1 }),
  'deep-json': lives({ times: 2 }),
  'million-members': lives({ times: 1 }),
  'cyclic-links': lives({ times: 3 }),
  'wrong-types': lives({ times: 3 }),
  'proto-keys': lives({ times: 3 }),
  'stale-session': lives({ times: 3 }),
  'session-cap': lives({ times: 2 }),
  'login-throttle': lives(),
  'too-many-requests': lives({ times: 4 }),
  'server-error': lives({ times: 4 }),
  'secure-boot-500': lives(),
  'conflict-after-off': lives(),
  'refuses-during-post': lives(),
  'weak-etag': lives(),
  'empty-etag': lives(),
  'changed-etag': lives({ times: 2 }),
  'finished-task-gone': lives(),
  'no-location': lives(),
  'redirects-elsewhere': lives({ times: 2 }),
  'power-null': lives({ times: 5 }),
  'power-unknown': lives({ times: 5 }),
  'power-flapping': { stops: 'nobody knows whether it is on' },
  'power-lagging': lives(),
  'reset-ignored': lives({ times: 1 }),
  'override-reverts': { stops: 'BP-005 nothing can be armed: it is not switched on' },
  'override-not-honoured': { stops: 'BP-005 it boots by its BIOS order, and is not taken for booted' },
  'once-not-consumed': lives({ times: 1 }),
  'once-consumed-early': { stops: 'BP-005 it boots by its BIOS order, and is not taken for booted' },
  'persistent-unsupported': lives(),
  'uefihttp-becomes-pxe': lives(),
  'inserted-lies': lives(),
  'slow-eject': lives(),
  'members-reordered': lives(),
  'members-renamed': lives(),
  'duplicate-uuid': { elsewhere: 'test/metal/discovery.test.ts' },
  'duplicate-mac': lives(),
  'bmc-reboots-mid-update': lives(),
  'task-lost': lives(),
  'stuck-at-99': lives(),
  'old-version': lives(),
  rollback: lives(),
  'two-jobs': lives(),
  'clock-reset': lives(),
}
