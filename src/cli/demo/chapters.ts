import { claims, configurations, type Server, type ServerClaim, servers } from '../../controllers/metal/resources.ts'
import type { NewObject } from '../../ports/index.ts'
import { powerOff } from '../../sim/machine/power.ts'
import type { Rack } from '../../sim/rack.ts'
import { demoOs, demoOsWithoutUki } from '../compose/demo.ts'
import type { Teller } from './teller.ts'

const namespace = 'default'
const nameOf = (machine: string): string => `${machine}-system-0`
const conditionOf = ({ status }: Server, type: string) => status?.conditions?.find(c => c.type === type)
const isDone = ({ status }: Server): boolean => status?.boot?.outcome === 'Installed' || status?.boot?.outcome === 'Started'

function claimOf(name: string, image: string, server?: string): NewObject<ServerClaim> {
  const spec = {
    power: 'On',
    image,
    ...(server === undefined ? {} : { serverRef: { name: server } }),
    bootPolicy: { firstBoot: 'UefiHttp', boot: 'Hdd' },
  }
  return { apiVersion: 'metal.ironcore.dev/v1alpha1', kind: 'ServerClaim', metadata: { name, namespace }, spec } as NewObject<ServerClaim>
}

/** Out of the box: nobody knows what these machines are. */
export async function discovery({ chapter, server, say }: Teller, machines: readonly string[]): Promise<void> {
  chapter('Machines are found')
  say('Each BMC is asked what it is, then the machine boots a probe once by PXE and registers itself.')
  for (const machine of machines)
    await server(nameOf(machine), `${machine} is Available, off, with nothing armed`, ({ status }) => status?.state === 'Available')
}

/** The main job. */
export async function claimed({ kube, chapter, types, claim, server }: Teller, machine: string): Promise<void> {
  chapter('A claim: booted over HTTP once, then from disk')
  types(`claim web --image ${demoOs} --first-boot UefiHttp --server ${nameOf(machine)}`)
  await kube.create(claims, claimOf('web', demoOs, nameOf(machine)))
  await claim('web', 'the claim has its server', ({ status }) => status?.phase === 'Bound')
  await server(nameOf(machine), 'UefiHttp is armed, read back, and the power is on', ({ status }) => status?.boot?.step === 'Running')
  await server(nameOf(machine), 'the installer is done: the next reset reaches the disk', s => s.status?.boot?.next === 'Hdd' || isDone(s))
  await server(nameOf(machine), 'the installed system has reported from its disk', isDone)
}

/** A BMC that takes an order and does another thing. */
export async function lyingBmc({ kube, chapter, say, server, why }: Teller, rack: Rack, machine: string): Promise<void> {
  chapter('A BMC that lies')
  say(`From now on the BMC of ${machine} takes UefiHttp, and arms PXE.`)
  rack.fault(machine, 'uefihttp-becomes-pxe')
  const name = nameOf(machine)
  await kube.create(claims, claimOf('liar', demoOs, name))
  await server(
    name,
    'what was read back is not what was asked: the power stays off',
    s => conditionOf(s, 'BootOverrideHonoured')?.status === 'False',
  )
  await why(name)
  say('Somebody updates the firmware of that BMC.')
  rack.heal(machine)
  await server(name, 'it goes on by itself, and runs from disk', isDone)
}

/** An image that cannot be booted as it was asked for. */
export async function imageWithoutUki({ kube, chapter, types, claim, say }: Teller): Promise<void> {
  chapter('An image without a UKI')
  types(`claim batch --image ${demoOsWithoutUki} --first-boot UefiHttp`)
  await kube.create(claims, claimOf('batch', demoOsWithoutUki))
  const told = await claim('batch', 'the claim says what is wrong, and no server was touched', ({ status }) =>
    (status?.conditions ?? []).some(c => c.type === 'ImageValid' && c.status === 'False'),
  )
  say(`“${told.status?.conditions?.find(c => c.type === 'ImageValid')?.message ?? ''}”`)
  const made = await kube.find(configurations, { name: 'batch', namespace })
  const taken = (await kube.list(servers)).items.filter(({ spec }) => spec.serverClaimRef?.name === 'batch')
  say(`Boot configurations made for it: ${made ? 1 : 0}. Servers bound to it: ${taken.length}.`)
  await kube.delete(claims, { name: 'batch', namespace })
}

/** What nobody here commanded. */
export async function pulledCord({ kube, chapter, say, server, why, types }: Teller, rack: Rack, machine: string): Promise<void> {
  chapter('A pulled power cord')
  say(`Somebody pulls the power cord of ${machine}, which runs from its disk.`)
  const name = nameOf(machine)
  powerOff(rack.machine(machine), 'a pulled cord', 0)
  await server(
    name,
    'it is seen, and the server stops safely instead of being installed again',
    s => conditionOf(s, 'UnexpectedPowerTransition')?.status === 'True',
  )
  await why(name)
  types(`resume ${name}`)
  const attempt = (await kube.get(servers, { name })).status?.boot?.attempt ?? 0
  await kube.patch(servers, { name }, { merge: { metadata: { annotations: { 'metal.ironcore.dev/operation': 'resume-boot' } } } })
  await server(name, 'it boots from its disk; nothing was installed', ({ status }) => {
    const boot = status?.boot
    return boot !== undefined && boot.attempt > attempt && boot.method === 'Hdd' && boot.step === 'Ended'
  })
}
