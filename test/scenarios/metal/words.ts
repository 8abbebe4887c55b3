import {
  bmcs,
  claims,
  configurations,
  maintenances,
  type Server,
  serverFinalizer,
  servers,
} from '../../../src/controllers/metal/resources.ts'
import { type Millis, minutes } from '../../../src/core/duration.ts'
import { printInstant } from '../../../src/core/instant.ts'
import type { KubeObject } from '../../../src/core/object.ts'
import type { NewObject, ResourceRef } from '../../../src/ports/index.ts'
import { multipart } from '../../../src/redfish/roles/firmware-form.ts'
import { uuidOf } from '../../../src/sim/machine/identity.ts'
import { disarmed } from '../../../src/sim/machine/machine.ts'
import { reset } from '../../../src/sim/machine/power.ts'
import type { Stage } from '../../../src/sim/stage.ts'
import type { Lab } from './lab.ts'
import { system } from './program.ts'

const metal = 'metal.ironcore.dev/v1alpha1'
const namespaces: ResourceRef = { group: '', version: 'v1', plural: 'namespaces', namespaced: false }
const key = { name: 'c1', namespace: 'default' }
const policy = { firstBoot: 'UefiHttp', boot: 'Hdd' }
const workKey = { name: 'work', namespace: 'default' }

