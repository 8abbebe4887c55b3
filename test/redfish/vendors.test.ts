import { describe, expect, it } from 'vitest'
import { quirks } from '../../src/redfish/vendors/index.ts'
import { settled } from '../kube-client/fakes.ts'
import { json, refusal, type Tree } from './fake.ts'
import { bootOf, faultOf, opened, systemOf } from './open.ts'

const made =
  (manufacturer: string, more: (tree: Tree) => void = () => {}) =>
  (tree: Tree): void => {
    systemOf(tree)['Manufacturer'] = manufacturer
    more(tree)
  }
const offers = (tree: Tree, ...targets: readonly string[]): void => {
  bootOf(tree)['BootSourceOverrideTarget@Redfish.AllowableValues'] = targets
}

it('every quirk has a name of its own, a reason, and something that it does', () => {
  expect(new Set(quirks.map(({ name }) => name)).size).toBe(quirks.length)
  for (const { because, habits, wrap } of quirks) {
    expect(because.length).toBeGreaterThan(20)
    expect(habits ?? wrap).toBeDefined()
  }
})

it('no quirk applies to a machine that nobody knows', () => {
  const unknown = { manufacturer: 'Contoso', model: '', redfish: '1.0', system: '/redfish/v1/Systems/1' }
  expect(quirks.filter(quirk => quirk.applies(unknown))).toEqual([])
})

describe('Dell', () => {
  const task = '/redfish/v1/TaskService/Tasks/7'

  it('jobs that cannot be read yet are running for half a minute, then gone', async () => {
    const { bmc, fake, clock } = await opened(made('Dell Inc.'))
    const address = await bmc.firmware!.update('http://images.test/x.exe', undefined)
    delete fake.tree[task]
    expect(await bmc.firmware!.task(address!)).toMatchObject({ state: 'Running' })
    await clock.advance(31_000)
    expect(await bmc.firmware!.task(address!)).toEqual({ state: 'Gone' })
    expect(await bmc.firmware!.task('/redfish/v1/TaskService/Tasks/8')).toEqual({ state: 'Gone' })
  })

  it('boot orders that wait behind a job are to be tried again', async () => {
    const { bmc, fake } = await opened(made('Dell Inc.'))
    fake.on.set('PATCH /redfish/v1/Systems/1', () =>
      refusal(400, 'SYS011', 'Pending configuration values are already committed, unable to perform another set operation: a job exists.'),
    )
    expect(await faultOf(bmc.boot.setOrder!(['Boot0002', 'Boot0001']))).toMatchObject({ code: 'bmc/busy', retry: 'backoff' })
  })
})

describe('HPE', () => {
  it('managers are reset without a type, but with a body', async () => {
    const { bmc, fake } = await opened(made('HPE'))
    await bmc.manager.reset!()
    expect(fake.writes).toEqual([{ call: 'POST /redfish/v1/Managers/1/Actions/Manager.Reset', body: {} }])
  })

  it.each([
    ['InPost', true],
    ['InPostDiscoveryComplete', true],
    ['FinishedPost', false],
    ['PowerOff', false],
  ])('state %s means in POST: %s', async (state, inPost) => {
    const { bmc } = await opened(
      made('HPE', tree => Object.assign(systemOf(tree), { Oem: { Hpe: { PostState: state } }, BootProgress: undefined })),
    )
    expect(await bmc.boot.evidence()).toMatchObject({ progress: `OEM/${state}`, inPost })
  })
})

describe('Lenovo', () => {
  it('firmware that waits for a reset is not listed as running', async () => {
    const { bmc } = await opened(
      made('Lenovo', tree => {
        const inventory = tree['/redfish/v1/UpdateService/FirmwareInventory']!
        inventory['Members'] = [
          ...(inventory['Members'] as object[]),
          { '@odata.id': '/redfish/v1/UpdateService/FirmwareInventory/UEFI-Pending' },
        ]
        tree['/redfish/v1/UpdateService/FirmwareInventory/UEFI-Pending'] = { Id: 'UEFI-Pending', Version: '9' }
      }),
    )
    expect((await bmc.firmware!.components()).map(({ id }) => id)).toEqual(['BIOS', 'BMC'])
  })

  it('an SR675 V3 is switched off and on instead of restarted', async () => {
    const { bmc, fake } = await opened(
      made('Lenovo', tree => Object.assign(systemOf(tree), { Model: 'ThinkSystem SR675 V3', PowerState: 'On' })),
    )
    await bmc.power.set('Cycle', 'forced')
    await bmc.power.set('Cycle', 'forced')
    expect(fake.writes.map(({ body }) => body)).toEqual([{ ResetType: 'ForceOff' }, { ResetType: 'On' }])
  })
})

