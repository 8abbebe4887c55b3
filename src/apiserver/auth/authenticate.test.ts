import { createPrivateKey } from 'node:crypto'
import { SignJWT } from 'jose'
import { describe, expect, it } from 'vitest'
import { newKey } from '../../net/certificates.ts'
import type { Peer } from '../../net/peer.ts'
import type { User } from '../../ports/index.ts'
import { authenticator } from './authenticate.ts'
import { edge } from './edge.ts'
import { impersonate } from './impersonate.ts'
import type { Rbac } from './rbac.ts'
import { tokenReview } from './reviews.ts'
import { requestToken } from './token-request.ts'
import { defaultIssuer, openTokens } from './tokens.ts'

const key = newKey()

/** A server with one ServiceAccount and one Secret, whose time and objects a test may change. */
function server() {
  const uids: Record<string, string | undefined> = { 'serviceaccounts a/robot': 'u1', 'secrets a/bound': 'u2' }
  const time = { now: 1_800_000_000_000 }
  const uidOf = (resource: string, namespace: string, name: string) => uids[`${resource} ${namespace}/${name}`]
  const tokens = openTokens({ key, clock: { now: () => time.now }, ids: { uid: () => 'token-id' }, uidOf })
  const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'robot', namespace: 'a', uid: 'u1' } }
  const request = async (spec: object = {}) => {
    const answer = await requestToken(tokens, uidOf, account, { spec })
    return answer['status'] as { readonly token: string; readonly expirationTimestamp: string }
  }
  return { uids, time, tokens, request }
}

const nobody: Peer = { address: '127.0.0.1' }
const bearing = (token: string) => ({ headers: { authorization: `Bearer ${token}` } })
const robot: User = {
  name: 'system:serviceaccount:a:robot',
  uid: 'u1',
  groups: ['system:serviceaccounts', 'system:serviceaccounts:a', 'system:authenticated'],
  extra: { 'authentication.kubernetes.io/credential-id': ['JTI=token-id'] },
}

describe('ServiceAccount tokens', () => {
  it('make their bearer the account until they expire', async () => {
    const { tokens, time, request } = server()
    const authenticate = authenticator({ tokens })
    const { token, expirationTimestamp } = await request({ expirationSeconds: 600 })
    expect(expirationTimestamp).toBe('2027-01-15T08:10:00Z')
    expect(await authenticate(bearing(token), nobody)).toEqual(robot)
    time.now += 599_000
    expect(await authenticate(bearing(token), nobody)).toEqual(robot)
    time.now += 1_000
    await expect(authenticate(bearing(token), nobody)).rejects.toMatchObject({ code: 401 })
  })

  it('end with their account, also when one of the same name follows', async () => {
    const { tokens, uids, request } = server()
    const { token } = await request()
    uids['serviceaccounts a/robot'] = undefined
    expect(await tokens.verify(token)).toBeUndefined()
    uids['serviceaccounts a/robot'] = 'another'
    expect(await tokens.verify(token)).toBeUndefined()
  })

  it('end with the secret they are bound to', async () => {
    const { tokens, uids, request } = server()
    const { token } = await request({ boundObjectRef: { kind: 'Secret', apiVersion: 'v1', name: 'bound' } })
    expect(await tokens.verify(token)).toBeDefined()
    uids['secrets a/bound'] = undefined
    expect(await tokens.verify(token)).toBeUndefined()
  })

  it('count only for the audiences they were made for', async () => {
    const { tokens, request } = server()
    const { token } = await request({ audiences: ['vault', 'registry'] })
    expect(await tokens.verify(token)).toBeUndefined()
    await expect(authenticator({ tokens })(bearing(token), nobody)).rejects.toMatchObject({ code: 401 })
    expect((await tokens.verify(token, ['other', 'vault']))?.audiences).toEqual(['vault'])
    expect(await tokenReview(tokens, { token, audiences: ['registry'] })).toMatchObject({
      authenticated: true,
      audiences: ['registry'],
      user: { username: robot.name },
    })
    expect(await tokenReview(tokens, { token })).toMatchObject({ authenticated: false, error: expect.any(String) })
  })

  it.each([
    ['a short life', { expirationSeconds: 599 }, 422],
    ['a life that is no number', { expirationSeconds: '1h' }, 422],
    ['a bond to a pod', { boundObjectRef: { kind: 'Pod', name: 'x' } }, 422],
    ['a bond to a secret that is not there', { boundObjectRef: { kind: 'Secret', name: 'x' } }, 404],
    ['a bond to another secret of that name', { boundObjectRef: { kind: 'Secret', name: 'bound', uid: 'x' } }, 409],
  ])('are not issued for %s', async (_what, spec, code) => {
    await expect(server().request(spec)).rejects.toMatchObject({ code })
  })

  it('are refused when forged: other keys, other algorithms, other claims, changed bytes', async () => {
    const { tokens, time, request } = server()
    const now = time.now / 1_000
    const claims = { 'kubernetes.io': { namespace: 'a', serviceaccount: { name: 'robot', uid: 'u1' } }, aud: [defaultIssuer] }
    const sign = (payload: object, pem = key, subject = robot.name, issuer = defaultIssuer) =>
      new SignJWT({ ...payload })
        .setProtectedHeader({ alg: 'ES256' })
        .setIssuer(issuer)
        .setSubject(subject)
        .setNotBefore(now)
        .setExpirationTime(now + 60)
        .sign(createPrivateKey(pem))
    expect(await tokens.verify(await sign(claims))).toBeDefined()
    const { token } = await request()
    const [head = '', body = '', signature = ''] = token.split('.')
    const none = Buffer.from('{"alg":"none"}').toString('base64url')
    const forged = [
      await sign(claims, newKey()),
      await sign(claims, key, 'system:serviceaccount:kube-system:robot'),
      await sign(claims, key, robot.name, 'https://elsewhere'),
      await sign({ aud: [defaultIssuer] }),
      await sign({ ...claims, aud: defaultIssuer }),
      await new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).sign(Buffer.from(key)),
      `${none}.${body}.`,
      `${none}.${body}.${signature}`,
      `${head}.${body}.${signature.slice(0, -2)}AA`,
      `${head}.${Buffer.from('{}').toString('base64url')}.${signature}`,
      'x',
      '..',
    ]
    for (const bad of forged) expect(await tokens.verify(bad), bad).toBeUndefined()
  })
})

