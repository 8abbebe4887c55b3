import { describe, expect, it } from 'vitest'
import { kindOf } from '../../src/redfish/roles/boot-options.ts'
import { taskOf } from '../../src/redfish/transport/task.ts'
import { json, refusal, type Tree } from './fake.ts'
import { bootOf, faultOf, opened, systemOf } from './open.ts'

const reset = 'POST /redfish/v1/Systems/1/Actions/ComputerSystem.Reset'
const offering =
  (...types: readonly string[]) =>
  (tree: Tree): void => {
    const actions = systemOf(tree)['Actions'] as Record<string, Record<string, unknown>>
    actions['#ComputerSystem.Reset']!['ResetType@Redfish.AllowableValues'] = types
  }

describe('power', () => {
  it.each([
    { to: 'On', how: 'graceful', offers: ['ForceOn', 'ForceOff'], sends: 'ForceOn' },
    { to: 'Off', how: 'graceful', offers: ['ForceOff', 'GracefulShutdown'], sends: 'GracefulShutdown' },
    { to: 'Off', how: 'forced', offers: ['ForceOff', 'GracefulShutdown'], sends: 'ForceOff' },
    { to: 'Cycle', how: 'forced', offers: ['PowerCycle', 'GracefulRestart'], sends: 'PowerCycle' },
    { to: 'Cycle', how: 'graceful', offers: ['PowerCycle', 'GracefulRestart'], sends: 'GracefulRestart' },
  ] as const)('$to ($how) of $offers sends $sends', async ({ to, how, offers, sends }) => {
    const { bmc, fake } = await opened(offering(...offers))
    await bmc.power.set(to, how)
    expect(fake.writes).toEqual([{ call: reset, body: { ResetType: sends } }])
  })

  it('never makes a graceful wish a forced one', async () => {
    const { bmc, fake } = await opened(offering('On', 'ForceOff', 'ForceRestart'))
    expect(await faultOf(bmc.power.set('Off', 'graceful'))).toMatchObject({
      code: 'bmc/not-offered',
      hint: expect.stringContaining('forced'),
    })
    expect(await faultOf(bmc.power.set('Cycle', 'graceful'))).toMatchObject({ code: 'bmc/not-offered' })
    expect(fake.writes).toEqual([])
  })

  it('pushes the button only where the state is known to be the other one', async () => {
    const { bmc, fake } = await opened(offering('PushPowerButton'))
    await bmc.power.set('On', 'graceful')
    expect(fake.writes.map(({ body }) => body)).toEqual([{ ResetType: 'PushPowerButton' }])
    systemOf(fake.tree)['PowerState'] = 'On'
    expect(await faultOf(bmc.power.set('On', 'graceful'))).toMatchObject({ code: 'bmc/not-offered' })
  })

  it('finds reset types in a resource of their own', async () => {
    const { bmc, fake } = await opened(tree => {
      const actions = systemOf(tree)['Actions'] as Record<string, Record<string, unknown>>
      actions['#ComputerSystem.Reset'] = {
        target: '/redfish/v1/Systems/1/Actions/ComputerSystem.Reset',
        '@Redfish.ActionInfo': '/redfish/v1/Systems/1/ResetActionInfo',
      }
      tree['/redfish/v1/Systems/1/ResetActionInfo'] = { Parameters: [{ Name: 'ResetType', AllowableValues: ['On', 'ForceOff'] }] }
    })
    await bmc.power.set('Off', 'forced')
    expect(fake.writes[0]?.body).toEqual({ ResetType: 'ForceOff' })
  })

  it('takes "already so" (409 of iDRAC, 400 of iLO) for done, and a refusal just after switching off for "later"', async () => {
    const { bmc, fake } = await opened()
    for (const status of [409, 400]) {
      fake.on.set(reset, () => refusal(status, 'PSU501'))
      await bmc.power.set('Off', 'forced')
      expect(await faultOf(bmc.power.set('On', 'graceful'))).toMatchObject({ code: status === 409 ? 'bmc/busy' : 'bmc/refused' })
    }
  })
})

