/** Where Secrets of cluster-scoped kinds, leases and our own events are. */
export const managerNamespace = 'rackwright-system'
