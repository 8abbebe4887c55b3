import { describe, expect, it } from 'vitest'
import { type Neighbours, stanceOf } from '../../src/cli/operator/courtesy.ts'
import { roles } from '../../src/cli/operator/roles.ts'

const metal = roles[0]!
const nobody: Neighbours = { foreign: [], missing: [], live: [] }
const rival = { who: 'metal-operator', lease: 'metal/f26702e4.ironcore.dev', holder: 'pod-1' }

describe('X-037 stanceOf()', () => {
  it('acts where nobody else does', () => expect(stanceOf(metal, nobody, false)).toMatchObject({ is: 'act' }))
  it('observes while another operator holds its lease, and names it', () =>
    expect(stanceOf(metal, { ...nobody, live: [rival] }, false)).toEqual({
      is: 'observe',
      because: 'metal-operator runs here (lease metal/f26702e4.ironcore.dev, held by pod-1)',
    }))
  it('observes where somebody else installed the CRDs', () =>
    expect(stanceOf(metal, { ...nobody, foreign: [{ crd: 'servers.metal.ironcore.dev', lacks: [] }] }, false)).toEqual({
      is: 'observe',
      because: 'servers.metal.ironcore.dev was installed by somebody else',
    }))
  it('observes where CRDs are missing, whatever was asked for', () =>
    expect(stanceOf(metal, { ...nobody, missing: ['bmcs.metal.ironcore.dev', 'servers.metal.ironcore.dev'] }, true)).toMatchObject({
      is: 'observe',
      because: expect.stringContaining('are not installed'),
    }))
  it('takes over what somebody else installed when a person says so', () =>
    expect(stanceOf(metal, { ...nobody, foreign: [{ crd: 'servers.metal.ironcore.dev', lacks: [] }] }, true)).toMatchObject({ is: 'act' }))
  it('refuses to take over while the other operator runs', () =>
    expect(() => stanceOf(metal, { ...nobody, live: [rival] }, true)).toThrow('Cannot take over metal: metal-operator runs here'))
  it('refuses to take over CRDs that lack fields which we write, and names them', () =>
    expect(() => stanceOf(metal, { ...nobody, foreign: [{ crd: 'servers.metal.ironcore.dev', lacks: ['status.boot'] }] }, true)).toThrow(
      'servers.metal.ironcore.dev lacks status.boot',
    ))
})
