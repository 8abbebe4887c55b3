import { firmwareComponents, firmwareSchemas, firmwareSettings, updatePolicies } from '../../../src/controllers/metal3/resources.ts'
import type { KubeObject } from '../../../src/core/object.ts'
import type { ResourceRef } from '../../../src/ports/index.ts'
import { firmwareVersion } from '../../../src/sim/machine/machine.ts'
import type { ProcessPorts, Running } from '../../../src/sim/process.ts'
import type { Stage } from '../../../src/sim/stage.ts'
import type { Setting } from '../../../src/sim/story.ts'
import { firmwareAt } from '../../metal3/ramdisk-world.ts'
import { normal } from '../valve/normal.ts'
import { hostFirmwareInvariants } from './firmware-invariants.ts'
import type { HostLab } from './lab.ts'
import { type HostProgramOptions, hostProgram, hostSetting } from './setting.ts'
import { hostKey, hostWords } from './words.ts'

export const wantedSettings = { BootDelaySeconds: 10 }
export const wantedBios = { component: 'bios', url: `${firmwareAt}/BIOS-2.4.1.bin` }

/** The host's controller with those that show and check its firmware. */
export const hostFirmwareProgram = (ports: ProcessPorts, lab: HostLab, options: HostProgramOptions = {}): Running =>
  hostProgram(ports, lab, { ...options, firmware: true })

/** Without times. */
function worn(object: KubeObject): unknown {
  const said = normal(object) as { readonly status: Record<string, unknown> }
  const { lastUpdated: _, components, ...status } = said.status
  const parts = Array.isArray(components) ? components.map(({ updatedAt: __, ...part }: Record<string, unknown>) => part) : undefined
  return { ...said, status: { ...status, components: parts } }
}

const words = (stage: Stage<HostLab>) => {
  const make = (of: ResourceRef, kind: string, spec: object): Promise<unknown> =>
    stage.asUser(
      async kube =>
        (await kube.find(of, hostKey)) ?? kube.create(of, { apiVersion: 'metal3.io/v1alpha1', kind, metadata: hostKey, spec } as never),
    )
  const { rack } = stage.devices
  return {
    ...hostWords(stage),
    wantsSettings: () => make(firmwareSettings, 'HostFirmwareSettings', { settings: wantedSettings }),
    listsComponents: (within: number) =>
      stage.reach(within, 'its components are listed', () => stage.sight.objects(firmwareComponents).length > 0),
    atRestarts: () => make(updatePolicies, 'HostUpdatePolicy', { firmwareSettings: 'onReboot', firmwareUpdates: 'onReboot' }),
    holdsSettings: (within: number) =>
      stage.reach(within, 'its settings hold', () => rack.machine('srv-1').bios?.['BootDelaySeconds'] === wantedSettings.BootDelaySeconds),
    runsBios: (within: number) => stage.reach(within, 'its BIOS runs', () => firmwareVersion(rack.machine('srv-1'), 'BIOS') === '2.4.1'),
    isSaid: (changed: 'True' | 'False', within: number) =>
      stage.reach(within, `of changes it is said ${changed}`, () =>
        [firmwareSettings, firmwareComponents].every(of =>
          stage.sight
            .objects(of as typeof firmwareSettings)
            .every(({ status }) => status?.conditions?.some(({ type, status: is }) => type === 'ChangeDetected' && is === changed)),
        ),
      ),
  }
}

export const hostFirmwareSetting: Setting<HostLab, ReturnType<typeof words>> = {
  ...hostSetting,
  program: hostFirmwareProgram,
  invariants: [...hostSetting.invariants, ...hostFirmwareInvariants],
  words,
  end: sight => {
    const { bios, biosPending, firmware } = sight.devices.rack.machine('srv-1')
    return {
      host: hostSetting.end(sight),
      settings: sight.objects(firmwareSettings).map(worn),
      components: sight.objects(firmwareComponents).map(worn),
      schemas: sight.objects(firmwareSchemas).map(({ metadata, spec }) => ({ name: metadata.name, spec })),
      machine: { bios, biosPending, firmware },
    }
  },
}
