/**
 * The lists of section 232 on steel, aluminium and copper by annex and metal. Annex 2 names goods that were removed, so
 * it has no list. Source: the annexes of the proclamation of 2026-04-02 with their changes of 2026-06-08, as collected
 * from US note 16.
 */
import { readSource, sourceCell } from '../files.ts'
import type { Schedule } from './schedule.ts'

/** The first day of the annexes, and the day of their first change. */
const FIRST = '2026-04-06'
const CHANGE = '2026-06-08'

/** Chapters whose goods are subject to the duty whatever share of their weight is metal. */
const METAL_CHAPTERS = ['72', '73', '74', '76']

type Entry = { readonly validFrom: string; readonly annex: string; readonly metal: string }
/** Annex and metal before and after the change: "1b-steel". Undefined: on no annex. */
type Membership = { readonly first: string | undefined; readonly now: string | undefined }

/** Rows of code lists, and the lines whose statistical lines are on different annexes. */
export type MetalLists = {
  readonly rows: readonly (readonly [list: string, code: string])[]
  /** By line of eight digits: what its statistical lines are on, if they differ in more than the metal. */
  readonly mixed: ReadonlyMap<string, readonly Membership[]>
}

export function metalLists(folder: string, schedule: Schedule): MetalLists {
  const entries = readEntries(folder)
  const rows: (readonly [string, string])[] = []
  const mixed = new Map<string, readonly Membership[]>()
  for (const [line, divided] of schedule) {
    const memberships = (divided.length === 0 ? [line] : divided).map((code) => ({
      first: onDay(entries, code, FIRST),
      now: onDay(entries, code, CHANGE),
    }))
    const [membership] = memberships
    if (membership === undefined) continue
    if (memberships.every((other) => isSame(other, membership))) {
      rows.push(...listRows(line, membership))
      continue
    }
    if (memberships.every((other) => isSame(withoutMetal(other), withoutMetal(membership))))
      rows.push(...listRows(line, membership))
    else {
      rows.push(...partialRows(line, memberships))
      mixed.set(line, memberships)
    }
    divided.forEach((code, index) => {
      rows.push(...listRows(code, memberships[index]!))
    })
  }
  return { rows, mixed }
}

/** In US note 16(c)(vii), but only on annex 2 in the collection. */
const MISSING = [
  { hts_prefix: '9403999020', annex: '1b', metal: 'steel', valid_from: FIRST, source: 'us_note_16' },
]

/**
 * True for headings and subheadings that the collection took from descriptions of the annexes, such as "units of
 * heading 8471", or cut from lines of ten digits. US note 16(c) does not list them. It lists headings of chapter 76.
 */
function isFromDescription(prefix: string, source: string): boolean {
  return source === 'proclamation' && prefix.length <= 6 && !/^76..$/.test(prefix)
}

function readEntries(folder: string): ReadonlyMap<string, readonly Entry[]> {
  const entries = new Map<string, Entry[]>()
  for (const line of [...readSource(folder, 's232_metals_annex_products.csv'), ...MISSING]) {
    const prefix = sourceCell(line, 'hts_prefix').replace(/^(\d{8})00$/, '$1')
    if (isFromDescription(prefix, sourceCell(line, 'source'))) continue
    const entry = {
      validFrom: sourceCell(line, 'valid_from'),
      annex: sourceCell(line, 'annex'),
      metal: prefix.startsWith('76')
        ? 'aluminium'
        : sourceCell(line, 'metal').replace('aluminum', 'aluminium'),
    }
    entries.set(prefix, [...(entries.get(prefix) ?? []), entry])
  }
  return entries
}

/**
 * The longest prefix decides, then the latest entry. With two metals, prefers one that is still
 * listed, then aluminium, because its duty can be higher.
 */
function onDay(
  entries: ReadonlyMap<string, readonly Entry[]>,
  code: string,
  day: string,
): string | undefined {
  for (let length = code.length; length >= 4; length -= 2) {
    const inForce = (entries.get(code.slice(0, length)) ?? []).filter(({ validFrom }) => validFrom <= day)
    const [latest] = inForce.toSorted(
      (a, b) =>
        b.validFrom.localeCompare(a.validFrom) ||
        Number(a.annex === '2') - Number(b.annex === '2') ||
        a.metal.localeCompare(b.metal),
    )
    if (latest !== undefined) return latest.annex === '2' ? undefined : `${latest.annex}-${latest.metal}`
  }
  return undefined
}

function isSame(a: Membership, b: Membership): boolean {
  return a.first === b.first && a.now === b.now
}

function withoutMetal({ first, now }: Membership): Membership {
  return { first: first?.split('-')[0], now: now?.split('-')[0] }
}

/**
 * A line of eight digits of which some statistical lines are on one annex is on a list of that annex: `most` if at
 * least half of them are, otherwise `some`. Lines with more annexes have their own rows in us-additional-duties.csv.
 */
function partialRows(line: string, memberships: readonly Membership[]): (readonly [string, string])[] {
  const listed = memberships.map(withoutMetal).filter(({ now }) => now !== undefined)
  const [first] = listed
  if (first === undefined || listed.some((other) => !isSame(other, first))) return []
  if (memberships.some(({ first: before, now }) => before !== undefined && now === undefined)) return []
  const share = listed.length * 2 >= memberships.length ? 'most' : 'some'
  const from = first.first === first.now ? '' : `-from-${CHANGE}`
  return [[`us-s232-${first.now}-${share}${from}`, line]]
}

function listRows(code: string, { first, now }: Membership): (readonly [string, string])[] {
  const chapter = METAL_CHAPTERS.includes(code.slice(0, 2)) ? '' : '-articles'
  const name = (membership: string): string => `us-s232-${membership}${chapter}`
  if (first === now) return first === undefined ? [] : [[name(first), code]]
  return [
    ...(first === undefined ? [] : [[`${name(first)}-to-${CHANGE}`, code] as const]),
    ...(now === undefined ? [] : [[`${name(now)}-from-${CHANGE}`, code] as const]),
  ]
}
