/** Whose agents install hosts of InfraEnvs. */
export const assisted = [
  [
    '--assisted-url <url>',
    'assisted service that agents of InfraEnvs call: their Ignition is rendered here; left out, that service renders it itself',
  ],
  ['--assisted-agent-image <reference>', 'container image of the assisted agent'],
] as const
