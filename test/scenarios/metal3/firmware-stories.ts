import { firmwareComponents, firmwareSettings, hosts } from '../../../src/controllers/metal3/resources.ts'
import { hours, minutes } from '../../../src/core/duration.ts'
import { scenarios } from '../../../src/sim/story.ts'
import { hostFirmwareSetting, wantedBios, wantedSettings } from './firmware-setting.ts'
import { hostKey } from './words.ts'

const scenario = scenarios(hostFirmwareSetting)

export const setsBeforeUse = scenario(
  'the BIOS settings of a host are brought to what is wanted before it is available',
  async ({ when, host, is, wantsSettings, holdsSettings, isSaid }) => {
    await wantsSettings()
    await host({ image: null, online: false })
    await when.passes(minutes(1))
    await is('available', hours(3))
    await holdsSettings(0)
    await isSaid('False', hours(1))
  },
)

export const servicedAtRestart = scenario(
  'the BIOS and the settings of an installed host are brought to what is wanted at a restart',
  async ({ when, host, is, listsComponents, atRestarts, holdsSettings, runsBios, isSaid, runsFromDisc }) => {
    await host()
    await when.passes(minutes(1))
    await is('provisioned', hours(1), ({ status }) => status?.poweredOn === true)
    await atRestarts()
    await when.changes(firmwareSettings, hostKey, { spec: { settings: wantedSettings } })
    await listsComponents(hours(1))
    await when.changes(firmwareComponents, hostKey, { spec: { updates: [wantedBios] } })
    await isSaid('True', hours(1))
    await when.changes(hosts, hostKey, { metadata: { annotations: { 'reboot.metal3.io': '' } } })
    await runsBios(hours(5))
    await holdsSettings(hours(1))
    await is('provisioned', hours(2), ({ status }) => status?.operationalStatus === 'OK' && status.poweredOn)
    await isSaid('False', hours(2))
    await runsFromDisc(minutes(20))
  },
)

export const hostFirmwareStories = [setsBeforeUse, servicedAtRestart]
