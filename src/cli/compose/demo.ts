import { platform } from 'node:os'
import { join } from 'node:path'
import { claims, type ServerClaim } from '../../controllers/metal/resources.ts'
import { wallClock } from '../../net/wall-clock.ts'
import type { Kube, Log, NewObject } from '../../ports/index.ts'
import { demoImages, simRegistry } from '../../sim/images/demo.ts'
import { writeLayout } from '../../sim/images/layout.ts'
import { withCoreos } from '../../sim/machine/coreos-disc.ts'
import type { BootWorld } from '../../sim/machine/world.ts'
import { bootServerWorld } from '../../sim/machine/world-boot.ts'
import { withDiscs } from '../../sim/machine/world-discs.ts'
import { httpWorld } from '../../sim/machine/world-http.ts'
import type { Home } from '../home.ts'
import { noteSim } from '../sim-state.ts'
import type { BootServing } from './boot-server.ts'
import { showFirmwareLater } from './demo-firmware.ts'
import { enrolRack } from './enrol.ts'
import { enrolHosts, rescueDisc } from './enrol-hosts.ts'
import { managerNamespace } from './manager-namespace.ts'
import { type DemoRack, demoMakes, isHost, openDemoRack } from './rack.ts'
import { keepingRack, rememberRack } from './rack-memory.ts'
import { openZeroTouch, type ZeroTouch } from './zero-touch.ts'

export interface DemoOptions {
  readonly kube: Kube
  readonly home: Home
  readonly log: Log
  readonly boot: Pick<BootServing, 'url' | 'handler'>
  readonly servers: number
  /** How many of its machines are hosts of Metal3. */
  readonly hosts?: number
  readonly speed: number
  readonly makes?: readonly string[]
  /** Whether a claim is made, so that there is something to see. */
  readonly claim: boolean
  /** Hosts are told to the API by somebody else, and find a live CoreOS and an assisted service. */
  readonly zeroTouch?: boolean
}

export interface Demo {
  readonly rack: DemoRack
  readonly speed: number
  readonly zeroTouch: ZeroTouch | undefined
  /** Tells the API of those machines that are hosts; their kind must be there. */
  enrolHosts(): Promise<void>
  close(): Promise<void>
}

/** The demo's images as a folder that stands for a registry. */
export function demoLayout(home: Home): Readonly<Record<string, string>> {
  const folder = join(home.root, 'cache', 'demo-images')
  writeLayout(folder, demoImages)
  return { [simRegistry]: folder }
}

/** A simulated rack on this machine: its DHCP leads to our boot server, its BMCs are told to the API. */
export async function openDemo(options: DemoOptions): Promise<Demo> {
  const { kube, boot, servers, speed, log, makes = demoMakes } = options
  const { world, close } = networkOf(boot)
  const discs = { [rescueDisc]: new TextEncoder().encode('A system for simulated machines that runs from its disc.\n') }
  const zeroTouch = options.zeroTouch ? await openZeroTouch(options) : undefined
  const around = withCoreos(withDiscs(world, discs), url => url.startsWith(`${boot.url}/host-images/`))
  const rack = await openDemoRack({
    servers,
    hosts: options.hosts ?? 0,
    makes,
    speed,
    everywhere: zeroTouch !== undefined,
    log,
    world: around,
  })
  const memory = join(options.home.data, 'simulated-rack.json')
  rememberRack(rack.rack, memory)
  const keep = keepingRack(rack.rack, memory, wallClock)
  const forget = noteSim(options.home, rack.listening, rack.adminToken)
  await enrolRack(kube, rack, managerNamespace)
  if (options.claim) await claimOne(kube)
  const hide = options.claim ? showFirmwareLater(kube, wallClock, log, rack.rack) : () => {}
  return {
    rack,
    speed,
    zeroTouch,
    enrolHosts: async () => (zeroTouch ? undefined : enrolHosts(kube, rack)),
    async close() {
      hide()
      forget()
      await rack.close()
      keep()
      await zeroTouch?.close()
      await close()
    },
  }
}

/** Boot servers tell machines apart by their addresses. Linux has one on loopback for each; elsewhere machines reach the boot server without a socket. */
function networkOf({ url, handler }: DemoOptions['boot']): { readonly world: BootWorld; close(): Promise<void> } {
  if (platform() !== 'linux') return { world: bootServerWorld({ baseUrl: url, handler: () => handler }), close: async () => {} }
  const world = httpWorld({ pxe: `${url}/ipxe`, http: `${url}/httpboot.efi`, addressOf })
  return { world, close: () => world.close() }
}

const addressOf = (server: string): string => {
  const number = Number(/(\d+)$/.exec(server)?.[1] ?? 0)
  if (isHost(server)) return `127.85.0.${(number % 250) + 1}`
  return `127.84.${Math.floor(number / 250)}.${(number % 250) + 1}`
}

/** Can be booted both ways. */
export const demoOs = `${simRegistry}/debian:13`
/** Can be booted by PXE only. */
export const demoOsWithoutUki = `${simRegistry}/debian:13-pxe`
const namespace = 'default'

/** Something to see: a claim, unless it was made before. */
async function claimOne(kube: Kube): Promise<void> {
  if ((await kube.find(claims, { name: 'demo', namespace })) !== undefined) return
  const spec = {
    power: 'On',
    image: demoOs,
    // Not every make can be told to boot over HTTP; this one can.
    serverRef: { name: 'server-1-system-0' },
    bootPolicy: { firstBoot: 'UefiHttp', boot: 'Hdd' },
  }
  const metadata = { name: 'demo', namespace }
  await kube.create(claims, { apiVersion: 'metal.ironcore.dev/v1alpha1', kind: 'ServerClaim', metadata, spec } as NewObject<ServerClaim>)
}
