import { type ServerBIOS, serverBioses } from '../../controllers/firmware/resources.ts'
import { seconds } from '../../core/duration.ts'
import type { Clock, Kube, Log, NewObject } from '../../ports/index.ts'
import { dell } from '../../sim/personalities/dell.ts'
import type { Rack } from '../../sim/rack.ts'

/** By then the claim of the demo runs from its disk: nothing that people wait for gets slower by this. */
const late = seconds(60)

/** Something to see of firmware: a setting for one machine that nobody has claimed. Ends with what it returns. */
export function showFirmwareLater(kube: Kube, clock: Clock, log: Log, rack: Pick<Rack, 'servers' | 'personality'>): () => void {
  return clock.after(late, () => {
    showFirmware(kube, rack).catch((error: unknown) => log.warn('no firmware is shown', { because: String(error) }))
  })
}

export async function showFirmware(kube: Kube, rack: Pick<Rack, 'servers' | 'personality'>): Promise<void> {
  const machine = rack.servers.slice(1).find(name => rack.personality(name).name === dell.name)
  if (machine === undefined) return
  const name = `${machine}-system-0`
  if ((await kube.find(serverBioses, { name })) !== undefined) return
  const spec = { serverRef: { name }, scanPeriodMinutes: 30, bios: { settings: { SriovGlobalEnable: 'Enabled' } } }
  const made = { apiVersion: 'metal.ironcore.dev/v1alpha1', kind: 'ServerBIOS', metadata: { name }, spec }
  await kube.create(serverBioses, made as unknown as NewObject<ServerBIOS>)
}
