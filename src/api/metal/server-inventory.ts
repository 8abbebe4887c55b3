import { array, integer, listMap, object, optional, string } from '../schema.ts'
import { quantity } from '../shapes.ts'

/** What a server is made of, as found by its management controller and by the probe. */
export const inventoryFields = () => ({
  manufacturer: optional(string('Who made it.')),
  model: optional(string('Which model it is.')),
  sku: optional(string('Its stock-keeping unit.')),
  serialNumber: optional(string('Its serial number.')),
  biosVersion: optional(string('The version of its BIOS.')),
  totalSystemMemory: optional(quantity('How much memory it has.')),
  processors: optional(listMap(['id'], processor(), 'Its processors.')),
  networkInterfaces: optional(array(networkInterface(), 'Its network interfaces.')),
  storages: optional(array(storage(), 'Its storage controllers.')),
})

const processor = () =>
  object(
    {
      id: string('Its name on this server.'),
      type: optional(string('Its type, such as CPU.')),
      architecture: optional(string('Its architecture.')),
      instructionSet: optional(string('Its instruction set.')),
      manufacturer: optional(string('Who made it.')),
      model: optional(string('Which model it is.')),
      maxSpeedMHz: optional(integer('Its highest clock, in MHz.')),
      totalCores: optional(integer('How many cores it has.')),
      totalThreads: optional(integer('How many threads it has.')),
    },
    'One processor.',
  )

const neighbor = () =>
  object(
    {
      macAddress: optional(string('The neighbour’s hardware address.')),
      portID: optional(string('The neighbour’s port.')),
      portDescription: optional(string('What the neighbour says about the port.')),
      systemName: optional(string('The neighbour’s name.')),
      systemDescription: optional(string('What the neighbour says about itself.')),
    },
    'One neighbour, as LLDP shows it.',
  )

const networkInterface = () =>
  object(
    {
      name: string('Its name on this server.'),
      macAddress: string('Its hardware address.'),
      ip: optional(string('Its first IP address; use ips.')),
      ips: optional(array(string('An address.'), 'Its IP addresses.')),
      carrierStatus: optional(string('Whether it has a link.')),
      neighbors: optional(array(neighbor(), 'What is on the other end.')),
    },
    'One network interface.',
  )

const storage = () =>
  object(
    {
      name: optional(string('Its name on this server.')),
      state: optional(string('Its state.')),
      volumes: optional(
        array(
          object(
            {
              name: optional(string('Its name.')),
              capacity: optional(quantity('Its size.')),
              state: optional(string('Its state.')),
              raidType: optional(string('Its RAID level.')),
              volumeUsage: optional(string('What it is used for.')),
            },
            'One volume.',
          ),
          'Its volumes.',
        ),
      ),
      drives: optional(
        array(
          object(
            {
              name: optional(string('Its name.')),
              mediaType: optional(string('What it stores on.')),
              type: optional(string('Its type, such as SSD.')),
              capacity: optional(quantity('Its size.')),
              vendor: optional(string('Who made it.')),
              model: optional(string('Which model it is.')),
              state: optional(string('Its state.')),
            },
            'One drive.',
          ),
          'Its drives.',
        ),
      ),
    },
    'One storage controller.',
  )
