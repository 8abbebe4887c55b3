import type { Images } from '../stream.ts'

/** A providerSpec, or the spec inside an infrastructure template: foreign JSON. */
export type MachineSpec = Readonly<Record<string, unknown>>

/** Which of the two APIs a spec comes from: the same cloud has different fields there. */
export type Api = 'mapi' | 'capi'

/** A boot image that a stream offers. */
export interface Target {
  /** How people name it. */
  readonly image: string
  readonly release: string
}

export type Skip = { readonly skip: string; readonly because: string }
export const skip = (reason: string, because: string): Skip => ({ skip: reason, because })
export const isSkip = (value: object): value is Skip => 'skip' in value

/** Where this image came from: one of the stream's, or nobody can tell, and then it is not touched. */
export type Provenance = 'stream' | Skip

/** What is known besides the spec and the stream. */
export interface Known {
  readonly api: Api
  readonly architecture: string
  /** Images that streams of this cluster named before: on platforms whose image names say nothing, the only proof of where one came from. */
  readonly named: ReadonlySet<string>
}

/** One platform: four small questions about a spec, none of which can throw. */
export interface Platform {
  /** As Infrastructure's `status.platformStatus.type` spells it. */
  readonly type: string
  /** Kinds of infrastructure templates, where Cluster API has them. */
  readonly templates: readonly string[]
  /** The image that the spec names now. */
  read(spec: MachineSpec, known: Known): string | Skip
  classify(image: string, spec: MachineSpec, known: Known): Provenance
  target(spec: MachineSpec, images: Images, known: Known): Target | Skip
  /** A copy of the spec with the new image; everything else stays. */
  write(spec: MachineSpec, target: Target, known: Known): MachineSpec
}
