/** Who is asking, as authentication found out. */
export interface User {
  readonly name: string
  readonly uid?: string
  readonly groups: readonly string[]
  readonly extra?: Readonly<Record<string, readonly string[]>>
}

/** What is asked, as authorization sees it. */
export type Attributes =
  | {
      readonly verb: string
      readonly group: string
      readonly version?: string
      readonly resource: string
      readonly subresource?: string
      readonly namespace?: string
      readonly name?: string
    }
  | { readonly verb: string; readonly path: string }

export interface Verdict {
  readonly allowed: boolean
  readonly because: string
}
