export { type KubeClientOptions, kubeClient } from './client.ts'