describe('Supermicro', () => {
  it('virtual CDs are booted as UsbCd, and read back as Cd', async () => {
    const { bmc, fake } = await opened(made('Supermicro', tree => offers(tree, 'None', 'Pxe', 'Cd', 'UsbCd', 'Hdd')))
    await bmc.boot.once('Cd')
    expect(fake.writes[0]?.body).toEqual({
      Boot: { BootSourceOverrideEnabled: 'Once', BootSourceOverrideTarget: 'UsbCd', BootSourceOverrideMode: 'UEFI' },
    })
    expect(await bmc.boot.override()).toMatchObject({ target: 'Cd', raw: 'UsbCd', lasts: 'Once' })
  })

  it('an ARS-111GL-NHR boots them as Cd', async () => {
    const { bmc, fake } = await opened(
      made('Supermicro', tree => {
        offers(tree, 'Cd', 'UsbCd')
        systemOf(tree)['Model'] = 'ARS-111GL-NHR'
      }),
    )
    await bmc.boot.once('Cd')
    expect(fake.writes[0]?.body).toMatchObject({ Boot: { BootSourceOverrideTarget: 'Cd' } })
  })

  it('an X10 without the mode is not sent one', async () => {
    const { bmc, fake } = await opened(made('Supermicro', tree => void delete bootOf(tree)['BootSourceOverrideMode']))
    await bmc.boot.once('Pxe')
    expect(fake.writes[0]?.body).toEqual({ Boot: { BootSourceOverrideEnabled: 'Once', BootSourceOverrideTarget: 'Pxe' } })
  })

  it('a boot order that is refused goes through the fixed order of classes', async () => {
    const fixed = '/redfish/v1/Systems/1/Oem/Supermicro/FixedBootOrder'
    const { bmc, fake } = await opened(
      made('Supermicro', tree => {
        systemOf(tree)['Oem'] = { Supermicro: { FixedBootOrder: { '@odata.id': fixed } } }
        tree[fixed] = { '@odata.id': fixed, FixedBootOrder: ['UEFI USB CD/DVD', 'UEFI Hard Disk:Disk', 'UEFI Network:UEFI HTTPv4'] }
      }),
    )
    fake.on.set('PATCH /redfish/v1/Systems/1', () => refusal(400, 'PropertyNotWritable'))
    await bmc.boot.setOrder!(['Boot0002', 'Boot0001'])
    expect(fake.tree[fixed]!['FixedBootOrder']).toEqual(['UEFI Network:UEFI HTTPv4', 'UEFI Hard Disk:Disk', 'UEFI USB CD/DVD'])
  })

  it('an uploaded image is started with a second call', async () => {
    const { bmc, fake } = await opened(
      made('Supermicro', tree => {
        const actions = tree['/redfish/v1/UpdateService']!['Actions'] as Record<string, object>
        actions['#UpdateService.StartUpdate'] = { target: '/redfish/v1/UpdateService/Actions/UpdateService.StartUpdate' }
      }),
    )
    fake.on.set('POST /redfish/v1/UpdateService/upload', () => json(202, undefined, { location: '/redfish/v1/TaskService/Tasks/1' }))
    fake.on.set('POST /redfish/v1/UpdateService/Actions/UpdateService.StartUpdate', () =>
      json(202, undefined, { location: '/redfish/v1/TaskService/Tasks/2' }),
    )
    expect(await bmc.firmware!.push('x.bin', new Uint8Array(3), undefined)).toBe('/redfish/v1/TaskService/Tasks/2')
  })
})

describe('AMI', () => {
  it('gets target, duration and mode together, also where the mode is null', async () => {
    const { bmc, fake } = await opened(
      made('NVIDIA', tree => {
        tree['/redfish/v1']!['Vendor'] = 'AMI'
        bootOf(tree)['BootSourceOverrideMode'] = null
      }),
    )
    await bmc.boot.once('UefiShell')
    expect(fake.writes[0]?.body).toEqual({
      Boot: { BootSourceOverrideEnabled: 'Once', BootSourceOverrideTarget: 'UefiShell', BootSourceOverrideMode: 'UEFI' },
    })
  })
})

describe('OpenBMC', () => {
  const open = made('NVIDIA', tree => {
    tree['/redfish/v1/Managers/1']!['Model'] = 'OpenBmc'
  })

  it('up to four requests go at once', async () => {
    const { bmc, fake } = await opened(open)
    let now = 0
    let most = 0
    fake.on.set('GET /redfish/v1/Systems/1', async () => {
      most = Math.max(most, ++now)
      await settled()
      now--
      return json(200, systemOf(fake.tree))
    })
    await Promise.all(Array.from({ length: 12 }, () => bmc.power.state()))
    expect(most).toBe(4)
  })

  it('slots of the browser console are no slots', async () => {
    const { bmc } = await opened(tree => {
      open(tree)
      delete tree['/redfish/v1/Managers/1/VirtualMedia/Cd']!['Actions']
    })
    expect(await bmc.media!.slots()).toEqual([])
  })

  it('tasks are asked for themselves, not their monitors', async () => {
    const { bmc, fake } = await opened(open)
    expect(await bmc.firmware!.task('/redfish/v1/TaskService/Tasks/7/Monitor')).toMatchObject({ state: 'Running', percent: 30 })
    expect(fake.asked.at(-1)).toBe('GET /redfish/v1/TaskService/Tasks/7')
  })
})
