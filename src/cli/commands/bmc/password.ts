import { bmcs } from '../../../controllers/metal/resources.ts'
import { withApi } from '../../api.ts'
import type { Options } from '../../catalogue/command.ts'
import { bmcSecrets, secrets } from '../../compose/bmc-access.ts'
import { managerNamespace } from '../../compose/manager-namespace.ts'
import { credentialsFor } from './credentials.ts'

/** Says which user and password a BMC takes now. It is not told: change it there first. */
export const password = (options: Options, name = ''): Promise<number> =>
  withApi(options, async kube => {
    const ref = (await kube.get(bmcs, { name })).spec.bmcSecretRef
    const { username, password: secret } = await credentialsFor(options)
    const encoded = (text: string): string => Buffer.from(text).toString('base64')
    const merge = { data: { username: encoded(username), password: encoded(secret) }, stringData: null }
    if (ref.kind === 'Secret') await kube.patch(secrets, { name: ref.name, namespace: managerNamespace }, { merge })
    else await kube.patch(bmcSecrets, { name: ref.name }, { merge })
    console.log(`BMC ${name} is logged in to as ${username} from now on.`)
    return 0
  })
