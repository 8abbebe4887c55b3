// A stream as releases carry it, small: for the tests of this folder and of the controller.

const release = '9.6.20260420-0'
const offer = (publisher: string, name: string, sku: string) => ({ publisher, offer: name, sku, version: '9.6.20260420' })

const x86 = {
  artifacts: {
    ...Object.fromEntries(['openstack', 'nutanix', 'vmware', 'powervs', 'ibmcloud', 'qemu'].map(name => [name, { release }])),
    metal: { release, formats: { 'raw.gz': { disk: { location: 'https://img.example/metal.raw.gz', sha256: 'ab12' } } } },
  },
  images: {
    gcp: { release, project: 'rhcos-cloud', name: 'rhcos-9-6-20260420-0-gcp-x86-64' },
    aws: { regions: { 'us-east-1': { release, image: 'ami-new-us' }, 'eu-west-1': { release, image: 'ami-new-eu' } } },
    aliyun: { regions: { 'cn-hangzhou': { release, image: 'm-new' } } },
  },
  'rhel-coreos-extensions': {
    marketplace: {
      azure: {
        'no-purchase-plan': {
          hyperVGen1: offer('azureopenshift', 'aro4', 'aro_422'),
          hyperVGen2: offer('azureopenshift', 'aro4', '422-v2'),
        },
        ocp: { hyperVGen2: offer('redhat', 'rh-ocp-worker', 'rh-ocp-worker') },
        'opp-emea': { hyperVGen1: offer('redhat-limited', 'rh-opp-worker', 'rh-opp-worker-gen1') },
      },
    },
  },
}
const arm = { images: { gcp: { release, project: 'rhcos-cloud', name: 'rhcos-9-6-20260420-0-gcp-aarch64' } }, artifacts: {} }

export const exampleStream = { stream: 'rhel-9.6', architectures: { x86_64: x86, aarch64: arm, s390x: {} } }
