/** What images of hosts are made of, and how. */
export const imageOptions = [
  ['--minimal-iso', 'leave the root file system out of those ISOs: machines fetch it while they boot'],
  ['--agent-image <reference>', 'container image of the Ironic agent that they run'],
  ['--agent-ca <file>', 'authority that signed the certificate under which that agent finds us, PEM; goes into the images'],
  [
    '--ignition-ca <file>',
    'authority that signed the certificates of those who serve Ignitions for images, PEM; the usual ones without it',
  ],
  ['--settling <seconds>', 'how long images of hosts without an InfraEnv wait before they are built; 0 where it is not said'],
] as const
