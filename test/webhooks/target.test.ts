/** Which URLs and addresses events may be sent to. */
import type { LookupAddress } from 'node:dns'
import { describe, expect, test } from 'vitest'
import { checkedLookup, isPublic, urlFault } from '../../src/webhooks/target.ts'

describe('an address is public', () => {
  test.each([
    '8.8.8.8',
    '1.1.1.1',
    '172.15.0.1',
    '172.32.0.1',
    '192.167.1.1',
    '100.128.0.1',
    '2606:4700::1111',
    '2a00::1',
  ])('%s', (address) => expect(isPublic(address)).toBe(true))
})

describe('an address is not public', () => {
  test.each([
    ...[
      '127.0.0.1',
      '10.1.2.3',
      '172.16.0.1',
      '172.31.255.255',
      '192.168.1.1',
      '169.254.169.254',
      '100.64.0.1',
    ],
    ...['0.0.0.0', '198.18.0.1', '192.0.2.1', '224.0.0.1', '255.255.255.255', 'not an address', ''],
    ...[
      '::1',
      '::',
      'fe80::1',
      'fc00::1',
      'fd12:3456::1',
      'ff02::1',
      '2001:db8::1',
      '2002:7f00:1::',
      '2001::1',
    ],
    ...['::ffff:127.0.0.1', '::ffff:8.8.8.8', '64:ff9b::a00:1', '::127.0.0.1'],
  ])('%s', (address) => expect(isPublic(address)).toBe(false))
})

describe('a URL', () => {
  test.each([
    'https://shop.example/hooks?token=1',
    'https://shop.example:8443/',
    'https://8.8.8.8/',
  ])('is accepted: %s', (url) => expect(urlFault(url, false)).toBeUndefined())

  test.each([
    ['http://shop.example/', 'expected https://'],
    ['ftp://shop.example/', 'expected https://'],
    ['https://user@shop.example/', 'must not contain a user name or password'],
    ['https://:secret@shop.example/', 'must not contain a user name or password'],
    ['https://shop.example/#part', 'must not contain a fragment'],
    ['https://127.0.0.1/', 'the address 127.0.0.1 is not public'],
    ['https://[::1]/', 'the address ::1 is not public'],
    ['https://[::ffff:7f00:1]/', 'the address ::ffff:7f00:1 is not public'],
    // Other spellings of 127.0.0.1.
    ['https://2130706433/', 'the address 127.0.0.1 is not public'],
    ['https://0x7f.1/', 'the address 127.0.0.1 is not public'],
    ['shop.example', 'expected a URL of at most 500 characters'],
    [`https://shop.example/${'x'.repeat(500)}`, 'expected a URL of at most 500 characters'],
  ])('is refused: %s', (url, fault) => expect(urlFault(url, false)).toBe(fault))

  test('may be private if the operator allows it', () => {
    expect(urlFault('http://127.0.0.1:9000/', true)).toBeUndefined()
    expect(urlFault('ftp://127.0.0.1/', true)).toBe('expected https://')
  })
})

describe('a name', () => {
  const resolved = (addresses: readonly LookupAddress[], allowPrivate = false, all = true) =>
    new Promise<unknown>((resolve) => {
      checkedLookup(allowPrivate, async () => [...addresses])(
        'shop.example',
        { all },
        (error, address, family) =>
          resolve(error?.message ?? (family === undefined ? address : [address, family])),
      )
    })
  const PUBLIC = { address: '8.8.8.8', family: 4 }
  const PRIVATE = { address: '10.0.0.1', family: 4 }

  test('gives the addresses that were checked', async () => {
    expect(await resolved([PUBLIC])).toEqual([PUBLIC])
    expect(await resolved([PUBLIC], false, false)).toEqual(['8.8.8.8', 4])
    expect(await resolved([PRIVATE], true)).toEqual([PRIVATE])
  })

  test('is refused if one of its addresses is not public, or it has none', async () => {
    expect(await resolved([PUBLIC, PRIVATE])).toBe('the address 10.0.0.1 is not public')
    expect(await resolved([])).toBe('the address of the name is not public')
  })
})
