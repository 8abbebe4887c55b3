import type { ControllerKube } from '../../ports/index.ts'
import { bios } from './bios/subject.ts'
import { components } from './components/subject.ts'
import { fleetController } from './fleet/index.ts'
import { biosFleet, firmwareFleet } from './fleet/subject.ts'
import type { FirmwarePorts } from './settings.ts'
import { targetController } from './target/index.ts'

export type { FirmwareSettings } from './settings.ts'

/** Everything that keeps firmware as it is wanted, to be added to a set of controllers. */
export function firmwareControllers(ports: Omit<FirmwarePorts, 'kube'>) {
  return {
    bios: (kube: ControllerKube) => targetController({ ...ports, kube }, bios),
    firmware: (kube: ControllerKube) => targetController({ ...ports, kube }, components),
    biosSets: (kube: ControllerKube) => fleetController({ ...ports, kube }, biosFleet),
    firmwareSets: (kube: ControllerKube) => fleetController({ ...ports, kube }, firmwareFleet),
  }
}