describe('authenticator()', () => {
  const { tokens } = server()
  const peer = (commonName: string, ...organizations: string[]): Peer => ({
    ...nobody,
    certificate: { commonName, organizations, fingerprint: 'ff' },
  })

  it('takes name and groups from a client certificate', async () => {
    expect(await authenticator({ tokens })({ headers: {} }, peer('eve', 'ops'))).toEqual({
      name: 'eve',
      groups: ['ops', 'system:authenticated'],
      extra: { 'authentication.kubernetes.io/credential-id': ['X509SHA256=ff'] },
    })
  })

  it('takes the fixed token, where there is one, for the administrator', async () => {
    const authenticate = authenticator({ tokens, adminToken: 'sesame' })
    expect((await authenticate(bearing('sesame'), nobody))?.groups).toContain('system:masters')
    await expect(authenticate(bearing('sesam'), nobody)).rejects.toMatchObject({ code: 401 })
    await expect(authenticator({ tokens, adminToken: '' })(bearing('x'), nobody)).rejects.toMatchObject({ code: 401 })
  })

  it('knows nobody without credentials', async () => {
    for (const headers of [{}, { authorization: 'Basic YTpi' }, { authorization: 'Bearer' }])
      expect(await authenticator({ tokens })({ headers: headers as Record<string, string> }, nobody)).toBeUndefined()
    expect(await authenticator({ tokens })({ headers: {} }, peer(''))).toBeUndefined()
  })
})

describe('impersonate()', () => {
  /** A sender who may do exactly these things. */
  const allowing = (...what: string[]): Rbac => ({
    authorize: (_user, asked) => ({
      allowed:
        'resource' in asked &&
        asked.verb === 'impersonate' &&
        what.includes(
          `${asked.resource}${asked.subresource ? `/${asked.subresource}` : ''} ${asked.namespace ? `${asked.namespace}/` : ''}${asked.name}`,
        ),
      because: '',
    }),
    rulesOf: () => [],
    roleRules: () => undefined,
    close: () => {},
  })
  const sender: User = { name: 'admin', groups: ['system:authenticated'] }
  const as = (headers: Record<string, string>) => ({ headers })

  it('changes nothing without its headers', () => expect(impersonate(allowing(), sender, as({}))).toBe(sender))

  it('acts for another user with the groups asked for, where each is allowed', () => {
    const request = as({ 'impersonate-user': 'eve', 'impersonate-group': 'ops, dev', 'impersonate-extra-scopes': 'view' })
    expect(impersonate(allowing('users eve', 'groups ops', 'groups dev', 'userextras/scopes view'), sender, request)).toEqual({
      name: 'eve',
      groups: ['ops', 'dev', 'system:authenticated'],
      extra: { scopes: ['view'] },
    })
    for (const less of [['users eve', 'groups ops'], ['groups ops', 'groups dev'], []])
      expect(() => impersonate(allowing(...less), sender, request)).toThrow(expect.objectContaining({ code: 403 }))
  })

  it('gives a ServiceAccount its groups', () => {
    const request = as({ 'impersonate-user': 'system:serviceaccount:a:robot' })
    expect(impersonate(allowing('serviceaccounts a/robot'), sender, request).groups).toEqual([
      'system:serviceaccounts',
      'system:serviceaccounts:a',
      'system:authenticated',
    ])
  })

  it('refuses groups without a user', () =>
    expect(() => impersonate(allowing('groups ops'), sender, as({ 'impersonate-group': 'ops' }))).toThrow(
      expect.objectContaining({ code: 400 }),
    ))

  it('stands in the edge, so that the API sees who is meant', async () => {
    const { tokens } = server()
    const seen: (User | undefined)[] = []
    const handle = edge(authenticator({ tokens, adminToken: 't' }), allowing('users eve'), async (_request, user) => {
      seen.push(user)
      return { status: 200, headers: {}, body: new Uint8Array() }
    })
    const request = { method: 'GET', url: '/' }
    await handle({ ...request, headers: {} }, nobody)
    await handle({ ...request, headers: { authorization: 'bearer t', 'impersonate-user': 'eve' } }, nobody)
    expect(seen.map(user => user?.name)).toEqual([undefined, 'eve'])
  })
})
