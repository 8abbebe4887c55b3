import { object, oneOf, optional, string } from '../schema.ts'

export const hostImage = (description: string) =>
  object(
    {
      url: string('Where it is fetched from.'),
      checksum: optional(string('Its checksum, or the address of a file with checksums. None for live-iso.')),
      checksumType: optional(oneOf(['md5', 'sha256', 'sha512', 'auto'], 'How the checksum was made. md5 where missing.')),
      format: optional(oneOf(['raw', 'qcow2', 'vdi', 'vmdk', 'live-iso'], 'What it is; live-iso is booted and never installed.')),
      ociAuthSecretName: optional(string('A Secret in the same namespace with the credentials of an OCI registry.')),
    },
    description,
  )

export const customDeploy = (description: string) =>
  object({ method: string('The deploy step of the agent that installs the host.') }, description)
