/** The carriers' settings file: its values, and every fault with its path and without its value. */
import { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  CarrierSettingsError,
  carrierSettings,
  isExposed,
  readCarrierSettings,
} from '../../src/carriers/settings.ts'
import { makeThrowAwayFolder } from '../support/app/throw-away-folder.ts'

const BASE_URL = 'https://carrier.example/api'
const SECRET = 'canary-'.padEnd(32, 'x')

/** The lines of the error without the heading. */
function faultsOf(json: unknown): string[] {
  let faults: string[] | undefined
  try {
    carrierSettings(json)
  } catch (error) {
    expect(error).toBeInstanceOf(CarrierSettingsError)
    const [heading, ...lines] = (error as Error).message.split('\n  ')
    expect(heading).toBe("the carriers' settings were refused:")
    faults = lines
  }
  return faults ?? []
}

describe('reading the settings returns', () => {
  test('a carrier with all fields, and an account that replaces some of them', () => {
    const settings = carrierSettings({
      brightway: {
        baseUrl: `${BASE_URL}//`,
        credentials: { clientId: 'a', clientSecret: 'b' },
        eventSecret: SECRET,
        accounts: {
          acme: { credentials: { clientSecret: 'of acme' } },
          globex: { baseUrl: 'http://127.0.0.1:9/', credentials: { more: 'x' } },
          plain: {},
        },
      },
      other: { baseUrl: 'http://localhost' },
    })
    expect([...settings.keys()]).toEqual(['brightway', 'other'])
    expect(settings.get('brightway')).toEqual({
      baseUrl: BASE_URL,
      credentials: { clientId: 'a', clientSecret: 'b' },
      eventSecret: SECRET,
      accounts: new Map([
        ['acme', { baseUrl: BASE_URL, credentials: { clientId: 'a', clientSecret: 'of acme' } }],
        [
          'globex',
          { baseUrl: 'http://127.0.0.1:9', credentials: { clientId: 'a', clientSecret: 'b', more: 'x' } },
        ],
        ['plain', { baseUrl: BASE_URL, credentials: { clientId: 'a', clientSecret: 'b' } }],
      ]),
    })
    expect(settings.get('other')).toEqual({
      baseUrl: 'http://localhost',
      credentials: {},
      accounts: new Map(),
    })
  })

  test('the limits of tracking, which accounts can replace one by one', () => {
    const settings = carrierSettings({
      c: {
        baseUrl: BASE_URL,
        tracking: { everyMinutes: 180, callsPerDay: 250 },
        accounts: { acme: { tracking: { callsPerDay: 5_000 } }, globex: {} },
      },
    })
    expect(settings.get('c')?.tracking).toEqual({ everyMs: 10_800_000, callsPerDay: 250 })
    expect(settings.get('c')?.accounts.get('acme')?.tracking).toEqual({
      everyMs: 10_800_000,
      callsPerDay: 5_000,
    })
    expect(settings.get('c')?.accounts.get('globex')?.tracking).toEqual(settings.get('c')?.tracking)
  })

  test('no carriers if there are none', () => {
    expect(carrierSettings({})).toEqual(new Map())
  })
})

