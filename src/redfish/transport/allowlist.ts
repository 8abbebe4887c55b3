import type { Verb } from './limits.ts'

/**
 * Everything this program ever asks of a BMC, verb by verb. Nothing passes that is not here: no reset to defaults, no key or disk erasure,
 * no account change can happen, whatever a BMC links or a caller says.
 */
const allowed: Readonly<Record<Verb, readonly RegExp[]>> = {
  GET: [/^\/redfish(\/.*)?$/i, /^\/registries\/[\w.-]+$/i],
  POST: [
    /^\/redfish\/v1\/SessionService\/Sessions\/?$/i,
    /^\/redfish\/v1\/Sessions\/?$/i,
    /^\/redfish\/v1\/Systems\/[^/]+\/Actions\/ComputerSystem\.Reset\/?$/i,
    /^\/redfish\/v1\/Managers\/[^/]+\/Actions\/Manager\.Reset\/?$/i,
    /^\/redfish\/v1\/(Systems|Managers)\/[^/]+\/VirtualMedia\/[^/]+\/Actions\/VirtualMedia\.(Insert|Eject)Media\/?$/i,
    /^\/redfish\/v1\/UpdateService\/Actions\/(UpdateService\.)?(SimpleUpdate|StartUpdate)\/?$/i,
    /^\/redfish\/v1\/UpdateService(\/(MultipartUpload|upload|update|update-multipart|FirmwareInventory))?\/?$/i,
    /^\/(cgi-bin\/uploadFile|m?fwupdate)$/,
  ],
  PATCH: [
    /^\/redfish\/v1\/Systems\/[^/]+(\/(Settings|SD|Pending))?\/?$/i,
    /^\/redfish\/v1\/Systems\/[^/]+\/Bios(\/(Settings|SD|Pending))?\/?$/i,
    /^\/redfish\/v1\/Systems\/[^/]+\/Oem\/Supermicro\/FixedBootOrder\/?$/i,
    /^\/redfish\/v1\/(Systems|Managers)\/[^/]+\/VirtualMedia\/[^/]+\/?$/i,
  ],
  DELETE: [/^\/redfish\/v1\/(SessionService\/)?Sessions\/[^/]+\/?$/i],
}

export const isAllowed = (verb: Verb, path: string): boolean => {
  const bare = path.split('?', 1)[0] ?? path
  return allowed[verb].some(pattern => pattern.test(bare))
}