describe('boot', () => {
  const settings = '/redfish/v1/Systems/1/SD'
  const inSettings = (tree: Tree): void => {
    const boot = bootOf(tree)
    tree[settings] = { '@odata.id': settings, Id: 'SD', '@odata.etag': '"sd"', Boot: { ...boot } }
    delete boot['BootSourceOverrideTarget@Redfish.AllowableValues']
    systemOf(tree)['@Redfish.Settings'] = { SettingsObject: { '@odata.id': settings } }
  }

  it('writes to the settings object where only that lists what it takes', async () => {
    const { bmc, fake } = await opened(inSettings)
    await bmc.boot.once('UefiHttp')
    expect(fake.writes).toMatchObject([{ call: `PATCH ${settings}` }])
    expect(await bmc.boot.override()).toMatchObject({ target: 'UefiHttp', lasts: 'Once' })
  })

  it('goes to the other place where the first turns out to be for reading only', async () => {
    const { bmc, fake } = await opened(tree => {
      inSettings(tree)
      bootOf(tree)['BootSourceOverrideTarget@Redfish.AllowableValues'] = ['Pxe']
    })
    fake.on.set('PATCH /redfish/v1/Systems/1', () => refusal(400, 'PropertyNotWritable'))
    await bmc.boot.once('Pxe')
    expect(fake.writes.map(({ call }) => call)).toEqual(['PATCH /redfish/v1/Systems/1', `PATCH ${settings}`])
  })

  it('sends no mode that does not change, and goes without where it is refused', async () => {
    const { bmc, fake } = await opened()
    await bmc.boot.once('Pxe')
    expect(fake.writes[0]?.body).toEqual({ Boot: { BootSourceOverrideEnabled: 'Once', BootSourceOverrideTarget: 'Pxe' } })
    bootOf(fake.tree)['BootSourceOverrideMode'] = 'Legacy'
    let first = true
    fake.on.set('PATCH /redfish/v1/Systems/1', () => {
      if (!first) return undefined
      first = false
      return refusal(400, 'UnsupportedOperation')
    })
    await bmc.boot.once('Hdd')
    expect(fake.writes.slice(1).map(({ body }) => body)).toEqual([
      { Boot: { BootSourceOverrideEnabled: 'Once', BootSourceOverrideTarget: 'Hdd', BootSourceOverrideMode: 'UEFI' } },
      { Boot: { BootSourceOverrideEnabled: 'Once', BootSourceOverrideTarget: 'Hdd' } },
    ])
  })

  it('reaches a target without a name through a boot option', async () => {
    const { bmc, fake } = await opened(tree => {
      Object.assign(bootOf(tree), { 'BootSourceOverrideTarget@Redfish.AllowableValues': ['None', 'Pxe', 'UefiBootNext'], BootNext: null })
    })
    expect(await bmc.boot.targets()).toEqual(['Pxe', 'UefiHttp', 'Hdd'])
    await bmc.boot.once('UefiHttp')
    expect(fake.writes[0]?.body).toMatchObject({ Boot: { BootSourceOverrideTarget: 'UefiBootNext', BootNext: 'Boot0002' } })
    expect(await bmc.boot.override()).toMatchObject({ target: 'UefiHttp', lasts: 'Once', raw: 'UefiBootNext Boot0002' })
  })

  it('offers no lasting override where the machine takes only one boot', async () => {
    const { bmc } = await opened(tree => {
      bootOf(tree)['BootSourceOverrideEnabled@Redfish.AllowableValues'] = ['Once', 'Disabled']
    })
    expect(bmc.boot.always).toBeUndefined()
  })

  it('takes an unknown duration for armed', async () => {
    const { bmc } = await opened(tree => {
      Object.assign(bootOf(tree), { BootSourceOverrideEnabled: 'Sometimes', BootSourceOverrideTarget: 'RemoteDrive' })
    })
    expect(await bmc.boot.override()).toMatchObject({ target: 'Other', raw: 'RemoteDrive', lasts: 'Continuous' })
  })

  it.each([
    ['PciRoot(0x0)/Pci(0x4,0x0)/MAC(525400123456,0x1)/IPv4(0.0.0.0)', undefined, 'whatever', 'Pxe'],
    ['PciRoot(0x0)/Pci(0x4,0x0)/MAC(525400123456,0x1)/IPv6(::)/Uri()', undefined, 'PXE', 'UefiHttp'],
    ['Fv(7CB8BDC9-F8EB-4F34-AAEA-3EE4AF6516A1)/FvFile(7C04A583-9E3E-4F1C-AD65-E05268D0B4D1)', undefined, 'x', 'UefiShell'],
    [undefined, 'Hdd', 'PXE', 'Hdd'],
    [undefined, undefined, 'UEFI: Built-in EFI Shell', 'UefiShell'],
    [undefined, undefined, 'Embedded NIC 1 Port 1 Partition 1', 'Other'],
    ['VenHw(986D1755-B9D0-4F8D-A0DA-D1DB18672045)', undefined, 'HTTP Device 1: NIC in Slot 5 Port 1', 'UefiHttp'],
    [undefined, 'toString', 'x', 'Other'],
  ])('sees in %s, %s, %s: %s', (path, alias, name, kind) => expect(kindOf(path, alias, name)).toBe(kind))

  it('sees nothing in an endless device path', () => expect(kindOf('/MAC('.repeat(400_000), undefined, undefined)).toBe('Other'))
})

