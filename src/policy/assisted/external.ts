/** What an assisted service that is at work leaves on hosts and their images. */
export const theirHostFinalizer = 'bmac.agent-install.openshift.io/deprovision'
export const theirImageFinalizer = 'preprovisioningimage.agent-install.openshift.io/ai-deprovision'
export const theirReason = 'InfraEnvAvailable'

interface Marked {
  readonly metadata: { readonly finalizers?: readonly string[] }
}

/** Whether the controllers of an assisted service hold this host or its image; undefined where none does. */
export function heldByAssisted(host: Marked | undefined, image: Marked | undefined, imageReason: string | undefined): string | undefined {
  if (host?.metadata.finalizers?.includes(theirHostFinalizer)) return `it has finalizer ${theirHostFinalizer}`
  if (image?.metadata.finalizers?.includes(theirImageFinalizer)) return `its image has finalizer ${theirImageFinalizer}`
  return imageReason === theirReason ? `its image was made by an assisted service (${theirReason})` : undefined
}
