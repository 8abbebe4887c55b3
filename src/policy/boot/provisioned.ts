/** On a boot configuration: whether its first boot is done. Set once, by the controller that saw it; never taken away. */
export const provisionedAnnotation = 'metal.ironcore.dev/provisioned'

export type Provisioned = 'yes' | 'no' | { readonly unreadable: string }

/** A value nobody here wrote is not guessed at: booting the wrong way reinstalls a server, or starts an empty disk. */
export function readProvisioned(annotations: Readonly<Record<string, string>> | undefined): Provisioned {
  const value = annotations?.[provisionedAnnotation]
  if (value === 'true') return 'yes'
  if (value === undefined || value === 'false') return 'no'
  return { unreadable: value }
}