describe('virtual media', () => {
  const cd = '/redfish/v1/Managers/1/VirtualMedia/Cd'
  const insert = `POST ${cd}/Actions/VirtualMedia.InsertMedia`

  it('sends the least first, and more only while the values are refused', async () => {
    const { bmc, fake } = await opened()
    fake.on.set(insert, (_, body) =>
      body['UserName'] === undefined ? refusal(400, 'ActionParameterMissing', 'UserName is missing') : undefined,
    )
    await bmc.media!.insert(cd, 'https://images.test/x.iso')
    expect(fake.writes).toHaveLength(5)
    expect(fake.writes[0]?.body).toEqual({ Image: 'https://images.test/x.iso' })
    expect(fake.writes[1]?.body).toEqual({ Image: 'https://images.test/x.iso', TransferProtocolType: 'HTTPS' })
  })

  it('tells the first refusal where nothing is taken, and tries nothing more where the machine is busy', async () => {
    const { bmc, fake } = await opened()
    fake.on.set(insert, (_, body) => refusal(400, 'PropertyUnknown', `${Object.keys(body).length} fields`))
    expect(await faultOf(bmc.media!.insert(cd, 'http://images.test/x.iso'))).toMatchObject({
      code: 'bmc/refused',
      message: expect.stringContaining('1 fields'),
    })
    fake.on.set(insert, () => refusal(503, 'ServiceTemporarilyUnavailable'))
    const before = fake.writes.length
    expect(await faultOf(bmc.media!.insert(cd, 'http://images.test/x.iso'))).toMatchObject({ code: 'bmc/busy' })
    expect(fake.writes.length - before).toBe(1)
  })

  it('ejects what is in, and asks to come again while that takes time', async () => {
    const { bmc, fake } = await opened(tree => Object.assign(tree[cd]!, { Inserted: false, Image: 'http://images.test/old.iso' }))
    fake.on.set(`POST ${cd}/Actions/VirtualMedia.EjectMedia`, () => json(204))
    expect(await faultOf(bmc.media!.insert(cd, 'http://images.test/new.iso'))).toMatchObject({ code: 'bmc/busy', retry: 'backoff' })
    fake.on.clear()
    await bmc.media!.insert(cd, 'http://images.test/new.iso')
    expect(fake.tree[cd]).toMatchObject({ Inserted: true, Image: 'http://images.test/new.iso' })
  })

  it('changes a slot that has no action', async () => {
    const { bmc, fake } = await opened(tree => void delete tree[cd]!['Actions'])
    expect((await bmc.media!.slots())[0]).toMatchObject({ by: 'change' })
    await bmc.media!.insert(cd, 'http://images.test/x.iso')
    await bmc.media!.eject(cd)
    expect(fake.writes.map(({ call, body }) => [call, body])).toEqual([
      [`PATCH ${cd}`, { Image: 'http://images.test/x.iso', Inserted: true }],
      [`PATCH ${cd}`, { Image: null, Inserted: false }],
    ])
  })
})

