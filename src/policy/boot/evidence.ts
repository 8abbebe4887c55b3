/** What the world has shown of one first boot. */
export interface Evidence {
  /** On was read back after the power-on that we noted. */
  readonly poweredOn: boolean
  readonly artifactServed: boolean
  readonly bootReported: boolean
}

export const evidenceLevels = ['PowerOn', 'ArtifactServed', 'BootReported'] as const
export type EvidenceLevel = (typeof evidenceLevels)[number]

/** Where our boot server does not serve, what it would have seen can never come: then power alone must do. */
export const levelInForce = (wanted: EvidenceLevel, weServe: boolean): EvidenceLevel => (weServe ? wanted : 'PowerOn')

/** Whether a first boot counts as done. Power is always needed: nothing that is off has booted. */
export function isProvisioned(level: EvidenceLevel, seen: Evidence): { readonly done: boolean; readonly because: string } {
  if (!seen.poweredOn) return { done: false, because: 'the server has not been seen on since its first boot was commanded' }
  switch (level) {
    case 'PowerOn':
      return { done: true, because: 'the server is on' }
    case 'ArtifactServed':
      if (seen.artifactServed || seen.bootReported) return { done: true, because: 'the server is on and fetched its image' }
      return { done: false, because: 'the server is on, but has not fetched its image' }
    case 'BootReported':
      if (seen.bootReported) return { done: true, because: 'the installed system reported its boot' }
      return {
        done: false,
        because: seen.artifactServed
          ? 'the image was fetched, but its system has not reported yet'
          : 'the server is on, but has not fetched its image',
      }
    default:
      return level satisfies never
  }
}
