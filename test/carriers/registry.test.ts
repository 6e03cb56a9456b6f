/** Which connector serves a carrier and an account, how often connectors are opened, and faults in settings. */
import { afterEach, describe, expect, test, vi } from 'vitest'
import type { CarrierAccess, Connector } from '../../src/carriers/connector.ts'
import { type CarriersChoice, CONNECTORS, openCarriers, settingsFaults } from '../../src/carriers/registry.ts'
import { startSandboxServer } from '../../src/carriers/sandbox/server.ts'
import { carrierSettings } from '../../src/carriers/settings.ts'
import { CONNECTOR_NAMES } from '../../src/core/connector-names.ts'
import { startFake } from './fakes/fake-carrier.ts'

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  vi.restoreAllMocks()
  for (const close of closing.splice(0)) await close()
})

const UPS = { clientId: 'id', clientSecret: 'secret' }

/** Opens carriers with the given connector names. `settings` is as in the file. */
function open(names: Record<string, string>, settings: object = {}, choice: Partial<CarriersChoice> = {}) {
  return openCarriers((code) => names[code], {
    sandboxUrl: undefined,
    settings: carrierSettings(settings),
    ...choice,
  })
}

/** Records the settings with which the connector `name` is opened from now on. Every call opens a new one. */
function watchOpening(name: keyof typeof CONNECTORS): CarrierAccess[] {
  const accesses: CarrierAccess[] = []
  vi.spyOn(CONNECTORS[name], 'open').mockImplementation((access) => {
    accesses.push(access)
    return { cancel: () => Promise.reject(new Error('not asked for')) }
  })
  return accesses
}

function cancel(connector: Connector | undefined, carrierRef: string) {
  const request = { carrierCode: 'c', carrierRef, idempotencyKey: 'key', sends: 1, ageMs: 0 }
  return connector?.cancel(request, AbortSignal.timeout(5_000))
}

describe('a connector', () => {
  test('exists for every name that rate cards can use, and for no other name', () => {
    expect(Object.keys(CONNECTORS)).toEqual([...CONNECTOR_NAMES])
  })

  test.each(
    CONNECTOR_NAMES,
  )('named %s opens with its required credentials, and can cancel and look up', (name) => {
    const { credentials, optionalCredentials = [], books = false, liveUrl, open: openOne } = CONNECTORS[name]
    const given = Object.fromEntries(credentials.map((name) => [name, 'x']))
    const connector = openOne({ baseUrl: 'http://127.0.0.1:9', credentials: given })
    expect(connector.cancel).toBeInstanceOf(Function)
    expect(connector.track).toBeInstanceOf(Function)
    // Otherwise a draft whose booking was lost would be cancelled without asking the carrier.
    expect(connector.bookings !== undefined).toBe(books)
    expect(URL.canParse(liveUrl) && !liveUrl.endsWith('/')).toBe(true)
    expect(credentials.filter((name) => optionalCredentials.includes(name))).toEqual([])
  })
})

test('lookups may lag behind by half an hour, unless the connector has a figure', () => {
  const names = Object.fromEntries(CONNECTOR_NAMES.map((name) => [name, name]))
  const { lookupLagMs } = open(names)
  for (const name of CONNECTOR_NAMES)
    expect(lookupLagMs(name)).toBe(CONNECTORS[name].lookupLagMs ?? 30 * 60_000)
})

