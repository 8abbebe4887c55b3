import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Kubectl, kubectlFor, noKubectl } from './kubectl.ts'
import { type Running, startRackwright } from './running.ts'

const missing = noKubectl()
const claim = (name: string, image: string, server?: string): string => `
apiVersion: metal.ironcore.dev/v1alpha1
kind: ServerClaim
metadata: { name: ${name}, namespace: default }
spec:
  power: "On"
  image: ${image}
  bootPolicy: { firstBoot: UefiHttp, boot: Hdd }
${server === undefined ? '' : `  serverRef: { name: ${server} }`}
`

describe.skipIf(missing !== undefined)(
  `with kubectl alone${missing === undefined ? '' : ` (skipped: ${missing})`}`,
  { timeout: 600_000 },
  () => {
    let running: Running
    let kubectl: Kubectl
    beforeAll(async () => {
      running = await startRackwright(['--servers', '4', '--speed', '40', '--no-demo-claim'])
      kubectl = kubectlFor(running.kubeconfig)
    }, 600_000)
    afterAll(() => running.stop(), 60_000)

    /** A busy machine takes its time; in pieces, as each kubectl here may take a minute. */
    async function waits(...what: readonly string[]): Promise<void> {
      for (let tries = 0; ; tries++) {
        const { code, err } = await kubectl(['wait', ...what, '--timeout=20s'])
        if (code === 0) return
        if (tries >= 12) throw new Error(`kubectl wait ${what.join(' ')}: ${err}`)
      }
    }
    const json = async (...what: readonly string[]) => JSON.parse((await kubectl(['get', ...what, '-o', 'json'])).out)

    it('a stranger sees servers being discovered', async () => {
      await waits('--for=create', 'server/server-1-system-0')
      await waits('--for=jsonpath={.status.state}=Available', 'server/server-1-system-0')
      const { out } = await kubectl('get servers')
      expect(out).toMatch(/^NAME +SYSTEMUUID +MANUFACTURER +MODEL +MEMORY +POWERSTATE +STATE/)
      expect(out).toMatch(/server-1-system-0 .*Dell Inc\. .*Off +Available/)
    })
    it('BP-045 claims one, and watches it being bound, booted and installed', async () => {
      expect(await kubectl('apply -f -', claim('web', 'images.sim/debian:13', 'server-1-system-0'))).toMatchObject({ code: 0 })
      await waits('--for=jsonpath={.status.phase}=Bound', 'serverclaim/web')
      await waits('--for=jsonpath={.status.state}=Ready', 'serverbootconfiguration/web')
      await waits('--for=jsonpath={.status.boot.outcome}=Installed', 'server/server-1-system-0')
      const { metadata } = await json('serverbootconfiguration/web')
      expect(metadata.annotations).toMatchObject({ 'metal.ironcore.dev/provisioned': 'true' })
    })
    it('reads from conditions and events what happened, and why', async () => {
      const { status } = await json('serverclaim/web')
      expect(status.conditions).toEqual(expect.arrayContaining([expect.objectContaining({ type: 'Bound', status: 'True' })]))
      const { out } = await kubectl('describe server server-1-system-0')
      for (const told of [
        'Discovery → Available',
        'Available → Reserved: a claim has it',
        'boot 2: its first boot is by UefiHttp',
        'provisioned',
      ])
        expect(out).toContain(told)
    })
    it('BP-026 BP-027 is told on the claim what is wrong with an image, and that nothing was made of it', async () => {
      await kubectl('apply -f -', claim('batch', 'images.sim/debian:13-pxe'))
      await waits('--for=condition=ImageValid=False', 'serverclaim/batch')
      const { out } = await kubectl('describe serverclaim batch')
      expect(out).toContain('it needs uki; found kernel, initramfs')
      expect(out).toMatch(/Warning +MissingArtifact/)
      expect((await kubectl('get serverbootconfiguration batch')).code).not.toBe(0)
      expect(await kubectl('delete serverclaim batch --timeout=120s')).toMatchObject({ code: 0 })
    })
    it('BP-061 switches it off and on again: from disk', async () => {
      const power = (state: string) => kubectl(['patch', 'serverclaim', 'web', '--type=merge', '-p', `{"spec":{"power":"${state}"}}`])
      await power('Off')
      await waits('--for=jsonpath={.status.powerState}=Off', 'server/server-1-system-0')
      await power('On')
      await waits('--for=jsonpath={.status.boot.method}=Hdd', 'server/server-1-system-0')
      await waits('--for=jsonpath={.status.powerState}=On', 'server/server-1-system-0')
    })
    it('I5 gives it back', async () => {
      await kubectl('delete serverclaim web --wait=false')
      await waits('--for=jsonpath={.status.state}=Available', 'server/server-1-system-0')
      expect((await kubectl('get serverclaims')).err).toContain('No resources found')
    })
  },
)
