import { crdOf } from '../../../src/api/crd.ts'
import { kinds } from '../../../src/api/kinds.ts'
import { bmcs, claims, configurations, maintenances, servers } from '../../../src/controllers/metal/resources.ts'
import { seconds } from '../../../src/core/duration.ts'
import { isObject } from '../../../src/core/json.ts'
import type { KubeObject } from '../../../src/core/object.ts'
import type { Clock, Kube } from '../../../src/ports/index.ts'
import type { Setting } from '../../../src/sim/story.ts'
import { insist } from '../insist.ts'
import { seldomRenewed } from '../seldom-renewed.ts'
import { normal } from '../valve/normal.ts'
import { heldInvariants } from './held-invariants.ts'
import { metalInvariants } from './invariants.ts'
import { keptInvariants } from './kept-invariants.ts'
import { type Lab, type LabOptions, openLab } from './lab.ts'
import { mediaInvariants } from './media-invariants.ts'
import { metalLease, metalProgram } from './program.ts'
import { sureInvariants } from './sure-invariants.ts'
import { type MetalWords, metalWords } from './words.ts'

/** A server's status without times, names and numbers that detours make. */
function worn(object: KubeObject): unknown {
  const said = normal(object) as { readonly status: Record<string, unknown> }
  const { stateSince: _, earlierBoots: __, boot, stopping, starting: ___, binding, served, ...status } = said.status
  const kept = isObject(boot)
    ? { purpose: boot['purpose'], method: boot['method'], step: boot['step'], outcome: boot['outcome'] }
    : undefined
  const { spec } = object as KubeObject & { readonly spec: Record<string, unknown> }
  const ref = isObject(spec['serverClaimRef']) ? { ...spec['serverClaimRef'], uid: '' } : undefined
  const conditions = Array.isArray(status['conditions']) ? (status['conditions'] as readonly Record<string, unknown>[]) : []
  return {
    ...said,
    spec: { ...spec, ...(ref ? { serverClaimRef: ref } : {}) },
    status: {
      ...status,
      // That a trouble is over is the same as that there was none.
      conditions: conditions.filter(
        ({ type, status: is }) => !['Reachable', 'BootOverrideHonoured', 'ShutdownAsked'].includes(String(type)) || is !== 'True',
      ),
      boot: kept,
      stopping: isObject(stopping) ? stopping['because'] : undefined,
      bound: isObject(binding) ? binding['server'] : undefined,
      fetched:
        isObject(served) && Array.isArray(served['fetches'])
          ? served['fetches'].map(fetch => (isObject(fetch) ? fetch['what'] : ''))
          : undefined,
    },
  }
}

/** For twenty seconds somebody cordons the server. One at a time: two would not know what to go back to. */
async function cordons(user: Kube, clock: Clock): Promise<void> {
  const key = { name: 'srv-1-system-0' }
  const cordon = async (unclaimable: boolean): Promise<void> => {
    if (await user.find(servers, key)) await user.patch(servers, key, { merge: { spec: { unclaimable } } })
  }
  const before = await user.find(servers, key).catch(() => undefined)
  if (!before || before.spec.unclaimable === true) return
  clock.after(seconds(20), () => void insist(clock, () => cordon(false)))
  await cordon(true).catch(() => {})
}

export const settingOf = (machines: readonly string[], lab: LabOptions = {}): Setting<Lab, MetalWords> => ({
  crds: kinds.map(crdOf) as readonly KubeObject[],
  devices: world => openLab(world, machines, lab),
  program: (ports, lab) => metalProgram(ports, lab),
  invariants: [...metalInvariants, ...keptInvariants, ...heldInvariants, ...mediaInvariants, ...sureInvariants],
  end: sight => ({
    bmcs: sight.objects(bmcs).map(worn),
    servers: sight.objects(servers).map(worn),
    claims: sight.objects(claims).map(worn),
    configurations: sight.objects(configurations).map(worn),
    maintenances: sight.objects(maintenances).map(worn),
    machines: machines.map(name => {
      const { power, stage, armed, disk, source, media } = sight.devices.rack.machine(name)
      return { name, power, stage, armed: armed.lasts, os: disk?.os, source, discs: Object.keys(media ?? {}) }
    }),
  }),
  words: metalWords,
  beside: lab => lab.beside,
  close: lab => lab.stop(),
  meddle: cordons,
  // A Server that is removed by force and made anew has forgotten what runs on it: then nothing is cycled, and a person has to say.
  without: ['recreated'],
  together: true,
})

export const metalSetting = settingOf(['srv-1'])

/** The same with a neighbour. */
export const twoMachines = settingOf(['srv-1', 'srv-2'])

/** The same with the API server apart, and a Lease that says who acts. */
export const twoMetalProcesses: typeof metalSetting = {
  ...metalSetting,
  program: (ports, lab) => metalProgram(ports, lab, { lease: seldomRenewed(metalLease) }),
  together: false,
}