describe('the sandbox', () => {
  test('without settings and URL runs in this process, one for all accounts', async () => {
    const carriers = open({ c: 'sandbox', d: 'sandbox' })
    const connector = carriers.connectorOf('c', 'acme')
    expect(await cancel(connector, 'SBX-OK-1')).toEqual({ kind: 'cancelled', how: 'now' })
    expect(carriers.connectorOf('d', 'globex')).toBe(connector)
    expect(open({ c: 'sandbox' }).connectorOf('c', 'acme')).not.toBe(connector)
  })

  test('is called at its URL', async () => {
    const { address, close } = await startSandboxServer()
    closing.push(close)
    const carriers = open({ c: 'sandbox' }, {}, { sandboxUrl: address })
    const connector = carriers.connectorOf('c', 'acme')
    expect(await cancel(connector, 'SBX-OK-1')).toEqual({ kind: 'cancelled', how: 'now' })
    // The same server with the same state, and the same connector.
    expect(await cancel(carriers.connectorOf('c', 'globex'), 'SBX-OK-1')).toMatchObject({ how: 'already' })
    expect(carriers.connectorOf('c', 'globex')).toBe(connector)
  })

  test.each([
    undefined,
    'http://127.0.0.1:9',
  ])('is called at the address in the settings, regardless of its URL: %s', async (sandboxUrl) => {
    const { baseUrl, requests, close } = await startFake(() => ({
      status: 200,
      body: { status: 'accepted' },
    }))
    closing.push(close)
    const carriers = open({ c: 'sandbox' }, { c: { baseUrl: `${baseUrl}/deep/` } }, { sandboxUrl })
    expect(await cancel(carriers.connectorOf('c', 'acme'), 'A')).toMatchObject({ how: 'accepted' })
    expect(requests.map((request) => request.path)).toEqual(['/deep/parcels/A/cancel'])
  })

  test('has a URL that is not used for other carriers', () => {
    expect(open({ c: 'ups' }, {}, { sandboxUrl: 'http://127.0.0.1:9' }).connectorOf('c', 'a')).toBeUndefined()
  })
})

describe('a carrier', () => {
  test.each<[string, Record<string, string>, object]>([
    ['that no rate card has', {}, {}],
    ['that no rate card has, with settings', {}, { c: { baseUrl: 'http://x' } }],
    ['whose connector does not exist', { c: 'pigeons' }, { c: { baseUrl: 'http://x' } }],
    ['whose connector is a property of every object', { c: 'constructor' }, { c: { baseUrl: 'http://x' } }],
    ['without settings', { c: 'ups' }, {}],
    ['without credentials', { c: 'ups' }, { c: { baseUrl: 'http://x' } }],
    [
      'without one of the credentials',
      { c: 'ups' },
      { c: { baseUrl: 'http://x', credentials: { clientId: 'x' } } },
    ],
    [
      'with credentials for other accounts only',
      { c: 'ups' },
      { c: { baseUrl: 'http://x', accounts: { globex: { credentials: UPS } } } },
    ],
    [
      'with some of the credentials, for this account only',
      { c: 'ups' },
      { c: { baseUrl: 'http://x', accounts: { acme: { credentials: { clientId: 'x' } } } } },
    ],
  ])('%s gets no connector', (_name, names, settings) => {
    expect(open(names, settings).connectorOf('c', 'acme')).toBeUndefined()
  })

  test.each<[string, boolean]>([
    ['c', true],
    ['sbx', true],
    ['unknown', false],
    ['pigeon', false],
  ])('can be looked up if its connector has lookups: %s', (code, expected) => {
    expect(open({ c: 'ups', sbx: 'sandbox', pigeon: 'pigeons' }).canLookUp(code)).toBe(expected)
  })
})

