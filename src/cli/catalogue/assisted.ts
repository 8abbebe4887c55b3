/** How hosts of InfraEnvs are installed. */
export const assistedFlow = [
  ['--agent-start-timeout <minutes>', 'from the start of a machine to the first call of its agent; 30 where it is not said'],
  ['--converged-flow <choice>', 'how hosts of InfraEnvs are installed: Auto by what the cluster can, On by their agents, Off by live ISO'],
  ['--least-memory <mebibytes>', 'what such a host must have for two agents; 4096 where it is not said'],
] as const

/** Whose agents install hosts of InfraEnvs. */
export const assisted = [
  [
    '--assisted-url <url>',
    'assisted service that agents of InfraEnvs call: their Ignition is rendered here; left out, that service renders it itself',
  ],
  ['--assisted-agent-image <reference>', 'container image of the assisted agent'],
] as const
