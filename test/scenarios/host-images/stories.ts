import { images, type PreprovisioningImage } from '../../../src/controllers/metal3/resources.ts'
import { conditionOf } from '../../../src/core/condition.ts'
import { minutes, seconds } from '../../../src/core/duration.ts'
import type { ResourceRef } from '../../../src/ports/index.ts'
import type { Sight } from '../../../src/sim/invariant.ts'
import { scenarios } from '../../../src/sim/story.ts'
import { imageSetting, isReady, type Studio } from './setting.ts'
import { answer, json } from './web.ts'

const play = scenarios(imageSetting)
export const uri = 'https://assisted.example/files/discovery.ign?api_key=secret-of-the-assisted-service'
export const page = 'https://assisted.example/files/discovery.ign'
export const key = { namespace: 'default', name: 'worker-0' }
export const theirs = {
  ignition: { version: '3.4.0' },
  storage: { files: [{ path: '/etc/assisted', contents: { source: 'data:,agent' } }] },
}
const linked = { 'infraenvs.agent-install.openshift.io': 'spoke' }

export const image = (
  more: {
    readonly labels?: Readonly<Record<string, string>>
    readonly annotations?: Readonly<Record<string, string>>
    readonly spec?: object
  } = {},
) => ({
  apiVersion: 'metal3.io/v1alpha1',
  kind: 'PreprovisioningImage',
  metadata: { ...key, labels: more.labels ?? {}, annotations: more.annotations ?? {} },
  spec: { architecture: 'x86_64', acceptFormats: ['iso', 'initrd'], ...more.spec },
})
export const found = (sight: Sight<Studio>): PreprovisioningImage | undefined =>
  sight.objects(images).find(({ metadata }) => metadata.name === key.name)
export const reasonIs = (sight: Sight<Studio>, reason: string): boolean => conditionOf(found(sight)?.status, 'Ready')?.reason === reason
export const ready = (sight: Sight<Studio>): boolean => {
  const image = found(sight)
  return image !== undefined && isReady(image)
}
export const namespaces: ResourceRef = { group: '', version: 'v1', plural: 'namespaces', namespaced: false }

export const merges = play('an image waits for the Ignition of its InfraEnv, and is built with it', async ({ when, then }) => {
  await when.creates(images, image({ labels: linked }) as never)
  await when.passes(seconds(70))
  await then.within(minutes(5)).sees('it waits for the annotation', sight => reasonIs(sight, 'WaitingForIgnitionOverride'))
  await then.within(seconds(1)).sees('somebody has written it', sight => {
    sight.devices.web.pages.set(page, json(theirs))
    return true
  })
  await when.changes(images, key, { metadata: { annotations: { 'baremetal.openshift.io/ignition-override-uri': uri } } })
  await then.within(minutes(2)).sees('it is ready', ready)
})

export const recovers = play('an image whose Ignition cannot be read says so, and is built when it can', async ({ when, then }) => {
  await then.within(seconds(1)).sees('its server is ill', sight => {
    sight.devices.web.pages.set(page, () => answer(500))
    return true
  })
  await when.creates(images, image({ annotations: { 'baremetal.openshift.io/ignition-override-uri': uri } }) as never)
  await then.within(seconds(20)).sees('it says why not', sight => reasonIs(sight, 'IgnitionUnreadable'))
  await then.within(seconds(1)).sees('its server is well again', sight => {
    sight.devices.web.pages.set(page, json(theirs))
    return true
  })
  await then.within(minutes(2)).sees('it is ready', ready)
  await when.removes(images, key)
  await then.within(minutes(1)).sees('it is gone', sight => found(sight) === undefined)
})

export const imageStories = [merges, recovers]