describe('credentials', () => {
  const settings = {
    c: {
      baseUrl: 'http://shared/',
      credentials: UPS,
      accounts: { acme: { credentials: { clientSecret: 'of acme' } }, globex: { baseUrl: 'http://globex' } },
    },
    d: { baseUrl: 'http://shared', credentials: UPS },
  }

  test('of the account take precedence over those of the carrier', () => {
    const accesses = watchOpening('ups')
    const { connectorOf } = open({ c: 'ups' }, settings)
    for (const account of ['acme', 'globex', 'initech']) connectorOf('c', account)
    expect(accesses.map(({ baseUrl, credentials }) => ({ baseUrl, credentials }))).toEqual([
      { baseUrl: 'http://shared', credentials: { clientId: 'id', clientSecret: 'of acme' } },
      { baseUrl: 'http://globex', credentials: UPS },
      { baseUrl: 'http://shared', credentials: UPS },
    ])
  })

  test('share a connector, and so a token, if they are the same set', () => {
    const accesses = watchOpening('ups')
    const { connectorOf } = open({ c: 'ups', d: 'ups' }, settings)
    const shared = connectorOf('c', 'initech')
    const forAcme = connectorOf('c', 'acme')
    expect(connectorOf('c', 'hooli')).toBe(shared)
    expect(connectorOf('c', 'acme')).toBe(forAcme)
    expect(forAcme).not.toBe(shared)
    // The second carrier has equal credentials and the same URL.
    expect(connectorOf('d', 'acme')).toBe(shared)
    expect(accesses).toHaveLength(2)
  })

  test('of an account are not used for an account with a similar name', () => {
    const accesses = watchOpening('ups')
    const odd = { 'a","b': { credentials: { clientSecret: '1' } }, a: { credentials: { clientSecret: '2' } } }
    const { connectorOf } = open({ c: 'ups' }, { c: { ...settings.c, accounts: odd } })
    for (const account of ['a","b', 'a', 'a","b', 'null', '']) connectorOf('c', account)
    expect(accesses.map(({ credentials }) => credentials['clientSecret'])).toEqual(['1', '2', 'secret'])
  })

  test('have one channel for each different set, which contains no secret', () => {
    const { channelOf } = open({ c: 'ups', d: 'ups', e: 'ups' }, settings)
    const shared = channelOf('c', 'initech')
    expect(shared.accountId).toBeUndefined()
    expect(channelOf('c', 'hooli')).toEqual(shared)
    expect(channelOf('c', 'acme').accountId).toBe('acme')
    // At a carrier without credentials for the account, it uses the shared channel.
    expect(channelOf('d', 'acme')).toEqual(channelOf('d', 'initech'))
    const channels = [shared, channelOf('c', 'acme'), channelOf('c', 'globex'), channelOf('e', 'acme')]
    expect(new Set(channels.map(({ key }) => key)).size).toBe(4)
    expect(channelOf('d', 'acme')).toEqual(shared)
    expect(JSON.stringify(channels)).not.toContain('secret')
    expect(JSON.stringify(channels)).not.toContain('of acme')
  })

  test('have separate channels at another URL, for another connector, and in the sandbox', () => {
    const entry = { baseUrl: 'http://x', credentials: { ...UPS, accountNumber: '1' } }
    const names = { c: 'ups', d: 'ups', e: 'fedex', f: 'sandbox', g: 'sandbox' }
    const sandbox = { baseUrl: 'http://sandbox' }
    const { channelOf } = open(names, {
      ...{ c: entry, d: { ...entry, baseUrl: 'http://y' }, e: entry, f: sandbox, g: sandbox },
    })
    const keys = Object.keys(names).map((code) => channelOf(code, 'acme').key)
    expect(new Set(keys).size).toBe(5)
  })

  test('of two accounts that are equal share a channel, which belongs to neither account', () => {
    const own = { credentials: { clientSecret: 'of both' } }
    const { channelOf } = open({ c: 'ups' }, { c: { ...settings.c, accounts: { acme: own, globex: own } } })
    expect(channelOf('c', 'acme')).toEqual(channelOf('c', 'globex'))
    expect(channelOf('c', 'acme').accountId).toBeUndefined()
    expect(channelOf('c', 'acme').key).not.toBe(channelOf('c', 'initech').key)
  })

  test('have another channel when the rate card names another connector', () => {
    const names = { c: 'ups' }
    const { channelOf } = open(names, settings)
    const before = channelOf('c', 'acme')
    names.c = 'fedex'
    expect(channelOf('c', 'acme').key).not.toBe(before.key)
  })

  test('have the same channel exactly when they have the same connector', () => {
    watchOpening('ups')
    const odd = { 'a","b': {}, a: {}, null: {}, '': {} }
    const { connectorOf, channelOf } = open({ c: 'ups' }, { c: { ...settings.c, accounts: odd } })
    const accounts = ['a","b', 'a', 'null', '', 'b', 'other', 'undefined']
    for (const one of accounts)
      for (const two of accounts)
        expect(channelOf('c', one).key === channelOf('c', two).key).toBe(
          connectorOf('c', one) === connectorOf('c', two),
        )
  })

  test('are not required by the sandbox', () => {
    const accesses = watchOpening('sandbox')
    open({ c: 'sandbox' }, {}, { sandboxUrl: 'http://sandbox' }).connectorOf('c', 'acme')
    expect(accesses).toEqual([expect.objectContaining({ baseUrl: 'http://sandbox', credentials: {} })])
  })
})

