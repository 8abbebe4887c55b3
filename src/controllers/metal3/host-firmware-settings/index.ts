import type { KubeObject } from '../../../core/object.ts'
import { type Reconciler, wokenBy } from '../../../ports/index.ts'
import { firmwareComponents, firmwareSchemas, firmwareSettings, type HostFirmwareSettings, hosts } from '../resources.ts'
import { decide } from './decide.ts'
import { observe, type SettingsPorts } from './observe.ts'
import { performers } from './perform.ts'
import type { Seen, Verb } from './seen.ts'

const sameName = ({ metadata }: KubeObject) => [{ name: metadata.name, namespace: metadata.namespace ?? '' }]

/** Shows the BIOS settings of a host, and checks what is wanted of them before anybody sets it. */
export const hostFirmwareSettingsController = (ports: SettingsPorts): Reconciler<HostFirmwareSettings, Seen, Verb> => ({
  name: 'hostfirmwaresettings',
  kind: firmwareSettings,
  watches: [wokenBy(hosts, sameName), wokenBy(firmwareComponents, sameName), wokenBy(firmwareSchemas, () => [])],
  observe: (settings, look) => observe(ports, settings, look),
  decide,
  perform: performers(ports),
})
