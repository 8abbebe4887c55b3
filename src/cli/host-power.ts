import { type BareMetalHost, hosts } from '../controllers/metal3/resources.ts'
import { Fault } from '../core/fault.ts'
import { plainReboot } from '../policy/metal3/reboot.ts'
import type { Kube } from '../ports/index.ts'

export const unknownPower = (to: string): Fault => new Fault('cli/power', `Cannot power "${to}": it has to be on, off or cycle`, 'never')

/** A host's wish for its power stands on itself; a restart is an annotation that its controller takes away. */
export async function hostPower(kube: Pick<Kube, 'patch'>, { metadata, spec }: BareMetalHost, to: string): Promise<void> {
  const { name, namespace = '' } = metadata
  const change = (merge: object): Promise<unknown> => kube.patch(hosts, { name, namespace }, { merge })
  switch (to.toLowerCase()) {
    case 'on':
      await change({ spec: { online: true } })
      break
    case 'off':
      if (spec?.disablePowerOff)
        throw new Fault('cli/power', `Cannot switch ${name} off: its spec says disablePowerOff`, 'never', {
          hint: `rackwright power ${name} cycle`,
        })
      await change({ spec: { online: false } })
      break
    case 'cycle':
      await change({ metadata: { annotations: { [plainReboot]: '' } } })
      console.log(`${namespace}/${name} is restarted once.`)
      return
    default:
      throw unknownPower(to)
  }
  console.log(`${namespace}/${name} shall be ${to.toLowerCase()}.`)
}