test('a carrier uses the connector that its rate card names', () => {
  const openedUps = watchOpening('ups')
  const openedFedex = watchOpening('fedex')
  const names: Record<string, string> = { c: 'ups' }
  const credentials = { ...UPS, accountNumber: '1' }
  const { connectorOf, canLookUp: canTrack } = open(names, { c: { baseUrl: 'http://x', credentials } })
  const first = connectorOf('c', 'acme')
  names['c'] = 'fedex'
  const second = connectorOf('c', 'acme')
  expect(second).not.toBe(first)
  expect(connectorOf('c', 'acme')).toBe(second)
  names['c'] = 'ups'
  expect(connectorOf('c', 'acme')).toBe(first)
  delete names['c']
  expect(connectorOf('c', 'acme')).toBeUndefined()
  expect(canTrack('c')).toBe(false)
  expect([openedUps.length, openedFedex.length]).toEqual([1, 1])
})

describe('the check of settings reports', () => {
  const ups = (entry: object) => ({ u: { baseUrl: 'http://x', ...entry } })
  const none = (path: string, missing: string) => `${path}.credentials.${missing}: required`

  test.each<[string, object, string[]]>([
    ['nothing', ups({ credentials: UPS }), []],
    ['nothing if there are no carriers', {}, []],
    ['a carrier that no rate card has', { z: { baseUrl: 'http://x' } }, ['z: no rate card has this carrier']],
    ['a connector that does not exist', { p: { baseUrl: 'http://x' } }, ['p: there is no connector pigeons']],
    ['all credentials missing', ups({}), [none('u', 'clientId'), none('u', 'clientSecret')]],
    ['one missing credential', ups({ credentials: { clientId: 'canary' } }), [none('u', 'clientSecret')]],
    [
      'a credential that the connector does not have',
      ups({ credentials: { ...UPS, apiKey: 'canary' } }),
      ['u.credentials.apiKey: the connector ups has no such credential'],
    ],
    [
      'a misspelt credential as one missing and one unknown',
      ups({ credentials: { clientId: 'canary', secret: 'canary' } }),
      [none('u', 'clientSecret'), 'u.credentials.secret: the connector ups has no such credential'],
    ],
    [
      'nothing for optional credentials',
      {
        f: {
          baseUrl: 'http://x',
          credentials: { ...UPS, accountNumber: '1', trackClientId: 'x', trackClientSecret: 'x' },
        },
      },
      [],
    ],
    ['nothing for a sandbox without credentials', { s: { baseUrl: 'http://x' } }, []],
    [
      'credentials of the sandbox',
      { s: { baseUrl: 'http://x', credentials: { key: 'canary' } } },
      ['s.credentials.key: the connector sandbox has no such credential'],
    ],
    [
      'nothing if the only account has all credentials',
      ups({ accounts: { acme: { credentials: UPS } } }),
      [],
    ],
    [
      'a missing credential of an account if the carrier has none',
      ups({ accounts: { acme: { credentials: UPS }, globex: { credentials: { clientId: 'canary' } } } }),
      [none('u.accounts.globex', 'clientSecret')],
    ],
    [
      'a credential that only one account completes',
      ups({
        credentials: { clientId: 'canary' },
        accounts: { acme: { credentials: { clientSecret: 'x' } } },
      }),
      [none('u', 'clientSecret')],
    ],
    [
      'an unknown credential of an account',
      ups({ credentials: UPS, accounts: { acme: { credentials: { apiKey: 'canary' } } } }),
      ['u.accounts.acme.credentials.apiKey: the connector ups has no such credential'],
    ],
    [
      'the faults of several carriers',
      { z: { baseUrl: 'http://x' }, ...ups({ credentials: { clientSecret: 'canary' } }) },
      ['z: no rate card has this carrier', none('u', 'clientId')],
    ],
  ])('%s', (_name, settings, expected) => {
    const names: Record<string, string> = { u: 'ups', f: 'fedex', s: 'sandbox', p: 'pigeons' }
    const faults = settingsFaults((code) => names[code], carrierSettings(settings))
    expect(faults).toEqual(expected)
    expect(faults.join()).not.toContain('canary')
  })
})

