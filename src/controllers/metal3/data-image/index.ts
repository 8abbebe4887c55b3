import { type Reconciler, wokenBy } from '../../../ports/index.ts'
import { type DataImage, dataImages, hosts } from '../resources.ts'
import { decide } from './decide.ts'
import { type MediaPorts, observe } from './observe.ts'
import { performers } from './perform.ts'
import type { Seen, Verb } from './seen.ts'

/** Puts the disc of a DataImage into a drive of its host right before that starts, and takes it out again. */
export const dataImageController = (ports: MediaPorts): Reconciler<DataImage, Seen, Verb> => ({
  name: 'dataimage',
  kind: dataImages,
  watches: [wokenBy(hosts, ({ metadata }) => [{ name: metadata.name, namespace: metadata.namespace ?? '' }])],
  observe: (image, look) => observe(ports, image, look),
  decide,
  // Its host decides when it is switched on: where that is another one than was seen, nothing is put in or taken out.
  entitledBy: ({ host, image }) =>
    host?.order === undefined ? [] : [{ of: hosts, key: { name: image.name, namespace: host.order.namespace }, revision: host.revision }],
  perform: performers(ports),
})
