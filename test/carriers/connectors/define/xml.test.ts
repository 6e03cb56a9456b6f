/** XML replies: what is read, and what is refused. */
import { describe, expect, test } from 'vitest'
import { xmlAt, xmlListAt, xmlOf, xmlTextAt } from '../../../../src/carriers/connectors/define/xml.ts'
import { exchange } from '../../../../src/carriers/http-exchange.ts'
import { startFake } from '../../fakes/fake-carrier.ts'

const parsed = (text: string | undefined) =>
  xmlOf({ status: 200, json: undefined, text, header: () => undefined })

test('reads elements, attributes and texts, without the prefixes of namespaces', () => {
  const root = parsed(`\uFEFF<?xml version="1.0"?>
    <s:Envelope xmlns:s="urn:s"><s:Body><r:reply s:code="7">
      <parcel state="void"> A&amp;B<!-- no --><![CDATA[<C>]]> </parcel><parcel/></r:reply></s:Body></s:Envelope>`)
  expect(root?.name).toBe('Envelope')
  const reply = xmlAt(root, 'Body', 'reply')
  expect(reply?.attributes['code']).toBe('7')
  const parcels = xmlListAt(reply, 'parcel')
  expect(parcels.map(({ text, attributes }) => [text, attributes['state']])).toEqual([
    ['A&B<C>', 'void'],
    ['', undefined],
  ])
  // Two elements have the name.
  expect([xmlAt(reply, 'parcel'), xmlTextAt(reply, 'parcel')]).toEqual([undefined, undefined])
  expect(xmlTextAt(parcels[0])).toBe('A&B<C>')
  expect([xmlAt(root, 'Body', 'none'), xmlTextAt(parcels[1]), xmlListAt(undefined, 'x')]).toEqual([
    undefined,
    undefined,
    [],
  ])
})

describe('returns nothing for', () => {
  test.each([
    ['no body', undefined],
    ['an empty body', ''],
    ['JSON', '{"state":"cancelled"}'],
    ['HTML that is not XML', '<html><br></html>'],
    ['a part of a document', '<reply><parcel>'],
    ['an entity of its own', '<reply>&state;</reply>'],
    ['a document type', '<!DOCTYPE reply [<!ENTITY state "cancelled">]><reply>&state;</reply>'],
    ['a document type without entities', '<!DOCTYPE reply><reply/>'],
    ['deep nesting', '<a>'.repeat(65) + '</a>'.repeat(65)],
    ['too many elements', `<a>${'<b/>'.repeat(20_000)}</a>`],
    ['two roots', '<a/><b/>'],
  ])('%s', (_, text) => {
    expect(parsed(text)).toBeUndefined()
  })

  test('a body above the limit of a reply', async () => {
    const fake = await startFake(() => ({ status: 200, body: `<a>${'x'.repeat(300_000)}</a>` }))
    const request = { method: 'GET', url: fake.baseUrl } as const
    expect(xmlOf(await exchange(request, AbortSignal.timeout(5_000)))).toBeUndefined()
    const whole = await exchange({ ...request, replyMaxBytes: 400_000 }, AbortSignal.timeout(5_000))
    expect(xmlOf(whole)?.text).toHaveLength(300_000)
    await fake.close()
  })
})

test('accepts the greatest depth and number of elements', () => {
  expect(parsed('<a>'.repeat(64) + '</a>'.repeat(64))?.name).toBe('a')
  expect(parsed(`<a>${'<b/>'.repeat(19_999)}</a>`)?.children).toHaveLength(19_999)
})
