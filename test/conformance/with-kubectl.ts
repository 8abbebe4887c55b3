import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Kubectl, kubectlFor, noKubectl } from './kubectl.ts'

const root = new URL('../..', import.meta.url).pathname
const missing = noKubectl()

/** What people type first on a host where the kinds were installed: the same words work on both. */
export function kubectlCases(host: string, kubeconfig: () => string): void {
  if (missing !== undefined) console.log(`kubectl is skipped: ${missing}`)
  describe.skipIf(missing !== undefined)(`kubectl against ${host}`, () => {
    let kubectl: Kubectl
    const works = async (args: string, input?: string): Promise<string> => {
      const { code, out, err } = await kubectl(args, input)
      expect({ args, code, err: code === 0 ? '' : err }).toEqual({ args, code: 0, err: '' })
      return out
    }
    beforeAll(async () => {
      kubectl = kubectlFor(kubeconfig())
      const crds = execFileSync(process.execPath, [join(root, 'src/main.ts'), 'crds'], { encoding: 'utf8' })
      await works('apply -f -', crds)
      await works('wait --for=condition=Established crd --all --timeout=60s')
    })
    it('takes the CRDs a second time as they are', async () => {
      const crds = execFileSync(process.execPath, [join(root, 'src/main.ts'), 'crds'], { encoding: 'utf8' })
      const said = (await works('apply -f -', crds)).trim().split('\n')
      expect(said.filter(line => !line.endsWith('unchanged') && !line.endsWith('configured'))).toEqual([])
    })
    it('applies the examples, shows them and deletes them', async () => {
      const folder = join(root, 'examples/boot-policy')
      await works(`apply -f ${folder}`)
      expect(await works('get serverclaims,serverbootconfigurations,servermaintenances -A -o name')).toContain(
        'serverclaim.metal.ironcore.dev/',
      )
      expect(await works('get scl -A')).toMatch(/^NAMESPACE\s+NAME/)
      await works(`delete -f ${folder} --wait=false`)
    })
    it('explains a field of a kind of ours', async () => {
      expect(await works('explain serverclaim.spec.bootPolicy.firstBoot')).toContain('firstBoot')
    })
    it('refuses a value that is none, and says which', async () => {
      const claim = { apiVersion: 'metal.ironcore.dev/v1alpha1', kind: 'ServerClaim', metadata: { name: 'bad', namespace: 'default' } }
      const { code, err } = await kubectl('apply -f -', JSON.stringify({ ...claim, spec: { power: 'Sideways', image: 'a:1' } }))
      expect(code).not.toBe(0)
      expect(err).toContain('spec.power')
    })
  })
}
