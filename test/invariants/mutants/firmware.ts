import { servers } from '../../../src/controllers/metal/resources.ts'
import { minutes } from '../../../src/core/duration.ts'
import type { ProgramPorts } from '../../../src/jobs/programs/program.ts'
import type { Bmc } from '../../../src/ports/bmc.ts'
import type { ControllerKube, Kube } from '../../../src/ports/index.ts'
import type { Mode } from '../../../src/sim/faults/fault.ts'
import { type TargetReconciler, throughEyes, wanted } from '../../scenarios/firmware/program.ts'
import type { FirmwareMutant, FirmwareStory } from './mutant.ts'

type Seen = Parameters<TargetReconciler['decide']>[0]

const controller = (
  shows: FirmwareStory,
  name: string,
  bad: string,
  remake: (controller: TargetReconciler, kube: ControllerKube) => TargetReconciler,
): FirmwareMutant => ({ name, bad, shows, firmware: { remake } })
const seeing = (shows: FirmwareStory, name: string, bad: string, otherwise: (seen: Seen) => Seen): FirmwareMutant =>
  controller(shows, name, bad, one => ({ ...one, decide: (seen, now) => one.decide(otherwise(seen), now) }))
/** What a program does wrong shows where something else goes wrong, too: `looks` says what. */
const job = (
  [shows, ...looks]: readonly [FirmwareStory, ...Mode[]],
  name: string,
  bad: string,
  remakeJob: (ports: ProgramPorts) => ProgramPorts,
): FirmwareMutant => ({ name, bad, shows, looks, firmware: { remakeJob } })
const eyes = (where: readonly [FirmwareStory, ...Mode[]], name: string, bad: string, change: (bmc: Bmc) => Bmc): FirmwareMutant =>
  job(where, name, bad, ports => throughEyes(ports, change))

/** The job's way to the API with another answer to some of its questions. */
const hearing = (ports: ProgramPorts, find: Kube['find']): ProgramPorts => ({
  ...ports,
  kube: { ...ports.kube, patch: ports.kube.patch, find },
})

/** What was read once counts for ever. */
function remembering(ports: ProgramPorts): ProgramPorts {
  const known = new Map<string, unknown>()
  return hearing(ports, async (of, key, options) => {
    const name = `${of.plural} ${key.name}`
    // Whoever writes must have the newest: only leave and wish are remembered.
    if (!known.has(name)) known.set(name, await ports.kube.find(of, key, options))
    const fresh = await ports.kube.find(of, key, options)
    const { metadata, spec } = known.get(name) as NonNullable<typeof fresh> & { readonly spec: unknown }
    return fresh && { ...fresh, spec, metadata: { ...fresh.metadata, generation: metadata.generation } }
  })
}

/** Mistakes that somebody could make about firmware: in the controllers, in what jobs look at, in what they note. */
export const firmwareMutants: readonly FirmwareMutant[] = [
  eyes(['updatesBios', 'fails'], 'an update while another one is under way', 'two writers, and a machine that never starts again', bmc =>
    bmc.firmware ? { ...bmc, firmware: { ...bmc.firmware, running: async () => [] } } : bmc,
  ),
  job(['updatesBios', 'fails'], 'a version that is taken for running once it was sent', 'an update that failed is called done', ports => {
    let sent = false
    return throughEyes(ports, bmc => ({
      ...bmc,
      ...(bmc.bios ? { bios: { ...bmc.bios, version: async signal => (sent ? wanted : bmc.bios!.version(signal)) } } : {}),
      ...(bmc.firmware
        ? {
            firmware: {
              ...bmc.firmware,
              async push(name, image, targets, signal) {
                sent = true
                return bmc.firmware!.push(name, image, targets, signal)
              },
            },
          }
        : {}),
    }))
  }),
  eyes(['setsBios', 'crash after'], 'settings that are taken for set while they are pending', 'they are told to hold, and do not', bmc => {
    const { bios } = bmc
    return bios
      ? { ...bmc, bios: { ...bios, settings: async signal => ({ ...(await bios.settings(signal)), ...(await bios.pending(signal)) }) } }
      : bmc
  }),
  job(['updatesBios', 'meddled'], 'a job that asks for leave once', 'what nobody wants any more is written', remembering),
  controller('setsBios', 'a server that is given back while its job works', 'whoever takes it is restarted by a job', one => ({
    ...one,
    decide(seen, now) {
      const plan = one.decide(seen, now)
      return seen.job?.is === 'running' && seen.server?.updater?.ours ? { ...plan, actions: [...plan.actions, { do: 'letGo' }] } : plan
    },
  })),
  seeing('setsBios', 'a job that is not waited for', 'two jobs work on one machine', seen =>
    seen.job?.named ? { ...seen, job: undefined } : seen,
  ),
  seeing('setsBios', 'a period that is not kept', 'every minute somebody is asked and something is written', seen => ({
    ...seen,
    target: { ...seen.target, scan: { ...seen.target.scan, period: minutes(1) } },
  })),
  seeing(
    'staysRefused',
    'an update that was given up, forgotten when a scan works',
    'what the machine refused is written over and over',
    seen => {
      const { program, outcome } = seen.target.lastJob ?? {}
      return program === 'bios-scan' && outcome === 'Succeeded' ? { ...seen, target: { ...seen.target, trouble: undefined } } : seen
    },
  ),
  {
    name: 'a claimed server that is taken for a free one',
    bad: 'a system in use is restarted',
    shows: 'leavesAlone',
    firmware: {
      remake: (one, kube) => ({
        ...one,
        decide: (seen, now) =>
          one.decide(seen.server ? { ...seen, server: { ...seen.server, state: 'Available', claim: undefined } } : seen, now),
        perform: {
          ...one.perform,
          hold: {
            async run({ job: name }, { object, signal }) {
              const updateRef = { kind: 'ServerBIOS', name: object.metadata.name, uid: object.metadata.uid, job: name }
              await kube.patch(servers, { name: object.spec.serverRef.name }, { merge: { spec: { updateRef } } }, { signal })
            },
          },
        },
      }),
      remakeJob: ports =>
        hearing(ports, async (of, key, options) => {
          const found = await ports.kube.find(of, key, options)
          if (of.plural !== servers.plural || !found) return found
          const { spec } = found as unknown as { readonly spec: object }
          return { ...found, spec: { ...spec, serverClaimRef: undefined }, status: { state: 'Available' } }
        }),
    },
  },
]
