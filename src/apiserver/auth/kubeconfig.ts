import type { Credential } from '../../net/certificates.ts'

/** A kubeconfig that needs no other file: authority and client certificate inside. */
export function kubeconfigText(server: string, authority: string, client: Credential): string {
  const data = (pem: string): string => Buffer.from(pem).toString('base64')
  return `apiVersion: v1
kind: Config
clusters:
- name: rackwright
  cluster:
    server: ${JSON.stringify(server)}
    certificate-authority-data: ${data(authority)}
users:
- name: rackwright-admin
  user:
    client-certificate-data: ${data(client.certificate)}
    client-key-data: ${data(client.key)}
contexts:
- name: rackwright
  context:
    cluster: rackwright
    user: rackwright-admin
current-context: rackwright
`
}
