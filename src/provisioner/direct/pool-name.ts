import type { HostOrder } from '../../ports/provisioner.ts'

export const poolName = ({ namespace, name }: Pick<HostOrder, 'namespace' | 'name'>): string => `host/${namespace}/${name}`
