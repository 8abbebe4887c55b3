import { maintenances, type ServerMaintenance } from '../../controllers/metal/resources.ts'
import type { NewObject } from '../../ports/index.ts'
import { withApi } from '../api.ts'
import type { Options } from '../catalogue/command.ts'
import { namespaceOf } from '../target.ts'

/** Takes a server out of service for work, or puts it back. */
export const maintain = (options: Options, server = ''): Promise<number> =>
  withApi(options, async kube => {
    const namespace = namespaceOf(options)
    const name = typeof options['name'] === 'string' ? options['name'] : server
    if (options['done'] === true) {
      await kube.delete(maintenances, { name, namespace })
      console.log(`Maintenance ${namespace}/${name} is going; ${server} goes back to what it was.`)
      return 0
    }
    await kube.create(maintenances, maintenanceOf(options, { name, namespace }, server))
    console.log(`Maintenance ${namespace}/${name} is made. Follow it with: rackwright describe maintenance/${name}`)
    return 0
  })

function maintenanceOf(options: Options, key: { name: string; namespace: string }, server: string): NewObject<ServerMaintenance> {
  const { reason, image, firstBoot, enforced } = options
  const spec = {
    serverRef: { name: server },
    policy: enforced === true ? 'Enforced' : 'OwnerApproval',
    ...(typeof image === 'string'
      ? {
          serverPower: 'On',
          serverBootConfigurationTemplate: { spec: { image, bootPolicy: { firstBoot: firstBoot ?? 'Pxe', boot: 'Hdd' } } },
        }
      : {}),
  }
  const annotations = typeof reason === 'string' ? { annotations: { 'metal.ironcore.dev/reason': reason } } : {}
  return {
    apiVersion: 'metal.ironcore.dev/v1alpha1',
    kind: 'ServerMaintenance',
    metadata: { ...key, ...annotations },
    spec,
  } as unknown as NewObject<ServerMaintenance>
}
