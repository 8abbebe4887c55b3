/** Which disk is installed to, as Metal3 says it: every hint that is given must fit. */
export interface RootDeviceHints {
  readonly deviceName?: string
  readonly hctl?: string
  readonly model?: string
  readonly vendor?: string
  readonly serialNumber?: string
  readonly minSizeGigabytes?: number
  readonly wwn?: string
  readonly wwnWithExtension?: string
  readonly wwnVendorExtension?: string
  readonly rotational?: boolean
}

/** The same in the words of Ironic's agent: an operator and a value. A part of the name is enough for model and vendor, and a size is the least one. */
export function rootDeviceOf(hints: RootDeviceHints): Readonly<Record<string, string>> {
  const same = (as: string, value: string | undefined) => (value === undefined || value === '' ? {} : { [as]: `s== ${value}` })
  const has = (as: string, value: string | undefined) => (value === undefined || value === '' ? {} : { [as]: `<in> ${value}` })
  return {
    // Links below by-path are told apart from devices: their names change less often than those of devices.
    ...same(hints.deviceName?.startsWith('/dev/disk/by-path/') ? 'by_path' : 'name', hints.deviceName),
    ...same('hctl', hints.hctl),
    ...has('model', hints.model),
    ...has('vendor', hints.vendor),
    ...same('serial', hints.serialNumber),
    ...(hints.minSizeGigabytes === undefined ? {} : { size: `>= ${hints.minSizeGigabytes}` }),
    ...same('wwn', hints.wwn),
    ...same('wwn_with_extension', hints.wwnWithExtension),
    ...same('wwn_vendor_extension', hints.wwnVendorExtension),
    ...(hints.rotational === undefined ? {} : { rotational: String(hints.rotational) }),
  }
}
