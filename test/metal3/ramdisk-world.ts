import { createHash } from 'node:crypto'
import { agentHandler } from '../../src/cli/compose/agent-desk.ts'
import { hostPapers } from '../../src/cli/compose/host-papers.ts'
import type { Clock, Kube } from '../../src/ports/index.ts'
import { silent } from '../../src/ports/index.ts'
import type { RamdiskFiles, RamdiskLogs } from '../../src/ports/provisioner.ts'
import { agentCalls } from '../../src/provisioner/agent/calls.ts'
import { type AgentDesk, openDesk } from '../../src/provisioner/agent/desk.ts'
import type { AgentLane } from '../../src/provisioner/direct/index.ts'
import { fixedRamdisks } from '../../src/provisioner/ramdisk/fixed.ts'
import type { BootWorld, WorldAnswer } from '../../src/sim/machine/world.ts'
import type { Rack } from '../../src/sim/rack.ts'

const text = (of: string): Uint8Array => new TextEncoder().encode(of)
export const agentsUrl = 'https://agents.example'
const base = agentsUrl

/** Every image is there that is not called missing; which part it is for, and which version it is, its name says. */
export const firmwareAt = 'https://firmware.example'
export const liveIso = 'https://images.example/live.iso'
export const ramdiskIso = 'https://images.example/ramdisk.iso'
const image = 'https://images.example/os.qcow2'
const imageBytes = text('an operating system')
const sums = { sha256: createHash('sha256').update(imageBytes).digest('hex'), md5: createHash('md5').update(imageBytes).digest('hex') }

/** What a host asks for that installs it. */
export const osImage = { url: image, checksum: sums.sha256, checksumType: 'sha256' as const, format: 'qcow2' as const }
export const md5Image = { url: image, checksum: sums.md5, format: 'raw' as const }

/** The same ramdisk for machines that boot over the network. */
export const netboot = {
  kernel: 'https://images.example/ramdisk.kernel',
  initramfs: 'https://images.example/ramdisk.initramfs',
  arguments: 'console=ttyS0',
}

const files: Readonly<Record<string, Uint8Array>> = {
  [liveIso]: text('live'),
  [ramdiskIso]: text(`sim: ironic-agent ${base} ${base}/v1/continue_inspection`),
  'https://images.example/quiet.iso': text(`sim: ironic-agent ${base}`),
  [image]: imageBytes,
  [netboot.kernel]: text(`sim: ironic-agent \${ipa-api-url} \${ipa-inspection-callback-url} \${ipa-agent-token}`),
  [netboot.initramfs]: text('files'),
}

/** A network with images and a desk for agents, which may be away. */
export function ramdiskWorld(desk: () => AgentDesk | undefined): BootWorld {
  const addresses = new Map<string, string>()
  const addressOf = (server: string): string => {
    const known = addresses.get(server) ?? `10.64.0.${addresses.size + 1}`
    addresses.set(server, known)
    return known
  }
  return {
    addressOf,
    dhcp: ({ wants }) => (wants === 'Pxe' ? `${base}/ipxe` : undefined),
    async fetch({ method, url, headers, body, server }): Promise<WorldAnswer> {
      const { origin, pathname, search } = new URL(url)
      if (origin !== base) {
        const found = origin === firmwareAt && !pathname.includes('missing') ? text('firmware') : files[url]
        return { status: found ? 200 : 404, headers: { 'content-length': String(found?.length ?? 0) }, body: found ?? new Uint8Array() }
      }
      const at = desk()
      if (!at) throw new Error(`nothing answers at ${origin}`)
      if (pathname === '/ipxe') return { status: 200, headers: {}, body: text(`#!ipxe\nchain ${base}/ipxe/\${uuid}\n`) }
      const asked = { method, url: pathname + search, headers, ...(body ? { body } : {}) }
      const answer = await agentHandler(at, base)(asked, { address: addressOf(server) })
      return answer ? { ...answer, body: answer.body as Uint8Array } : { status: 404, headers: {}, body: new Uint8Array() }
    },
  }
}

/** What the engine has for ramdisks: a desk, the agents of the rack, fixed discs, Secrets. */
export function ramdiskLane(
  kube: Pick<Kube, 'find'>,
  clock: Clock,
  rack: () => Rack,
  ramdisk: RamdiskFiles = { iso: ramdiskIso },
  logs?: RamdiskLogs,
): AgentLane {
  return {
    desk: openDesk({ clock, log: silent, key: Buffer.alloc(32, 3) }),
    calls: agentCalls({ clock, transport: ({ url }) => rack().agentAt(url) }),
    ramdisks: fixedRamdisks({ any: ramdisk }),
    papers: hostPapers(kube),
    ...(logs ? { logs } : {}),
  }
}
