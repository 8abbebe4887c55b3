import type { HostOrder, HostPapers } from '../../ports/provisioner.ts'
import { configDrive } from '../config-drive/drive.ts'
import { driveContent } from '../config-drive/files.ts'
import { bootModeOf, imageInfoOf } from './image-info.ts'
import { nodeOf } from './node.ts'

export interface AgentOrder {
  readonly name: string
  readonly params: object
}

/** Which of the agent's commands does this entry of a plan: three are its own, the others are steps of its hardware managers. */
export async function commandFor(
  host: HostOrder,
  kind: 'deploy' | 'clean',
  entry: string,
  papers: () => Promise<HostPapers>,
): Promise<AgentOrder> {
  if (entry === 'standby.sync') return { name: entry, params: {} }
  // A whole disk has no root partition that we would know of: this is how Ironic says so.
  if (entry === 'image.install_bootloader')
    return { name: entry, params: { root_uuid: '0x00000000', target_boot_mode: bootModeOf(host.bootMode) } }
  const [part = '', step = ''] = [entry.slice(0, entry.indexOf('.')), entry.slice(entry.indexOf('.') + 1)]
  const told = { step, interface: part, priority: 0, reboot_requested: false }
  if (kind === 'clean') return { name: 'clean.execute_clean_step', params: { step: { ...told, args: {} }, node: nodeOf(host), ports: [] } }
  const name = 'deploy.execute_deploy_step'
  if (step === 'write_image' && host.image && step !== host.customDeploy) {
    const args = { image_info: imageInfoOf(host.image, host), configdrive: configDrive(driveContent(host, await papers())) }
    return { name, params: { step: { ...told, args }, node: nodeOf(host), ports: [] } }
  }
  // A method of its own finds what it installs on the node, as under Ironic.
  const instance =
    step === host.customDeploy
      ? { configdrive: driveContent(host, await papers()), ...(host.image ? { image_source: host.image.url } : {}) }
      : {}
  return { name, params: { step: { ...told, args: {} }, node: nodeOf(host, instance), ports: [] } }
}
