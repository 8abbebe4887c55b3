import { uuidOf } from '../../machine/identity.ts'
import type { Extra } from '../node.ts'
import { shape } from './shape.ts'

/** What anybody may read: where everything is. */
export const serviceRoot: Extra = kit => {
  const { make, at } = kit
  const { protocol } = make
  kit.node('/redfish', { open: true, read: () => ({ v1: `${at.root}/` }) })
  const body = shape(kit, at.root, 'ServiceRoot.v1_11_0.ServiceRoot', 'Root Service', {
    Id: 'RootService',
    RedfishVersion: make.redfishVersion,
    ...(make.vendor === undefined ? {} : { Vendor: make.vendor }),
    ...(make.product === undefined ? {} : { Product: make.product }),
    Systems: at.to(`${at.root}/Systems`),
    Chassis: at.to(`${at.root}/Chassis`),
    Managers: at.to(`${at.root}/Managers`),
    Tasks: at.to(`${at.root}/TaskService`),
    SessionService: at.to(`${at.root}/SessionService`),
    AccountService: at.to(`${at.root}/AccountService`),
    EventService: at.to(`${at.root}/EventService`),
    UpdateService: at.to(`${at.root}/UpdateService`),
    CertificateService: at.to(`${at.root}/CertificateService`),
    Registries: at.to(`${at.root}/Registries`),
    Links: { Sessions: at.to(at.sessions) },
    ProtocolFeaturesSupported: {
      ExcerptQuery: false,
      FilterQuery: false,
      OnlyMemberQuery: protocol.only === true,
      SelectQuery: protocol.select === true,
      DeepOperations: { DeepPATCH: false, DeepPOST: false },
      ExpandQuery: {
        ExpandAll: protocol.expandLevels !== undefined,
        Levels: protocol.expandLevels !== undefined,
        Links: protocol.expandLevels !== undefined,
        NoLinks: protocol.expandLevels !== undefined,
        ...(protocol.expandLevels === undefined ? {} : { MaxLevels: protocol.expandLevels }),
      },
    },
  })
  kit.node(at.root, { open: true, read: ({ machine }) => ({ ...body, UUID: uuidOf(machine.uuidOf ?? machine.number) }) })
  kit.node(`${at.root}/odata`, {
    open: true,
    read: () => ({
      '@odata.context': '/redfish/v1/$metadata',
      value: ['Systems', 'Chassis', 'Managers', 'SessionService'].map(name => ({
        name,
        kind: 'Singleton',
        url: at.spell(`${at.root}/${name}`),
      })),
    }),
  })
}
