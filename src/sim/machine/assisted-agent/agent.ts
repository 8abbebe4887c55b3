import { isObject } from '../../../core/json.ts'
import { ask } from '../ask.ts'
import { uuidOf } from '../identity.ts'
import { found } from '../ironic-agent/found.ts'
import type { Machine } from '../machine.ts'
import type { AssistedSettings } from '../world.ts'

const pause = 10_000
const stages = ['Starting installation', 'Writing image to disk', 'Rebooting'] as const

/**
 * The assisted agent on a simulated machine: registers, asks for instructions as often as it is told to, and installs when it may.
 * True when the system is on the disk; false where the machine was restarted meanwhile.
 */
export async function runAssistedAgent(machine: Machine, { url, infraEnv }: AssistedSettings, os: string): Promise<boolean> {
  const { epoch } = machine
  const { clock } = machine.site
  const runs = (): boolean => machine.epoch === epoch
  const id = uuidOf(machine.uuidOf ?? machine.number)
  const root = `${url}/api/assisted-install/v2/infra-envs/${infraEnv}/hosts`
  const send = (method: 'GET' | 'POST' | 'PUT', path: string, body?: object) =>
    ask(
      machine,
      { method, url: `${root}${path}`, ...(body ? { body: Buffer.from(JSON.stringify(body)) } : {}) },
      'assisted-installer-agent',
    )
  while (runs() && (await send('POST', '', { host_id: id, inventory: inventoryOf(machine) }))?.status !== 201) await clock.sleep(pause)
  let told: string | undefined
  while (runs() && told !== 'install') {
    const answer = await send('GET', `/${id}/instructions`)
    const said: unknown = answer?.status === 200 ? JSON.parse(Buffer.from(answer.body).toString('utf8')) : {}
    const { next_instruction_seconds: next = pause / 1_000, step } = isObject(said) ? said : {}
    told = typeof step === 'string' ? step : undefined
    if (told !== 'install') await clock.sleep(Number(next) * 1_000)
  }
  for (const stage of stages) {
    if (!runs()) return false
    await send('PUT', `/${id}/progress`, { current_stage: stage })
    if (stage !== 'Writing image to disk') continue
    await clock.sleep(machine.model.times.install)
    if (!runs()) return false
    machine.disk = { os, steps: [] }
    machine.site.tell(machine.name, { what: 'installed', os })
  }
  return runs()
}

/** What it found, in the words of the assisted service. */
function inventoryOf(machine: Machine): object {
  const { interfaces, disks, memory, hostname } = found(machine)
  return {
    hostname,
    interfaces: interfaces.map(({ name, mac_address: macAddress, ipv4_address: ip, has_carrier: hasCarrier }) => ({
      name,
      macAddress: macAddress.toUpperCase(),
      hasCarrier,
      ipV4Addresses: ip === null ? [] : [`${ip}/24`],
    })),
    disks: disks.map(({ name, model, size, rotational, serial, wwn, hctl, vendor }) => ({
      id: `/dev/disk/by-id/wwn-${wwn}`,
      path: name,
      driveType: rotational ? 'HDD' : 'SSD',
      sizeBytes: size,
      model,
      serial,
      wwn,
      hctl,
      vendor,
    })),
    memory: { physicalBytes: memory.total, usableBytes: memory.total },
  }
}