/** Words for stories about servers. A machine is called as in the rack. */
export const metalWords = (stage: Stage<Lab>) => {
  const { rack } = stage.devices
  stage.devices.serve(stage.sim.user)
  const create = <T extends KubeObject>(of: ResourceRef<T>, object: object): Promise<T> =>
    stage.asUser(async kube => {
      const { name, namespace } = (object as KubeObject).metadata
      return (await kube.find(of, { name, ...(namespace === undefined ? {} : { namespace }) })) ?? kube.create(of, object as NewObject<T>)
    })
  const status = (of: ResourceRef, name: { readonly name: string; readonly namespace?: string }, said: object) =>
    stage.asUser(kube => kube.patch(of, name, { merge: { status: said } }, { subresource: 'status' }))
  const serverNamed = (machine: string): Server | undefined =>
    stage.sight.objects(servers).find(({ metadata }) => metadata.name === `${machine}-system-0`)

  const bmc = async (machine: string): Promise<void> => {
    await create(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: system } })
    await create(bmcs, {
      apiVersion: metal,
      kind: 'BMC',
      metadata: { name: machine },
      spec: { access: { ip: '10.1.0.1' }, bmcSecretRef: { name: machine }, protocol: { name: 'Redfish', port: 443 } },
    })
  }
  /** A server as discovery left it. */
  const server = async (machine: string, claim?: { readonly uid: string }): Promise<Server> => {
    const name = `${machine}-system-0`
    const made = await create(servers, {
      apiVersion: metal,
      kind: 'Server',
      metadata: { name, finalizers: [serverFinalizer] },
      spec: {
        systemUUID: uuidOf(rack.machine(machine).number),
        bmcRef: { name: machine },
        ...(claim ? { serverClaimRef: { ...key, uid: claim.uid } } : {}),
      },
    })
    await status(servers, { name }, { state: 'Available', manufacturer: 'Rackwright', model: 'Sim R1', powerState: 'Off' })
    return made
  }
  const claimOf = (more: object) => ({
    apiVersion: metal,
    kind: 'ServerClaim',
    metadata: key,
    spec: { power: 'On', image: 'os:1', bootPolicy: policy, ...more },
  })
  return {
    bmc,
    server,
    claims: (more: object = {}) => create(claims, claimOf(more)),
    /** Somebody wants to work on a machine, with an image of his own. */
    maintains: (machine: string, policyOf: 'Enforced' | 'OwnerApproval', name = workKey.name) =>
      create(maintenances, {
        apiVersion: metal,
        kind: 'ServerMaintenance',
        metadata: { ...workKey, name },
        spec: {
          serverRef: { name: `${machine}-system-0` },
          policy: policyOf,
          priority: 0,
          serverPower: 'On',
          serverBootConfigurationTemplate: { spec: { image: 'live:1', bootPolicy: policy } },
        },
      }),
    /** A claim whose server was installed long ago and runs from disk. */
    async installed(machine: string): Promise<void> {
      stage.devices.begunInstalled = true
      const name = `${machine}-system-0`
      rack.machine(machine).disk = { os: 'os-1', steps: [] }
      rack.machine(machine).armed = { ...disarmed, target: 'Hdd', lasts: 'Once' }
      reset(rack.machine(machine), 'On')
      await stage.pass(minutes(2))
      const claim = await create(claims, {
        ...claimOf({ serverRef: { name } }),
        metadata: { ...key, finalizers: ['metal.ironcore.dev/serverclaim'] },
      })
      const { uid = '' } = claim.metadata
      const { metadata } = await server(machine, { uid })
      await status(claims, key, { phase: 'Bound', binding: { server: name, serverUID: metadata.uid } })
      const owner = { apiVersion: metal, kind: 'ServerClaim', name: key.name, uid, controller: true, blockOwnerDeletion: true }
      const configuration = await create(configurations, {
        apiVersion: metal,
        kind: 'ServerBootConfiguration',
        metadata: { ...key, ownerReferences: [owner], annotations: { 'metal.ironcore.dev/provisioned': 'true' } },
        spec: { serverRef: { name }, image: 'os:1', bootPolicy: policy },
      })
      const at = printInstant(stage.sim.clock.now())
      await status(
        servers,
        { name },
        {
          state: 'Reserved',
          powerState: 'On',
          boot: {
            attempt: 2,
            purpose: 'Claim',
            method: 'UefiHttp',
            configuration: { ...key, uid: configuration.metadata.uid, generation: 1 },
            step: 'Ended',
            serves: false,
            opened: at,
            expires: at,
            outcome: 'Installed',
            because: 'the installed system reported its boot',
            reset: printInstant(rack.machine(machine).lastReset),
          },
        },
      )
      await bmc(machine)
    },
    is: (machine: string, state: string, within: Millis, more: (server: Server) => boolean = () => true) =>
      stage.reach(within, `${machine} is ${state}`, () => {
        const found = serverNamed(machine)
        return found?.status?.state === state && more(found)
      }),
    runsFromDisk: (machine: string, within: Millis) =>
      stage.reach(within, `${machine} runs from its disk`, () => {
        const { stage: at, source } = rack.machine(machine)
        return at === 'running' && source === 'Hdd'
      }),
    /** Somebody writes firmware, past this program. */
    async flashes(machine: string): Promise<void> {
      const { type, bytes } = multipart({ Targets: [] }, 'image.bin', Buffer.from('sim-firmware: BIOS 1.5'))
      const authorization = `Basic ${btoa(`${rack.username}:${rack.password(machine)}`)}`
      const url = '/redfish/v1/UpdateService/upload'
      await rack.handle(machine, { method: 'POST', url, headers: { authorization, 'content-type': type }, body: bytes })
    },
    /** Its system does not listen when it is asked to shut down. */
    goesDeaf(machine: string): void {
      rack.machine(machine).deaf = true
    },
    /** Somebody wants it left alone, or not any more. */
    async ignores(machine: string, yes: boolean): Promise<void> {
      const annotations = { 'metal.ironcore.dev/operation': yes ? 'ignore' : null }
      await stage.asUser(kube => kube.patch(servers, { name: `${machine}-system-0` }, { merge: { metadata: { annotations } } }))
    },
    /** Somebody says that a server which stopped shall boot again. */
    async resumes(machine: string): Promise<void> {
      const annotations = { 'metal.ironcore.dev/operation': 'resume-boot' }
      await stage.asUser(kube => kube.patch(servers, { name: `${machine}-system-0` }, { merge: { metadata: { annotations } } }))
    },
    /** Its BMC says of its power what nobody has heard of, or not any more. */
    blurs: (machine: string, yes: boolean): void => (yes ? rack.fault(machine, 'power-unknown') : rack.heal(machine, 'power-unknown')),
    /** Another machine answers in its place, or itself again. */
    exchanges(machine: string, yes: boolean): void {
      rack.machine(machine).uuidOf = yes ? 77 : undefined
    },
    /** It says that it is its neighbour, or not any more. */
    mimics: (machine: string, yes: boolean): void => (yes ? rack.fault(machine, 'duplicate-uuid') : rack.heal(machine, 'duplicate-uuid')),
    /** Its password is another one from now on, in its BMC and where we read it; who is logged in has to do so again. */
    rotates(machine: string): void {
      rack.setPassword(machine, `${rack.password(machine)}-rotated`)
      rack.fault(machine, 'stale-session', { times: 1 })
    },
    /** Somebody at the machine itself starts what is on its disk. */
    starts(machine: string): void {
      rack.machine(machine).disk = { os: 'somebody’s', steps: [] }
      reset(rack.machine(machine), 'On')
    },
    byHand: (machine: string, what: 'PowerCycle' | 'ForceOff'): void => void reset(rack.machine(machine), what),
    runsDisc: (machine: string, within: Millis) =>
      stage.reach(within, `${machine} runs from its disc`, () => {
        const { stage: at, source } = rack.machine(machine)
        return at === 'running' && source === 'Cd'
      }),
    runsLive: (machine: string, within: Millis) =>
      stage.reach(within, `${machine} runs the image of its maintenance, and its next boot is armed`, () => {
        const { stage: at, source, armed } = rack.machine(machine)
        return at === 'running' && source === 'UefiHttp' && armed.target === 'UefiHttp'
      }),
    isQuiet: (machine: string, within: Millis) =>
      stage.reach(within, `${machine} has nothing armed, and no disc in a drive`, () => {
        const { armed, media } = rack.machine(machine)
        return armed.lasts === 'Disabled' && media === undefined
      }),
    claimKey: key,
    workKey,
  }
}

export type MetalWords = ReturnType<typeof metalWords>
