import { serverBioses, serverFirmwares } from '../../../controllers/firmware/resources.ts'
import { operationAnnotation } from '../../../controllers/metal/operation.ts'
import { withApi } from '../../api.ts'
import type { Options } from '../../catalogue/command.ts'
import { readTargets } from './read.ts'

/** Asks for a scan now, whenever the next would have been. */
export const firmwareScan = (options: Options, name = ''): Promise<number> =>
  withApi(options, async kube => {
    for (const { kind, metadata, spec } of await readTargets(kube, name)) {
      const merge = { metadata: { annotations: { [operationAnnotation]: 'scan' } } }
      await (kind === 'ServerBIOS'
        ? kube.patch(serverBioses, { name: metadata.name }, { merge })
        : kube.patch(serverFirmwares, { name: metadata.name }, { merge }))
      console.log(`${kind}/${metadata.name}: server ${spec.serverRef.name} is scanned as soon as nothing else runs for it.`)
    }
    return 0
  })
