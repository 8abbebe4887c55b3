/** What a machine found on itself. */
export interface Findings {
  readonly systemUUID: string
  readonly system: {
    readonly manufacturer?: string
    readonly model?: string
    readonly sku?: string
    readonly serialNumber?: string
    readonly biosVersion?: string
  }
  readonly processors: readonly {
    readonly id: number
    readonly vendor?: string
    readonly model?: string
    readonly cores: number
    readonly threads: number
  }[]
  readonly interfaces: readonly Interface[]
  readonly disks: readonly Disk[]
  readonly memoryBytes: number
}

export interface Interface {
  readonly name: string
  readonly macAddress: string
  readonly addresses: readonly string[]
  readonly carrier: 'up' | 'down'
  readonly neighbors: readonly Neighbor[]
}

/** Who is at the other end of a cable, as LLDP says. */
export interface Neighbor {
  readonly chassis?: string
  readonly port?: string
  readonly portDescription?: string
  readonly systemName?: string
  readonly systemDescription?: string
}

export interface Disk {
  readonly name: string
  readonly bytes: number
  readonly rotational: boolean
  readonly vendor?: string
  readonly model?: string
  readonly serial?: string
}

/** The body of POST /register, in the words of metal-operator's probe, so that either side may be of another house. */
export const registrationOf = ({ systemUUID, system, processors, interfaces, disks, memoryBytes }: Findings): object => ({
  systemUUID,
  data: {
    systemInfo: {
      biosInformation: { version: system.biosVersion ?? '' },
      systemInformation: {
        manufacturer: system.manufacturer ?? '',
        productName: system.model ?? '',
        serialNumber: system.serialNumber ?? '',
        skuNumber: system.sku ?? '',
        uuid: systemUUID,
      },
    },
    cpu: processors.map(({ id, vendor = '', model = '', cores, threads }) => ({
      id,
      vendor,
      model,
      totalCores: cores,
      totalHardwareThreads: threads,
    })),
    networkInterfaces: interfaces.map(({ name, macAddress, addresses, carrier }) => ({
      name,
      macAddress,
      ipAddresses: addresses,
      carrierStatus: carrier,
    })),
    lldp: interfaces
      .filter(({ neighbors }) => neighbors.length > 0)
      .map(({ name, neighbors }) => ({
        InterfaceName: name,
        Neighbors: neighbors.map(({ chassis = '', port = '', portDescription = '', systemName = '', systemDescription = '' }) => ({
          ChassisID: chassis,
          PortID: port,
          PortDescription: portDescription,
          SystemName: systemName,
          SystemDescription: systemDescription,
        })),
      })),
    storage: disks.map(({ name, bytes, rotational, vendor = '', model = '', serial = '' }) => ({
      Name: name,
      Path: `/dev/${name}`,
      Size: bytes,
      Rotational: rotational,
      Vendor: vendor,
      Model: model,
      Serial: serial,
    })),
    memory: [{ size: memoryBytes }],
  },
})

/** The body of POST /bootstate. */
export const bootStateOf = (systemUUID: string, state?: string): object => ({
  systemUUID,
  booted: true,
  ...(state === undefined ? {} : { state }),
})
