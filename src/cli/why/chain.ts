/** One step of the answer to "why": something is so, because of what the next link says. */
export interface Link {
  readonly what: string
  readonly is: string
  /** As the API has it. */
  readonly since?: string
}

/** From what was asked about down to its cause, and the way out. */
export interface Chain {
  readonly links: readonly Link[]
  /** Who can move it on; undefined where nothing is waited for. */
  readonly who?: string
  /** What they run or change. */
  readonly command?: string
}

export const link = (what: string, is: string, since?: string): Link => ({ what, is, ...(since === undefined ? {} : { since }) })

/** Puts a link in front of a chain: this is so because of that. */
export const because = (first: Link, { links, ...way }: Chain): Chain => ({ links: [first, ...links], ...way })

export const end = (last: Link, who?: string, command?: string): Chain => ({
  links: [last],
  ...(who === undefined ? {} : { who }),
  ...(command === undefined ? {} : { command }),
})