describe('BIOS', () => {
  const later = '/redfish/v1/Systems/1/Bios/Settings'

  it('takes only what differs from a full copy for pending', async () => {
    const { bmc } = await opened(tree => {
      tree[later]!['Attributes'] = { BootMode: 'Uefi', ProcCores: 4, QuietBoot: true }
    })
    expect(await bmc.bios!.pending()).toEqual({ ProcCores: 4 })
  })

  it('can take a pending change back', async () => {
    const { bmc, fake } = await opened(tree => {
      tree[later]!['Attributes'] = { ProcCores: 4 }
    })
    await bmc.bios!.set({ ProcCores: 8, QuietBoot: true })
    expect(fake.writes).toEqual([
      { call: `PATCH ${later}`, body: { Attributes: { ProcCores: 8 }, '@Redfish.SettingsApplyTime': { ApplyTime: 'OnReset' } } },
    ])
  })

  it('reads bounds and values from the registry, also under another name', async () => {
    const { bmc } = await opened(tree => {
      tree['/redfish/v1/Systems/1/Bios']!['AttributeRegistry'] = null
    })
    expect(await bmc.bios!.registry!()).toEqual([
      { name: 'BootMode', type: 'Enumeration', readOnly: false, values: ['Uefi', 'Bios'] },
      { name: 'ProcCores', type: 'Integer', readOnly: false, minimum: 1, maximum: 8 },
      { name: 'QuietBoot', type: 'Boolean', readOnly: true },
    ])
  })
})

