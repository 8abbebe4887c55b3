import { regional } from './regional.ts'

export const aws = regional({
  type: 'AWS',
  templates: ['AWSMachineTemplate'],
  image: { mapi: ['ami', 'id'], capi: ['ami', 'id'] },
  holder: 'ami',
  region: [['placement', 'region'], ['region']],
  stream: 'aws',
  cloud: 'AWS',
})
