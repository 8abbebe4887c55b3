import { regional } from './regional.ts'

export const alibabacloud = regional({
  type: 'AlibabaCloud',
  templates: [],
  image: { mapi: ['imageId'], capi: ['imageId'] },
  region: [['regionId']],
  stream: 'aliyun',
  cloud: 'Alibaba Cloud',
})
