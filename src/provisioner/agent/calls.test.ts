import { expect, it } from 'vitest'
import { wallClock } from '../../net/wall-clock.ts'
import { agentCalls } from './calls.ts'

it('S14 an agent that answers without end is not listened to', async () => {
  async function* endless(): AsyncGenerator<Uint8Array> {
    for (;;) yield new Uint8Array(1 << 20)
  }
  const calls = agentCalls({ clock: wallClock, transport: () => async () => ({ status: 200, headers: {}, body: endless() }) })
  const asked = calls.commands({ url: 'https://10.0.0.1:9999', ca: '', token: 't' }, new AbortController().signal)
  await expect(asked).rejects.toThrow('its answer is longer than 16 MiB')
})
