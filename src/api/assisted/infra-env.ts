import { kind } from '../kind.ts'
import { array, boolean, integer, map, object, oneOf, optional, string } from '../schema.ts'
import { conditions, labelSelector, namespacedRef, time } from '../shapes.ts'
import { agentInstall } from './group.ts'

const proxy = () =>
  object(
    {
      httpProxy: optional(string('For http.')),
      httpsProxy: optional(string('For https.')),
      noProxy: optional(string('What is reached without one, with commas between.')),
    },
    'How the agent reaches the world.',
  )

const kernelArgument = () =>
  object(
    {
      operation: optional(oneOf(['append', 'replace', 'delete'], 'What is done with it.')),
      value: optional(string('The argument.', { pattern: '^(?:(?:[^\\s"\']+)|(?:"[^"]*")|(?:\'[^\']*\'))+$' })),
    },
    'Something that the kernel is told.',
  )

const spec = () =>
  object(
    {
      proxy: optional(proxy()),
      additionalNTPSources: optional(array(string('A server of time.'), 'Where the time comes from, besides what DHCP says.')),
      ntpSources: optional(array(string('A server of time.'), 'Where the time comes from, in place of everything else.')),
      sshAuthorizedKey: optional(string('Who may log in as core while it is looked at.')),
      pullSecretRef: optional(
        object({ name: optional(string('Its name.')) }, 'A Secret with the credentials of registries.', {
          'x-kubernetes-map-type': 'atomic',
        }),
      ),
      agentLabels: optional(map(string('The value.'), 'Labels of the Agents that come of it.')),
      nmStateConfigLabelSelector: optional(labelSelector('Which descriptions of networks are for its hosts.')),
      clusterRef: optional(namespacedRef('The cluster that its hosts join without being asked.')),
      ignitionConfigOverride: optional(string('Ignition that is laid over the rest, as JSON.')),
      cpuArchitecture: optional(string('The processor of its hosts; x86_64 where missing.')),
      ipxeScriptType: optional(oneOf(['', 'DiscoveryImageAlways', 'BootOrderControl'], 'What its iPXE script does.')),
      kernelArguments: optional(array(kernelArgument(), 'What the kernel is told besides.')),
      additionalTrustBundle: optional(string('Certificates that are believed besides, as PEM.')),
      osImageVersion: optional(string('Which CoreOS is booted.')),
      mirrorRegistryRef: optional(namespacedRef('A ConfigMap that says where registries are mirrored.')),
      imageType: optional(oneOf(['full-iso', 'minimal-iso'], 'Which disc is made.')),
      agentApproval: optional(object({ autoApprove: optional(boolean('Its Agents need nobody’s approval.')) }, 'Who approves its Agents.')),
      networkDiscoveryDelaySeconds: optional(integer('How long the network is given to come up.', { minimum: 0 })),
    },
    'What is wanted.',
  )

const status = () =>
  object(
    {
      isoDownloadURL: optional(string('A disc from which any machine is looked at.')),
      createdTime: optional(time('When what is served was made.')),
      agentLabelSelector: optional(labelSelector('Its Agents.')),
      bootArtifacts: optional(
        object(
          {
            initrd: optional(string('The same for machines that boot over the network.')),
            rootfs: optional(string('The root file system of it.')),
            kernel: optional(string('The kernel of it.')),
            ipxeScript: optional(string('A script that boots it.')),
            discoveryIgnitionURL: optional(string('The configuration of the assisted agent alone.')),
          },
          'What it consists of.',
        ),
      ),
      infraEnvDebugInfo: optional(
        object(
          { eventsURL: optional(string('What happened.')), 'static-network-download-url': optional(string('Its networks.')) },
          'For people.',
        ),
      ),
      conditions: optional(conditions()),
    },
    'What became of it.',
  )

export const infraEnv = kind({
  ...agentInstall,
  kind: 'InfraEnv',
  plural: 'infraenvs',
  scope: 'Namespaced',
  description:
    'Describes for the assisted service from what hosts are looked at before they are installed. Hosts are linked to it by label infraenvs.agent-install.openshift.io.',
  fields: { spec: optional(spec()), status: optional(status()) },
  columns: [
    { name: 'ISO Created', type: 'string', jsonPath: '.status.conditions[?(@.type=="ImageCreated")].status' },
    { name: 'Reason', type: 'string', jsonPath: '.status.conditions[?(@.type=="ImageCreated")].reason', priority: 1 },
  ],
  example: { metadata: { name: 'edge', namespace: 'edge' }, spec: { cpuArchitecture: 'x86_64', sshAuthorizedKey: 'ssh-ed25519 AAAA…' } },
})
