import { bmcs } from '../../../controllers/metal/resources.ts'
import { Fault } from '../../../core/fault.ts'
import { withApi } from '../../api.ts'
import { agreed } from '../../ask.ts'
import { shownCertificate } from '../../bmc-fingerprint.ts'
import type { Options } from '../../catalogue/command.ts'
import { firstSeen } from '../../compose/bmc-access.ts'
import { certificateText } from './add.ts'

/** Pins a BMC's certificate: the one whose fingerprint is given, or the one that it shows now, after a look at it. */
export const trust = (options: Options, name = '', fingerprint?: string): Promise<number> =>
  withApi(options, async kube => {
    const { spec } = await kube.get(bmcs, { name })
    const ip = spec.access?.ip
    if (ip === undefined) throw new Fault('bmc/no-address', `Cannot trust BMC ${name}: it has no address yet`, 'never')
    let pin = fingerprint
    if (pin === undefined) {
      const shown = await shownCertificate(ip, spec.protocol.port)
      console.log(certificateText(`${name} at ${ip}:${spec.protocol.port}`, shown))
      if (!(await agreed(options, 'Trust it from now on?'))) return 1
      pin = shown.fingerprint
    }
    const tls = { fingerprint: pin, caSecretRef: null, trust: null }
    await kube.patch(bmcs, { name }, { merge: { metadata: { annotations: { [firstSeen]: null } }, spec: { tls } } })
    console.log(`BMC ${name} is trusted by the certificate ${pin}.`)
    return 0
  })
