import { type BareMetalHost, hosts, secrets } from '../../../src/controllers/metal3/resources.ts'
import { type Millis, minutes } from '../../../src/core/duration.ts'
import type { KubeObject } from '../../../src/core/object.ts'
import type { NewObject } from '../../../src/ports/index.ts'
import { multipart } from '../../../src/redfish/roles/firmware-form.ts'
import { disarmed } from '../../../src/sim/machine/machine.ts'
import { reset } from '../../../src/sim/machine/power.ts'
import type { Stage } from '../../../src/sim/stage.ts'
import { osImage } from '../../metal3/ramdisk-world.ts'
import { disc, firstPassword, type HostLab } from './lab.ts'

export const hostKey = { name: 'srv-1', namespace: 'default' }
export const secretKey = { name: 'srv-1-bmc', namespace: 'default' }
export const bmc = { address: 'redfish-virtualmedia://srv-1/redfish/v1/Systems/1', credentialsName: 'srv-1-bmc' }

const carried = 'baremetalhost.metal3.io/status'

/** What stories of a host are told in. */
export function hostWords(stage: Stage<HostLab>) {
  const { rack } = stage.devices
  const create = (of: typeof hosts | typeof secrets, object: object) =>
    stage.asUser(async kube => {
      const { name, namespace } = (object as KubeObject).metadata
      return (
        (await kube.find(of as typeof hosts, { name, namespace: namespace ?? '' })) ??
        kube.create(of as typeof hosts, object as NewObject<BareMetalHost>)
      )
    })
  const host = async (spec: object = {}, annotations: Readonly<Record<string, string>> = {}): Promise<void> => {
    const data = { username: btoa('admin'), password: btoa(firstPassword) }
    await create(secrets, { apiVersion: 'v1', kind: 'Secret', metadata: secretKey, data })
    await create(hosts, {
      apiVersion: 'metal3.io/v1alpha1',
      kind: 'BareMetalHost',
      metadata: { ...hostKey, annotations },
      spec: {
        online: true,
        bmc,
        inspectionMode: 'fast',
        automatedCleaningMode: 'disabled',
        image: { url: disc, format: 'live-iso' },
        ...spec,
      },
    })
  }
  const machineIs = (within: Millis, words: string, so: (machine: ReturnType<typeof rack.machine>) => boolean) =>
    stage.reach(within, words, () => so(rack.machine('srv-1')))
  return {
    host,
    /** One that was installed long ago, runs from its disk, and comes with its status. */
    async installed(): Promise<void> {
      const machine = rack.machine('srv-1')
      machine.disk = { os: 'os-1', steps: [] }
      machine.armed = { ...disarmed, target: 'Hdd', lasts: 'Continuous' }
      reset(machine, 'On')
      const provisioning = { state: 'provisioned', ID: '', image: osImage, bootMode: 'UEFI' }
      const status = { operationalStatus: 'OK', errorCount: 0, errorMessage: '', poweredOn: true, provisioning }
      await stage.pass(minutes(2))
      await host({ image: osImage, automatedCleaningMode: 'metadata' }, { [carried]: JSON.stringify(status) })
    },
    is: (state: string, within: Millis, more: (host: BareMetalHost) => boolean = () => true) =>
      stage.reach(within, `the host is ${state}`, () => {
        const [found] = stage.sight.objects(hosts)
        return found?.status?.provisioning?.state === state && more(found)
      }),
    isGone: (within: Millis) => stage.reach(within, 'the host is gone', () => stage.sight.objects(hosts).length === 0),
    isOn: (within: Millis) => machineIs(within, 'it is on', ({ power }) => power === 'On'),
    isOff: (within: Millis) => machineIs(within, 'it is off', ({ power }) => power === 'Off'),
    runsFromDisk: (within: Millis) =>
      machineIs(within, 'it runs from its disk', ({ stage: at, source }) => at === 'running' && source === 'Hdd'),
    runsFromDisc: (within: Millis) =>
      machineIs(within, 'it runs from its disc', ({ stage: at, source }) => at === 'running' && source === 'Cd'),
    /** Somebody rotates the password: in the Secret first, on the controller half a minute later. */
    async rotates(password: string): Promise<void> {
      await stage.asUser(kube => kube.patch(secrets, secretKey, { merge: { data: { password: btoa(password) } } }))
      await stage.pass(minutes(0.5))
      rack.setPassword('srv-1', password)
    },
    /** Somebody updates firmware by the controller’s own page; it takes three minutes. */
    async flashes(): Promise<void> {
      const { type, bytes } = multipart({ Targets: [] }, 'image.bin', Buffer.from('sim-firmware: NIC.1 20.2.0'))
      const authorization = `Basic ${btoa(`${rack.username}:${rack.password('srv-1')}`)}`
      const url = '/redfish/v1/UpdateService/upload'
      await rack.handle('srv-1', { method: 'POST', url, headers: { authorization, 'content-type': type }, body: bytes })
    },
    /** Another machine answers at its address, or the right one again. */
    exchanges(isOther: boolean): void {
      rack.machine('srv-1').uuidOf = isOther ? 77 : undefined
    },
  }
}