describe('settings that are replaced', () => {
  const one = (clientSecret: string, extra: object = {}) => ({
    u: { baseUrl: 'http://x', credentials: { clientId: 'id', clientSecret }, ...extra },
  })
  const settingsOf = (settings: object) => carrierSettings(settings)

  test('open connectors and channels for changed credentials only', () => {
    const opened = watchOpening('ups')
    const carriers = open(
      { u: 'ups', v: 'ups' },
      { ...one('a'), v: { baseUrl: 'http://y', credentials: UPS } },
    )
    const [u, v] = [carriers.connectorOf('u', 'acme'), carriers.connectorOf('v', 'acme')]
    const [uKey, vKey] = ['u', 'v'].map((code) => carriers.channelOf(code, 'acme').key)
    carriers.replaceSettings(settingsOf({ ...one('b'), v: { baseUrl: 'http://y', credentials: UPS } }))
    expect(carriers.connectorOf('v', 'acme')).toBe(v)
    expect(carriers.channelOf('v', 'acme').key).toBe(vKey)
    expect(carriers.connectorOf('u', 'acme')).not.toBe(u)
    expect(carriers.channelOf('u', 'acme').key).not.toBe(uKey)
    expect(carriers.channelOf('u', 'acme').key).not.toContain('b"')
    expect(opened.map(({ credentials }) => credentials['clientSecret'])).toEqual(['a', 'secret', 'b'])
    carriers.replaceSettings(settingsOf(one('a')))
    expect(carriers.channelOf('u', 'acme').key).toBe(uKey)
    expect(carriers.connectorOf('v', 'acme')).toBeUndefined()
  })

  test('that two entries share keep their token, circuits and quota if the first entry is removed', () => {
    watchOpening('ups')
    const names = { u: 'ups', v: 'ups' }
    const entry = { baseUrl: 'http://x', credentials: UPS, tracking: { callsPerDay: 9 } }
    const carriers = open(names, { u: entry, v: entry })
    const connector = carriers.connectorOf('u', 'acme')
    const { key, trackingKey } = carriers.channelOf('u', 'acme')
    carriers.replaceSettings(settingsOf({ v: entry }))
    expect(carriers.channelOf('v', 'acme')).toMatchObject({ key, trackingKey })
    expect(carriers.connectorOf('v', 'acme')).toBe(connector)
    // Other credentials do not get the name that the remaining entry uses.
    carriers.replaceSettings(settingsOf({ u: { ...entry, baseUrl: 'http://y' }, v: entry }))
    expect(carriers.channelOf('u', 'acme').key).not.toBe(key)
    expect(carriers.channelOf('v', 'acme').key).toBe(key)
  })

  test('open their connector again if they were removed and return', () => {
    const opened = watchOpening('ups')
    const carriers = open({ u: 'ups', v: 'ups' }, one('a'))
    const before = carriers.connectorOf('u', 'acme')
    carriers.replaceSettings(settingsOf(one('b')))
    carriers.replaceSettings(settingsOf(one('a')))
    expect(carriers.connectorOf('u', 'acme')).not.toBe(before)
    expect(opened).toHaveLength(2)
  })

  test('keep the quota of lookups unless it or its credentials change', () => {
    const carriers = open({ u: 'ups' }, one('a'))
    const before = carriers.channelOf('u', 'acme').trackingKey
    carriers.replaceSettings(settingsOf(one('a', { eventSecret: 'e'.repeat(32) })))
    expect(carriers.channelOf('u', 'acme').trackingKey).toBe(before)
    carriers.replaceSettings(settingsOf(one('a', { tracking: { callsPerDay: 9 } })))
    expect(carriers.channelOf('u', 'acme').trackingKey).not.toBe(before)
    expect(carriers.channelOf('u', 'acme').tracking?.callsPerDay).toBe(9)
  })
})
