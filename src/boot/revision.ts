/** Whether a revision of a resource is older than another of the same resource: decimal numbers of any length. */
export const isOlder = (one = '', other = ''): boolean => (one.length === other.length ? one < other : one.length < other.length)
