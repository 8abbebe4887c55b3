import type { BootWorld } from './world.ts'

/** The same world, in which these discs can be fetched, too. */
export const withDiscs = <W extends BootWorld>(world: W, discs: Readonly<Record<string, Uint8Array>>): W => ({
  ...world,
  async fetch(request) {
    const disc = Object.hasOwn(discs, request.url) ? discs[request.url] : undefined
    if (!disc) return world.fetch(request)
    const body = request.method === 'HEAD' ? new Uint8Array() : disc
    return { status: 200, headers: { 'content-length': String(disc.length), 'content-type': 'application/octet-stream' }, body }
  },
})