describe('reading the settings reports', () => {
  const OBJECT = 'expected an object'
  const URL_FAULT = 'expected an http or https URL without a query'
  const one = (entry: unknown) => ({ c: entry })
  const withUrl = (entry: object) => one({ baseUrl: BASE_URL, ...entry })
  const account = (entry: unknown) => withUrl({ accounts: { acme: entry } })
  const urls = [
    'canary',
    '//canary.example',
    'ftp://canary.example',
    'file:///canary',
    'https://canary.example/?key=canary',
    'https://canary.example/#canary',
    'https://canary:canary@carrier.example',
    'https://canary@carrier.example',
    ['https://canary.example'],
    { canary: 'canary' },
    7,
    '',
  ]
  const secrets = ['canary'.padEnd(31, 'x'), '', 7, ['canary'], { canary: 'canary' }, null]

  test.each<[unknown, string[]]>([
    [null, [`the file: ${OBJECT}`]],
    [[{ c: 'canary' }], [`the file: ${OBJECT}`]],
    ['canary', [`the file: ${OBJECT}`]],
    [one('canary'), [`c: ${OBJECT}`, `c.baseUrl: ${URL_FAULT}`]],
    [one(['canary']), [`c: ${OBJECT}`, `c.baseUrl: ${URL_FAULT}`]],
    [one({}), [`c.baseUrl: ${URL_FAULT}`]],
    ...urls.map((baseUrl): [unknown, string[]] => [one({ baseUrl }), [`c.baseUrl: ${URL_FAULT}`]]),
    [withUrl({ url: 'canary' }), ['c.url: unknown setting']],
    [withUrl({ credentials: 'canary' }), [`c.credentials: ${OBJECT}`]],
    [withUrl({ credentials: ['canary'] }), [`c.credentials: ${OBJECT}`]],
    [withUrl({ credentials: { key: '' } }), ['c.credentials.key: expected text']],
    [withUrl({ credentials: { key: 7 } }), ['c.credentials.key: expected text']],
    [withUrl({ credentials: { key: null } }), ['c.credentials.key: expected text']],
    [withUrl({ credentials: { key: { canary: 'canary' } } }), ['c.credentials.key: expected text']],
    [withUrl({ credentials: { one: 'canary', two: ['canary'] } }), ['c.credentials.two: expected text']],
    [withUrl({ tracking: 'canary' }), [`c.tracking: ${OBJECT}`]],
    [withUrl({ tracking: { perHour: 1 } }), ['c.tracking.perHour: unknown setting']],
    ...[0, -1, 1.5, '250', null, 10_000_001].map((callsPerDay): [unknown, string[]] => [
      withUrl({ tracking: { callsPerDay } }),
      ['c.tracking.callsPerDay: expected a whole number from 1 to 10000000'],
    ]),
    [
      account({ tracking: { everyMinutes: 10_081 } }),
      ['c.accounts.acme.tracking.everyMinutes: expected a whole number from 1 to 10080'],
    ],
    ...secrets.map((eventSecret): [unknown, string[]] => [
      withUrl({ eventSecret }),
      ['c.eventSecret: expected at least 32 characters'],
    ]),
    [withUrl({ accounts: 'canary' }), [`c.accounts: ${OBJECT}`]],
    [withUrl({ accounts: [{ baseUrl: 'canary' }] }), [`c.accounts: ${OBJECT}`]],
    [account('canary'), [`c.accounts.acme: ${OBJECT}`]],
    [account({ baseUrl: 'canary' }), [`c.accounts.acme.baseUrl: ${URL_FAULT}`]],
    [account({ eventSecret: SECRET }), ['c.accounts.acme.eventSecret: unknown setting']],
    [account({ accounts: {} }), ['c.accounts.acme.accounts: unknown setting']],
    [account({ credentials: 'canary' }), [`c.accounts.acme.credentials: ${OBJECT}`]],
    [account({ credentials: { key: 7 } }), ['c.accounts.acme.credentials.key: expected text']],
  ])('the faults of %j', (json, expected) => {
    const faults = faultsOf(json)
    expect(faults).toEqual(expected)
    expect(faults.join()).not.toContain('canary')
  })

  test('all faults at once, in the order of the file', () => {
    const faults = faultsOf({
      one: { baseUrl: 'canary', credentials: { key: ['canary'] }, eventSecret: 'canary' },
      two: { baseUrl: BASE_URL, accounts: { acme: { credentials: { key: 0 } }, globex: { x: 'canary' } } },
    })
    expect(faults).toEqual([
      `one.baseUrl: ${URL_FAULT}`,
      'one.credentials.key: expected text',
      'one.eventSecret: expected at least 32 characters',
      'two.accounts.acme.credentials.key: expected text',
      'two.accounts.globex.x: unknown setting',
    ])
  })

  test('event secrets that two carriers share, without the secret', () => {
    const carrier = (eventSecret: string) => ({ baseUrl: BASE_URL, eventSecret })
    const other = 'other-'.padEnd(32, 'x')
    const faults = faultsOf({
      one: carrier(SECRET),
      two: carrier(other),
      three: carrier(SECRET),
      four: { baseUrl: BASE_URL },
      five: carrier(SECRET),
    })
    expect(faults).toEqual([
      'three.eventSecret: must differ from one.eventSecret',
      'five.eventSecret: must differ from one.eventSecret',
    ])
    expect(faultsOf({ one: carrier(SECRET), two: carrier(other) })).toEqual([])
  })

  test('a URL that is missing for the carrier and every account, once for each account', () => {
    expect(faultsOf({ c: { accounts: { globex: { baseUrl: BASE_URL }, acme: {} } } })).toEqual([
      `c.baseUrl: ${URL_FAULT}`,
      `c.accounts.acme.baseUrl: ${URL_FAULT}`,
    ])
  })
})

