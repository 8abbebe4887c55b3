import type { KubeObject } from '../../core/object.ts'
import { labels, name, ports, selector } from './names.ts'
import type { Values } from './values.ts'

/** A Service for the metrics of both, and the monitor that reads it. */
export const serviceMonitor = ({ namespace }: Values): readonly KubeObject[] =>
  [name.controllers, name.bootServer].flatMap(of => {
    const metadata = { name: `${of}-metrics`, namespace, labels: labels(`${of}-metrics`) }
    return [
      {
        apiVersion: 'v1',
        kind: 'Service',
        metadata,
        spec: { clusterIP: 'None', selector: selector(of), ports: [{ name: 'metrics', port: ports.health, targetPort: 'health' }] },
      },
      {
        apiVersion: 'monitoring.coreos.com/v1',
        kind: 'ServiceMonitor',
        metadata,
        spec: { selector: { matchLabels: selector(`${of}-metrics`) }, endpoints: [{ port: 'metrics', interval: '30s' }] },
      },
    ]
  })

const rules: readonly (readonly [alert: string, expr: string, wait: string, says: string])[] = [
  ['RackwrightNobodyLeads', 'sum(rackwright_leader) == 0', '5m', 'No replica of the controllers leads: nothing is acted on.'],
  ['RackwrightObserveOnly', 'max by (role) (rackwright_observe_only) == 1', '15m', 'Another operator looks after {{ $labels.role }}.'],
  [
    'RackwrightOverstayed',
    'sum by (controller, phase) (rackwright_phase_overstayed) > 0',
    '10m',
    'Objects have been in {{ $labels.phase }} for longer than it should take; `rackwright why` says what for.',
  ],
  [
    'RackwrightBootImageFails',
    'max by (namespace, name, resource, reason) (rackwright_boot_image_failures) >= 3',
    '30m',
    'The boot image of {{ $labels.resource }} {{ $labels.namespace }}/{{ $labels.name }} cannot be kept up to date ({{ $labels.reason }}).',
  ],
  [
    'RackwrightBootImagesDegraded',
    'max by (reason) (rackwright_boot_images_degraded) == 1',
    '0m',
    'Boot images of this cluster are not kept up to date ({{ $labels.reason }}); condition BootImageUpdateDegraded of MachineConfiguration cluster says why.',
  ],
  [
    'RackwrightFirmwareDrift',
    'max by (kind, name, server, reason) (rackwright_firmware_drift) == 1',
    '24h',
    '{{ $labels.kind }} {{ $labels.name }}: server {{ $labels.server }} does not have what is wanted ({{ $labels.reason }}); `rackwright firmware plan {{ $labels.server }}` says what, and why not yet.',
  ],
  [
    'RackwrightFirmwareJobsFail',
    'max by (kind, name, server, program) (rackwright_firmware_job_failures) >= 3',
    '0m',
    'Job {{ $labels.program }} of {{ $labels.kind }} {{ $labels.name }} fails over and over on server {{ $labels.server }}; its status.trouble or status.scanTrouble says why.',
  ],
  ['RackwrightEventsLost', 'increase(rackwright_events_lost[1h]) > 0', '0m', 'Events could not be written.'],
]

export const alerts = ({ namespace }: Values): readonly KubeObject[] => [
  {
    apiVersion: 'monitoring.coreos.com/v1',
    kind: 'PrometheusRule',
    metadata: { name: name.controllers, namespace, labels: labels(name.controllers) },
    spec: {
      groups: [
        {
          name: 'rackwright',
          rules: rules.map(([alert, expr, wait, says]) => ({
            alert,
            expr,
            for: wait,
            labels: { severity: 'warning' },
            annotations: { summary: says },
          })),
        },
      ],
    },
  },
]
