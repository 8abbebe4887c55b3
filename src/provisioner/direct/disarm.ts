import { seconds } from '../../core/duration.ts'
import type { Turn } from '../../ports/provisioner.ts'
import type { There } from './sight.ts'
import { type Begun, insist } from './turns.ts'

/** Takes back what is armed for its next boots. */
export const disarm = ({ armed }: There, begun: Begun): Turn =>
  insist(
    begun,
    { do: 'disarm' },
    {
      asks: 'nothing stays armed',
      waits: 'what was armed is being taken back',
      gaveUp: `its management controller keeps ${armed.raw} armed`,
      patience: seconds(30),
    },
  )
