/** Published geographical areas: members in JSON, XML and tables. The samples follow the published formats. */
import { describe, expect, test } from 'vitest'
import { detectFormat } from '../../../../src/reference/tariff-import/formats.ts'
import { faultsOf, leftOut, readFile } from '../read-fixture.ts'

const read = (content: string, jurisdiction = 'EU') =>
  readFile('geographical-areas', content, { jurisdiction, day: '2026-11-20' })
const groups = (content: string, jurisdiction?: string) =>
  read(content, jurisdiction).tables.originGroups?.map((row) => `${row.originGroup} ${row.country}`)
const detect = (content: string) => detectFormat('file', new TextEncoder().encode(content))

/** The list of the trade tariff service: /api/v2/geographical_areas. */
const LIST = JSON.stringify({
  data: [
    {
      id: '2005',
      type: 'geographical_area',
      attributes: { id: '2005', description: 'A group' },
      relationships: {
        children_geographical_areas: {
          data: [
            { id: 'IN', type: 'geographical_area' },
            { id: 'XS', type: 'geographical_area' },
            { id: 'QP', type: 'geographical_area' },
          ],
        },
      },
    },
    { id: 'AD', type: 'geographical_area', relationships: { children_geographical_areas: { data: [] } } },
  ],
})

/** Records 250 00 and 250 15 of TARIC3. */
const area = (sid: number, id: string) =>
  `<oub:geographical.area><oub:geographical.area.sid>${sid}</oub:geographical.area.sid><oub:geographical.area.id>${id}</oub:geographical.area.id></oub:geographical.area>`
const member = (sid: number, group: number, start: string, end = '') =>
  `<oub:geographical.area.membership><oub:geographical.area.sid>${sid}</oub:geographical.area.sid><oub:geographical.area.group.sid>${group}</oub:geographical.area.group.sid><oub:validity.start.date>${start}</oub:validity.start.date>${end === '' ? '' : `<oub:validity.end.date>${end}</oub:validity.end.date>`}</oub:geographical.area.membership>`
const taric = (records: readonly string[], updateType = 3) =>
  `<?xml version="1.0" encoding="UTF-8"?><env:envelope xmlns:env="env" xmlns:oub="oub">${records
    .map((record) => `<oub:record><oub:update.type>${updateType}</oub:update.type>${record}</oub:record>`)
    .join('')}</env:envelope>`

describe('geographical areas', () => {
  test('are read from the list of the trade tariff service', () => {
    expect(detect(LIST)).toBe('geographical-areas')
    expect(groups(LIST, 'GB')).toEqual(['GB-2005 IN', 'GB-2005 RS'])
    expect(leftOut(read(LIST, 'GB'), 'not a country')).toBe(1)
  })

  test('are read from TARIC3 records, with the members of the day', () => {
    const file = taric([
      area(1, '2020'),
      area(2, 'NO'),
      area(3, 'JP'),
      area(4, 'KR'),
      member(2, 1, '1994-01-01'),
      member(3, 1, '2010-01-01', '2026-11-19'),
      member(4, 1, '2026-11-21'),
    ])
    expect(detect(file)).toBe('geographical-areas')
    expect(groups(file)).toEqual(['EU-2020 NO'])
    expect(leftOut(read(file), 'ended by 2026-11-20')).toBe(1)
    expect(leftOut(read(file), 'begins after 2026-11-20')).toBe(1)
  })

  test.each([
    ['changes', taric([area(1, '2020')], 1), 'column update.type: expected the update type 3'],
    [
      'a member that the file lacks',
      taric([area(1, '2020'), member(9, 1, '2020-01-01')]),
      'the number of an area',
    ],
    ['a damaged file', taric([area(1, '2020')]).slice(0, -20), 'a TARIC3 file in XML that is complete'],
    [
      'a day that cannot be read',
      taric([area(1, '2020'), area(2, 'NO'), member(2, 1, 'soon')]),
      'validity.start.date',
    ],
    ['a list without areas', '{"data":{"type": "geographical_area"}}', 'JSON with a list "data" of areas'],
    [
      'a wrong group',
      'Group,Member\n20,NO\n',
      'row 2, column Group: expected an area of four letters or digits',
    ],
    [
      'no members of the day',
      'Group,Member,End date\n2020,NO,2020-01-01\n',
      'an area with members on 2026-11-20',
    ],
  ])('with %s are refused', (_, content, fault) => {
    expect(faultsOf(read(content)).join('\n')).toContain(fault)
  })

  test('of a table are those of the last day and the first day, too', () => {
    const table = 'Group,Member,Start date,End date\n2020,NO,,2026-11-20\n2020,CH,2026-11-20,\n'
    expect(groups(table)).toEqual(['EU-2020 NO', 'EU-2020 CH'])
  })
})