describe('the settings file', () => {
  let folder: string
  beforeAll(() => {
    folder = makeThrowAwayFolder()
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  function file(text: string): string {
    const name = path.join(folder, 'carriers.json')
    writeFileSync(name, text, { mode: 0o600 })
    return name
  }

  function messageOf(name: string): string {
    try {
      readCarrierSettings(name)
    } catch (error) {
      if (error instanceof CarrierSettingsError) return error.message
    }
    throw new Error('no CarrierSettingsError')
  }

  test('can be read', () => {
    const name = file(JSON.stringify({ c: { baseUrl: BASE_URL, credentials: { key: 'x' } } }))
    expect(readCarrierSettings(name)).toEqual(
      new Map([['c', { baseUrl: BASE_URL, credentials: { key: 'x' }, accounts: new Map() }]]),
    )
  })

  test('is refused if it does not exist', () => {
    const name = path.join(folder, 'none.json')
    expect(messageOf(name)).toBe(`the carriers' settings ${name} cannot be read: ENOENT`)
  })

  test('is refused if it is a folder', () => {
    const name = path.join(folder, 'folder')
    mkdirSync(name, { mode: 0o700 })
    expect(messageOf(name)).toBe(`the carriers' settings ${name} cannot be read: EISDIR`)
  })

  test.each([
    '',
    'canary',
    '{"c":{"credentials":{"key":"canary',
    "{'key':'canary'}",
    '{"key":canary}',
  ])('is refused if it is not JSON: %s', (text) => {
    const name = file(text)
    expect(messageOf(name)).toBe(`the carriers' settings ${name} cannot be read: not valid JSON`)
  })

  test('is refused if it is JSON with a fault', () => {
    expect(messageOf(file('{"c":{"baseUrl":"canary"}}'))).toBe(
      "the carriers' settings were refused:\n  c.baseUrl: expected an http or https URL without a query",
    )
  })

  test.skipIf(process.platform === 'win32')(
    'is refused if others can read it, also through a symbolic link',
    () => {
      const name = file('{"c":{"baseUrl":"https://canary.example"}}')
      const link = path.join(folder, 'link.json')
      symlinkSync(name, link)
      for (const mode of [0o644, 0o604, 0o666, 0o602]) {
        chmodSync(name, mode)
        for (const location of [name, link])
          expect(messageOf(location)).toBe(
            `the carriers' settings ${location} hold credentials, and other users of this machine can read or change ` +
              `them (mode 0${mode.toString(8)}): chmod 600 ${location} (a mounted secret needs mode 0400 or 0440)`,
          )
      }
      chmodSync(name, 0o600)
      expect(readCarrierSettings(link).size).toBe(1)
    },
  )

  test.each([
    ['its own', 1000, 0o600, false],
    ['its own', 1000, 0o400, false],
    ['its own, readable by the group', 1000, 0o640, true],
    ['its own, readable by others', 1000, 0o604, true],
    ["root's", 0, 0o440, false],
    ["root's", 0, 0o640, false],
    ["root's, writable by the group", 0, 0o660, true],
    ["root's, readable by others", 0, 0o444, true],
    ["another user's", 1001, 0o640, false],
    ["another user's, readable by others", 1001, 0o644, true],
  ])('(%s: owner %i, mode %o) is exposed to others than user 1000: %s', (_, uid, mode, exposed) => {
    expect(isExposed({ mode: 0o100000 | mode, uid }, 1000)).toBe(exposed)
  })

  test('of a service that runs as root may be readable by a group; modes are ignored on Windows', () => {
    expect(isExposed({ mode: 0o100640, uid: 0 }, 0)).toBe(false)
    expect(isExposed({ mode: 0o100666, uid: 0 }, undefined)).toBe(false)
  })
})
