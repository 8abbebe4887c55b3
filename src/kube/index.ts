export { type KubeClientOptions, kubeClient } from './client.ts'
export { connect } from './connect.ts'
export type { Connection } from './kubeconfig/connection.ts'
export { loadConnection, type Sources } from './kubeconfig/load.ts'