describe('tasks', () => {
  const update = 'POST /redfish/v1/UpdateService/Actions/UpdateService.SimpleUpdate'
  const task = '/redfish/v1/TaskService/Tasks/7'

  it.each([
    ['Location', () => json(202, undefined, { location: 'https://idrac-f54/redfish/v1/TaskService/Tasks/7' })],
    [
      'a Task as the body',
      () => json(202, { '@odata.type': '#Task.v1_4_3.Task', '@odata.id': task }, { location: '/redfish/v1/TaskService/TaskMonitors/7' }),
    ],
    [
      'words',
      () =>
        json(202, {
          error: { '@Message.ExtendedInfo': [{ MessageId: 'Base.1.10.Accepted', MessageArgs: [task], MessageSeverity: 'OK' }] },
        }),
    ],
  ])('are found in %s', async (_, answer) => {
    const { bmc, fake } = await opened()
    fake.on.set(update, answer)
    expect(await bmc.firmware!.update('http://images.test/x.bin', undefined)).toBe(task)
  })

  it('may have no address at all', async () => {
    const { bmc, fake } = await opened()
    fake.on.set(update, () => json(202))
    expect(await bmc.firmware!.update('http://images.test/x.bin', undefined)).toBeUndefined()
  })

  it('that vanished are Gone, which is neither success nor failure', async () => {
    const { bmc, fake } = await opened()
    delete fake.tree[task]
    expect(await bmc.firmware!.task(task)).toEqual({ state: 'Gone' })
  })

  it('that became a job are followed there', async () => {
    const { bmc } = await opened(tree => {
      Object.assign(tree[task]!, {
        TaskState: 'Completed',
        Messages: [{ MessageId: 'Update.1.0.OperationTransitionedToJob', MessageArgs: ['/redfish/v1/JobService/Jobs/1'] }],
      })
      tree['/redfish/v1/JobService/Jobs/1'] = { JobState: 'Running', PercentComplete: 99 }
    })
    expect(await bmc.firmware!.task(task)).toEqual({ state: 'Running', percent: 99 })
  })

  it.each([
    [{ TaskState: 'Completed', TaskStatus: 'OK' }, 'Succeeded'],
    [{ TaskState: 'Completed', TaskStatus: 'Critical' }, 'Failed'],
    [{ TaskState: 'Exception' }, 'Failed'],
    [{ TaskState: 'Interrupted' }, 'Running'],
    [{ TaskState: 'Levitating' }, 'Unknown'],
    [{ JobState: 'CompletedWithErrors' }, 'Failed'],
    [{ JobState: 'Scheduled' }, 'Running'],
    [{ error: { '@Message.ExtendedInfo': [{ MessageId: 'iLO.2.14.Success' }] } }, 'Succeeded'],
    [{ error: { '@Message.ExtendedInfo': [{ MessageId: 'Update.1.0.VerificationFailed', Severity: 'Critical' }] } }, 'Failed'],
  ])('%j is %s', (body, state) => expect(taskOf({ status: 200, headers: {}, body }).state).toBe(state))

  it('I9 that are under way are found; one that waits for a reset is none', async () => {
    const { bmc, fake } = await opened()
    expect(await bmc.firmware!.running()).toEqual([task])
    for (const state of ['Completed', 'Pending', 'Scheduled']) {
      fake.tree[task]!['TaskState'] = state
      expect(await bmc.firmware!.running()).toEqual([])
    }
    fake.tree[task]!['TaskState'] = 'SomethingNew'
    expect(await bmc.firmware!.running()).toEqual([task])
  })

  it('of an upload carry parameters first, then the image', async () => {
    const { bmc, fake } = await opened()
    fake.on.set('POST /redfish/v1/UpdateService/upload', () => json(202, undefined, { location: task }))
    expect(await bmc.firmware!.push('bios 1".bin', new TextEncoder().encode('IMAGE'), ['/redfish/v1/Systems/1'])).toBe(task)
    const sent = fake.requests.at(-1)!
    expect(sent.headers['content-type']).toMatch(/^multipart\/form-data; boundary=/)
    const text = new TextDecoder().decode(sent.body)
    expect(text).toMatch(
      /name="UpdateParameters"[\s\S]*"Targets":\["\/redfish\/v1\/Systems\/1"\][\s\S]*filename="bios_1_.bin"[\s\S]*IMAGE\r\n--/,
    )
  })
})

describe('several systems', () => {
  const second = (tree: Tree): void => {
    tree['/redfish/v1/Systems']!['Members'] = [{ '@odata.id': '/redfish/v1/Systems/HGX' }, { '@odata.id': '/redfish/v1/Systems/1' }]
    tree['/redfish/v1/Systems/HGX'] = { '@odata.id': '/redfish/v1/Systems/HGX', Id: 'HGX', Name: 'Baseboard' }
  }

  it('of which one can be reset and booted leave no choice', async () => {
    const { bmc } = await opened(second)
    expect(bmc.identity.system).toBe('/redfish/v1/Systems/1')
  })

  it('that could all be meant want a name', async () => {
    const found = await faultOf(
      opened(tree => {
        second(tree)
        tree['/redfish/v1/Systems/HGX'] = {
          ...systemOf(tree),
          '@odata.id': '/redfish/v1/Systems/HGX',
          Actions: { '#ComputerSystem.Reset': { target: '/redfish/v1/Systems/HGX/Actions/ComputerSystem.Reset' } },
        }
      }),
    )
    expect(found).toMatchObject({
      code: 'bmc/several-systems',
      retry: 'when-changed',
      message: expect.stringContaining('/redfish/v1/Systems/HGX'),
    })
  })
})
