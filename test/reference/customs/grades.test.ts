/**
 * The grades of the shipped rows: a row of high confidence names the text of an authority, by a link and the day on
 * which it was published or read. See docs/customs-data.md#reliability.
 */
import { describe, expect, test } from 'vitest'
import { agedConfidence } from '../../../src/core/customs/data/edition.ts'
import { shippedCustoms, shippedHeads, shippedRows } from '../../../src/reference/customs.ts'

const shipped = shippedCustoms()

/** The ends of the names of authorities' servers. */
const AUTHORITIES = ['europa.eu', 'gov', 'gov.au', 'gov.uk', 'gov.za', 'govt.nz', 'go.jp', 'diputados.gob.mx']

function isOfAuthority(link: string): boolean {
  if (!link.startsWith('https://')) return false
  const { hostname } = new URL(link)
  return AUTHORITIES.some((end) => hostname === end || hostname.endsWith(`.${end}`))
}

/** The link in the source of a row: "Implementing Regulation (EU) 2025/2146 (https://…)". */
function linkOfRow(row: object): string {
  const source = 'source' in row && typeof row.source === 'string' ? row.source : ''
  return /https:\/\/[^\s)]+/.exec(source)?.[0] ?? ''
}

const isDay = (value: unknown): boolean => typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value)

/** The rows of high confidence without the link of an authority and a day, of their own or of their set. */
function unfounded(
  rows: readonly object[],
  set: { readonly link: string; readonly date: string },
): readonly object[] {
  const isSetFounded = isOfAuthority(set.link) && isDay(set.date)
  return rows.filter((row) => {
    if (!('confidence' in row) || row.confidence !== 'high') return false
    const isRowFounded = isOfAuthority(linkOfRow(row)) && 'readOn' in row && isDay(row.readOn)
    return !isSetFounded && !isRowFounded
  })
}

describe('the shipped rows', () => {
  test.each(
    shipped.dataSets.map((set) => [set.name, set] as const),
  )('of %s are high only with a text of an authority', (_name, set) => {
    const rows = Object.values(shippedRows(shipped, set)).flat()
    expect(unfounded(rows, set).slice(0, 3)).toEqual([])
  })

  test('are found if they name nothing', () => {
    const row = { confidence: 'high', source: 'a newspaper (https://example.com/news)', readOn: '2026-11-28' }
    const set = { link: '', date: '2026-11-01' }
    expect(unfounded([row], set)).toEqual([row])
    expect(unfounded([row], { ...set, link: 'https://x.gov.evil.org' })).toEqual([row])
    expect(unfounded([row], { ...set, link: 'https://hts.usitc.gov' })).toEqual([])
  })
})

describe('a shipped set', () => {
  test('states why it has its cycle', () => {
    for (const { name, cycleReason } of shipped.dataSets) expect(cycleReason, name).toMatch(/^[A-Z].*\.$/)
  })

  test.each([
    ['tariff-eu', 'low'],
    ['tariff-gb', 'low'],
    ['tariff-us', 'medium'],
    ['tariff-jp', 'high'],
    ['exchange-rates', 'medium'],
  ])('%s: a high figure is %s on 2026-11-28, by its age', (name, grade) => {
    const set = shippedHeads(shipped.dataSets).find((head) => head.name === name)
    expect(agedConfidence('high', set, '2026-11-28')).toBe(grade)
  })
})
