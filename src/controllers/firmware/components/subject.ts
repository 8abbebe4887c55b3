import { differingFirmware } from '../../../policy/firmware/component-match.ts'
import { type ServerFirmware, serverFirmwares } from '../resources.ts'
import type { Difference, Subject } from '../target/subject.ts'

export const components: Subject<ServerFirmware> = {
  kind: 'ServerFirmware',
  controller: 'server-firmware',
  prefix: 'sfw',
  resource: serverFirmwares,
  backRef: 'firmwareRef',
  scan: 'firmware-scan',
  isKnown: ({ status }) => status?.firmwares !== undefined,
  differences,
  surplus: () => ({}),
}

function differences({ spec, status }: ServerFirmware): readonly Difference[] {
  const found = differingFirmware(spec.firmwares, status?.firmwares ?? [])
  if (found.length === 0) return []
  const text = found.map(({ wish, found: has }) =>
    has === undefined
      ? `there is no ${wish.name} of ${wish.manufacturer}`
      : `${wish.name} of ${wish.manufacturer} has ${has}, ${wish.version} is wanted`,
  )
  return [{ program: 'firmware-update', reason: 'FirmwareDiffers', text: text.join('; ') }]
}
