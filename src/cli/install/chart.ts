import { yamlText } from '../../api/page.ts'
import type { KubeObject } from '../../core/object.ts'
import { type Piece, pieces } from './pieces.ts'
import { type Part, parts, usual, type Values } from './values.ts'

/** Stands for a Helm expression until the YAML is written: YAML leaves these brackets alone. */
const expression = (text: string): string => `⟦${text}⟧`
const chosen = (path: string): string => expression(`.Values.${path} | quote`)
const given = <T>(text: string): T => expression(text) as unknown as T

/** The same values, each as the expression that reads it. */
const asExpressions: Values = {
  namespace: expression('.Release.Namespace'),
  image: expression('.Values.image | quote'),
  pullPolicy: chosen('pullPolicy'),
  replicas: given('.Values.replicas'),
  controllers: chosen('controllers'),
  takeOver: chosen('takeOver'),
  registries: chosen('registries'),
  probeImage: chosen('probeImage'),
  resources: given('toJson .Values.resources'),
  bootServer: {
    whose: chosen('bootServer.whose'),
    url: expression('required "bootServer.url: where machines reach the boot server" .Values.bootServer.url | quote'),
    replicas: given('.Values.bootServer.replicas'),
    serviceType: chosen('bootServer.serviceType'),
    resources: given('toJson .Values.bootServer.resources'),
  },
  agents: {
    agentUrl: chosen('agents.agentUrl'),
    serviceType: chosen('agents.serviceType'),
    ramdiskIso: chosen('agents.ramdiskIso'),
    ramdiskKernel: chosen('agents.ramdiskKernel'),
    ramdiskInitramfs: chosen('agents.ramdiskInitramfs'),
  },
}

/** Every file of the chart, by its path within it. */
export function chartFiles(version: string): ReadonlyMap<string, string> {
  const files = new Map<string, string>()
  files.set(
    'Chart.yaml',
    yamlText({
      apiVersion: 'v2',
      name: 'rackwright',
      description: 'Runs bare metal the way Kubernetes runs pods.',
      type: 'application',
      version,
      appVersion: version,
      kubeVersion: '>=1.30.0-0',
    }),
  )
  files.set('values.yaml', valuesText())
  for (const piece of pieces) files.set(`templates/${piece.name}.yaml`, template(piece))
  return files
}

function template(piece: Piece): string {
  const body = piece.objects(asExpressions).map(text).join('---\n')
  return piece.part === undefined ? body : `{{- if .Values.${piece.part} }}\n${body}{{- end }}\n`
}

/** What looks like Helm's but is Prometheus' must come through as it is. */
function text(object: KubeObject): string {
  return yamlText(object)
    .replaceAll(/\{\{.*?\}\}/g, found => `{{ \`${found}\` }}`)
    .replaceAll(/(['"]?)⟦(.*?)⟧\1/g, (_, __, inside: string) => `{{ ${inside} }}`)
}

function valuesText(): string {
  const lines = yamlText({ ...usual, namespace: undefined })
    .trimEnd()
    .split('\n')
  const said = lines.map(line => {
    const [key = ''] = line.split(':')
    const indent = key.slice(0, key.length - key.trimStart().length)
    return comments[key] === undefined ? line : `${indent}# ${comments[key]}\n${line}`
  })
  const groups = new Map<string, string[]>()
  for (const [path, { unless, says }] of Object.entries(parts) as [Part, (typeof parts)[Part]][]) {
    const [group = '', key = ''] = path.split('.')
    groups.set(group, [...(groups.get(group) ?? []), `  # ${says}`, `  ${key}: ${unless}`])
  }
  const switches = [...groups].flatMap(([group, inner]) => [`${group}:`, ...inner])
  return `${[...said, ...switches].join('\n')}\n`
}

const comments: Readonly<Record<string, string>> = {
  controllers: 'which controllers run, with commas between',
  takeOver: 'look after objects whose CRDs another operator installed; refused while that one runs',
  probeImage: 'what is booted to look at a new server',
  registries: 'registries that images may come from, with commas between; any where it is empty',
  '  agentUrl': 'where the agents of hosts reach the Service rackwright-agents',
  '  ramdiskIso': 'what is booted to work on hosts: a disc, or a kernel and an initramfs; nothing where all are empty',
  '  whose': 'own, or external where another boot operator sets boot configurations Ready and serves them',
  '  url': 'where machines reach the boot server; there is no default',
}
