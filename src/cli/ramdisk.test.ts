import { describe, expect, it } from 'vitest'
import { wallClock } from '../net/wall-clock.ts'
import { silent } from '../ports/index.ts'
import { openDesk } from '../provisioner/agent/desk.ts'
import { agentHandler, serveAgents } from './compose/agent-desk.ts'
import { operatorSettings } from './operator/settings.ts'
import { ramdiskOf } from './ramdisk.ts'

describe('ramdiskOf()', () => {
  it.each([
    [{}, undefined],
    [{ ramdiskIso: 'http://a/r.iso' }, { iso: 'http://a/r.iso' }],
    [
      { ramdiskKernel: 'http://a/k', ramdiskInitramfs: 'http://a/i', ramdiskArguments: 'quiet' },
      { kernel: 'http://a/k', initramfs: 'http://a/i', arguments: 'quiet' },
    ],
  ])('reads %j', (options, expected) => expect(ramdiskOf(options)).toEqual(expected))
  it.each([[{ ramdiskIso: '/isos/r.iso' }], [{ ramdiskKernel: 'http://a/k' }]])('refuses %j', options =>
    expect(() => ramdiskOf(options)).toThrow('Cannot use'),
  )
})

describe('agents of hosts', () => {
  const desk = openDesk({ clock: wallClock, log: silent, key: Buffer.alloc(32, 1) })
  const mac = '02:00:00:00:00:01'
  const uuid = '4c4c4544-0042-3010-8052-b4c04f4e3532'
  const network = { uuid, kernel: 'http://a/k', initramfs: 'http://a/i', arguments: 'quiet console=ttyS0' }
  desk.expect({ uid: 'u', attempt: 1, macs: [mac], node: {}, takesMd5: false, network })
  const asks = async (url: string) => {
    const answer = await agentHandler(desk, 'http://boot')({ method: 'GET', url, headers: {} }, { address: '10.0.0.1' })
    return answer && Buffer.from(answer.body as Uint8Array).toString('utf8')
  }

  it.each([uuid.toUpperCase(), mac.replaceAll(':', '-')])(
    'a machine that was told to boot over the network gets its script by %s',
    async name => {
      const script = await asks(`/ipxe/${name}`)
      expect(script).toContain(
        'kernel http://a/k initrd=initramfs ipa-api-url=http://boot ipa-inspection-callback-url=http://boot/v1/continue_inspection ipa-agent-token=',
      )
      expect(script).toContain('quiet console=ttyS0')
    },
  )
  it('everything else is left to the boot server', async () =>
    expect([await asks('/ipxe/02-00-00-00-00-02'), await asks('/ipxe'), await asks('/healthz'), await asks('/v2')]).toEqual(
      Array(4).fill(undefined),
    ))
  it('in the operator they call a listener of its own, which answers while it looks after hosts', async () => {
    const { agents } = operatorSettings({ bootUrl: 'http://boot', ramdiskIso: 'http://a/r.iso', agentPort: 0 })
    expect(agents).toMatchObject({ port: 0, builds: false, ramdisk: { iso: 'http://a/r.iso' } })
    const said: unknown[] = []
    const listening = await serveAgents(agents!, {
      clock: wallClock,
      log: { ...silent, info: (_, about) => void said.push(about?.['url']) },
    })
    const status = async () => (await fetch(`${String(said[0])}/v1/lookup?addresses=${mac}`)).status
    expect(await status()).toBe(503)
    listening.answer(desk)
    expect(await status()).toBe(200)
    await listening.close()
  })
})
