import type { ServerMaintenance } from '../resources.ts'

/** The template's name where it gives one, else the maintenance's own. */
export const configurationNameOf = ({ metadata, spec }: ServerMaintenance): string =>
  spec.serverBootConfigurationTemplate?.name ?? metadata.name

/** What the configuration of a maintenance says: its template, for the maintenance's server. */
export const templateOf = ({ spec }: ServerMaintenance) => ({
  ...spec.serverBootConfigurationTemplate?.spec,
  serverRef: { name: spec.serverRef.name },
})
