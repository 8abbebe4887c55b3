import { degradedOf, figuresOf, printFigures } from '../../controllers/boot-images/figures.ts'
import { type BootImageSettings, bootImageControllers } from '../../controllers/boot-images/index.ts'
import { histories, machineConfigurations } from '../../controllers/boot-images/resources.ts'
import type { Cached, Clock, Ids, Kube, Log } from '../../ports/index.ts'
import { type Controllers, type LeaseOptions, openControllers } from '../../runtime/index.ts'

export interface BootImagePorts {
  readonly kube: Kube
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Log
  readonly identity: string
  readonly settings?: Partial<BootImageSettings>
  readonly lease?: LeaseOptions
}

export interface BootImages {
  readonly controllers: Controllers
  metrics(): Promise<string>
}

/** The controllers of boot images over one API. Nothing runs before `controllers.start`. */
export function openBootImages({ kube, clock, ids, log, identity, settings, lease }: BootImagePorts): BootImages {
  const controllers = openControllers({ kube, clock, ids, log, identity, ...(lease ? { lease } : {}) })
  const made = bootImageControllers(settings)
  let cached: Cached | undefined
  controllers.add(made.machineConfiguration)
  controllers.add(own => {
    cached = own.cached
    return made.history(own)
  })
  return {
    controllers,
    async metrics() {
      const figures = cached
        ? [...figuresOf(cached.list(histories)), ...degradedOf(cached.get(machineConfigurations, { name: 'cluster' }))]
        : []
      return `${await controllers.metrics()}${printFigures(figures)}`
    },
  }
}
