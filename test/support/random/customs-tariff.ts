/**
 * Random tariffs of one customs area: national lines in uniform and mixed groups, preferences by country and group, and
 * additional measures of all kinds.
 */
import type {
  CodeListRow,
  HsSuccessorRow,
  MeasureRow,
  MeasureTypeRow,
} from '../../../src/core/customs/data/row-types/measures.ts'
import {
  type RateFields,
  randomPpm,
  randomRate,
  randomSpecific,
  randomValidity,
  seasonalRate,
} from './customs-rate.ts'
import type { Dice } from './seeded-dice.ts'

/** Six-digit codes of goods: several per heading, some with a leading zero. */
export const SIX_DIGITS =
  '010121 010129 010190 040690 040630 220421 220429 610910 610990 640411 640419 640320 851713 851714 851762'.split(
    ' ',
  )
/** Codes of an earlier HS edition. */
const ENDED = ['610920', '851712', '030613', '640419', '851770']
export const ORIGINS = ['CN', 'VN', 'IN', 'JP', 'GB', 'DE']
export const GROUPS = ['GSP', 'CPTPP', 'EU']
const LISTS = ['list-a', 'list-b', 'list-c']
/** A list that measures name and that has no codes. */
const MISSING_LIST = 'list-missing'

export const DATA_SET = 'random'

export const ADDITIONAL = ['safeguard', 'forced_labour', 'reciprocal', 'security', 'retaliation']

/** Base duty, two preferences, and additional types that exclude each other without a cycle. */
export function randomMeasureTypes(dice: Dice): readonly MeasureTypeRow[] {
  const type = (measureType: string, name: string, role: MeasureTypeRow['role'], notWith: string[] = []) => ({
    dataSet: DATA_SET,
    measureType,
    name,
    role,
    notWith,
  })
  const order = dice.some(ADDITIONAL, 5, 5).map((name) => ({ name, rank: dice.int(0, 1000) }))
  return [
    type('third_country_duty', 'Third country duty', 'base'),
    type('preference', 'Tariff preference', 'preference'),
    type('gsp', 'Generalised preference', 'preference'),
    ...order.map(({ name, rank }) => {
      const later = order.filter((other) => other.rank > rank).map((other) => other.name)
      const others = dice.chance(0.35) && later.length > 0 ? dice.some(later, 1, 2) : []
      return type(name, `Additional duty, ${name}`, 'additional', [
        ...others,
        ...(dice.chance(0.15) ? ['preference'] : []),
      ])
    }),
  ]
}

/** Prefixes of two to eight digits on three lists. */
export function randomCodeLists(dice: Dice): readonly CodeListRow[] {
  return LISTS.flatMap((codeList) =>
    dice.some(SIX_DIGITS, 2, 5).map((code) => ({
      dataSet: DATA_SET,
      codeList,
      codePrefix: dice.pick([code.slice(0, 2), code.slice(0, 4), code, `${code}10`]),
    })),
  ).filter((row, index, rows) => rows.findIndex((other) => sameListed(other, row)) === index)
}

function sameListed(a: CodeListRow, b: CodeListRow): boolean {
  return a.codeList === b.codeList && a.codePrefix === b.codePrefix
}

/** Ended codes with one or several successors, none of which has ended. */
export function randomSuccessors(dice: Dice): readonly HsSuccessorRow[] {
  const ended = dice.some(ENDED, 0, 4)
  const living = SIX_DIGITS.filter((code) => !ENDED.includes(code))
  return ended.flatMap((endedCode) =>
    dice
      .some(living, 1, 3)
      .reverse()
      .map((code) => ({
        dataSet: DATA_SET,
        endedCode,
        endedEdition: 'HS 2017',
        code,
        edition: 'HS 2022',
        isMain: dice.chance(0.5),
      })),
  )
}

export const PLAIN: Omit<MeasureRow, keyof RateFields | 'jurisdiction' | 'codePrefix' | 'measureType'> = {
  dataSet: DATA_SET,
  kind: 'additive',
  originGroup: 'ALL',
  excludedOrigins: [],
  scopeList: '',
  exemptList: '',
  basis: 'value',
  against: [],
  level: 'line',
  goods: '',
  lowestPpm: null,
  highestPpm: null,
  lineCount: null,
  unitValueAbove: '',
  unitValueUpTo: '',
  unitValueCurrency: '',
  unitValuePer: '',
  validFrom: null,
  validTo: null,
  agreement: '',
  confidence: 'high',
  note: '',
}

/** Base duties of an area. In some areas, a few lines have a separate rate for one origin. */
export function randomBaseMeasures(
  dice: Dice,
  jurisdiction: string,
  currencies: readonly string[],
): readonly MeasureRow[] {
  const rates = Array.from({ length: dice.int(3, 7) }, () => randomRate(dice, currencies))
  const rate = (): RateFields => (dice.chance(0.5) ? rates[0]! : dice.pick(rates))
  const excludedOrigins = dice.chance(0.2) ? [dice.pick(['CN', 'GSP', 'IN'])] : []
  const hasOriginLines = dice.chance(0.15)
  const row = (codePrefix: string): MeasureRow => {
    const measureType = 'third_country_duty'
    const known = { ...PLAIN, ...rate(), jurisdiction, codePrefix, measureType, excludedOrigins }
    if (codePrefix.length === 6) return { ...known, ...subheading(dice, known) }
    return codePrefix.length > 6 ? { ...known, ...unitValue(dice, dice.pick(currencies)) } : known
  }
  return randomLines(dice).flatMap((code) => {
    const lines = splitInTime(dice, row(code), rate)
    if (!hasOriginLines || !dice.chance(0.2)) return lines
    return [...lines, { ...row(code), excludedOrigins: [], originGroup: dice.pick(['CN', 'IN', 'GSP']) }]
  })
}

/** The unit values that a line covers; usually all. */
function unitValue(dice: Dice, unitValueCurrency: string): Partial<MeasureRow> {
  if (!dice.chance(0.25)) return {}
  const least = dice.pick([0, 5, 20, 100])
  return {
    unitValueAbove: least === 0 ? '' : String(least),
    unitValueUpTo: least > 0 && dice.chance(0.4) ? '' : String(least + dice.pick([5, 50, 400])),
    unitValueCurrency,
    unitValuePer: dice.pick(['item', 'pair', 'kg']),
  }
}

/** The level of a row of six digits: a line, or a rate that is known only for the subheading, with its range. */
function subheading(dice: Dice, { adValoremPpm, condition }: RateFields): Partial<MeasureRow> {
  if (adValoremPpm === null || condition !== '' || dice.chance(0.5)) return {}
  const lowestPpm = Math.min(adValoremPpm, randomPpm(dice))
  const highestPpm = Math.max(adValoremPpm, randomPpm(dice))
  return {
    level: 'subheading',
    ...(dice.chance(0.7) && { lowestPpm, highestPpm, lineCount: dice.int(2, 9) }),
  }
}

/** A row without limits, or one that begins, ends, or changes its rate on a day of `BORDERS`. */
function splitInTime(dice: Dice, row: MeasureRow, rate: () => RateFields): readonly MeasureRow[] {
  const validity = randomValidity(dice)
  const { validTo } = validity
  if (validTo === null || dice.chance(0.3)) return [{ ...row, ...validity }]
  const renewed = { ...row, ...rate(), validFrom: validTo, validTo: null }
  return [
    { ...row, ...validity },
    { ...renewed, ...widenedRange(renewed) },
  ]
}

/** The range of a row, so that it contains the row's rate. */
function widenedRange({ adValoremPpm, lowestPpm, highestPpm }: MeasureRow): Partial<MeasureRow> {
  if (lowestPpm === null || highestPpm === null) return {}
  if (adValoremPpm === null) return { lowestPpm: null, highestPpm: null, lineCount: null }
  return { lowestPpm: Math.min(lowestPpm, adValoremPpm), highestPpm: Math.max(highestPpm, adValoremPpm) }
}

/** Distinct codes of a tariff: mostly 8 and 10 digits, some with 6, 4 and 2. */
function randomLines(dice: Dice): readonly string[] {
  const codes = new Set<string>()
  const tails = ['10', '20', '30', '41', '49', '90']
  for (const six of dice.some(SIX_DIGITS, 8, 13)) {
    if (dice.chance(0.25)) codes.add(six)
    if (dice.chance(0.12)) continue
    for (const tail of dice.some(tails, 1, 5)) {
      const eight = six + tail
      const isDivided = dice.chance(0.2)
      if (!isDivided || dice.chance(0.3)) codes.add(eight)
      if (isDivided) for (const last of dice.some(['00', '10', '90'], 1, 3)) codes.add(eight + last)
    }
    if (dice.chance(0.06)) codes.add(six.slice(0, 4))
    if (dice.chance(0.04)) codes.add(six.slice(0, 2))
    if (dice.chance(0.04)) codes.add(six.slice(0, 5))
    if (dice.chance(0.04)) codes.add(`${six}1`)
  }
  return [...codes]
}

/** A prefix of a code of goods, of any length. */
export function randomPrefix(dice: Dice): string {
  const code = `${dice.pick(SIX_DIGITS)}${dice.pick(['10', '20', '90'])}`
  return code.slice(0, dice.pick([0, 2, 2, 4, 4, 6, 8]))
}

/** Preferences of an area: agreements by country or group, some with unknown rates. */
export function randomPreferences(
  dice: Dice,
  jurisdiction: string,
  currencies: readonly string[],
): readonly MeasureRow[] {
  const names = dice.some(['Pacific pact', 'Northern accord', 'Eastern treaty', ''], 0, 4)
  return names.flatMap((agreement) => {
    const measureType = dice.pick(['preference', 'preference', 'gsp'])
    const originGroup = dice.pick([...ORIGINS.slice(0, 4), ...GROUPS])
    const excludedOrigins = dice.chance(0.1) ? [dice.pick(ORIGINS)] : []
    const prefixes = new Set(Array.from({ length: dice.int(1, 4) }, () => randomPrefix(dice)))
    return [...prefixes].map((codePrefix) => ({
      ...PLAIN,
      ...preferenceRate(dice, currencies),
      ...randomValidity(dice),
      jurisdiction,
      measureType,
      originGroup,
      excludedOrigins,
      agreement,
      codePrefix,
      ...(dice.chance(0.1) && { scopeList: randomList(dice) }),
    }))
  })
}

function preferenceRate(dice: Dice, currencies: readonly string[]): RateFields {
  const plain = { specific: '', minimum: '', maximum: '', condition: '', text: '' } as const
  if (dice.chance(0.15)) return { ...plain, adValoremPpm: null, condition: 'not_loaded', text: 'staged' }
  if (dice.chance(0.1)) return { ...plain, adValoremPpm: null, specific: randomSpecific(dice, currencies) }
  if (dice.chance(0.08)) return seasonalRate(dice, currencies)
  return { ...plain, adValoremPpm: dice.chance(0.5) ? 0 : randomPpm(dice, 12) }
}

/** Additional measures of an area. Two rows of one type never have the same prefix and origin. */
export function randomAdditional(
  dice: Dice,
  jurisdiction: string,
  currencies: readonly string[],
): readonly MeasureRow[] {
  return ADDITIONAL.filter(() => dice.chance(0.5)).flatMap((measureType) => {
    const kind = dice.pick(['additive', 'additive', 'cap_total', 'floor_total', 'replace_base'] as const)
    const basis = kind === 'additive' && dice.chance(0.25) ? 'duty' : 'value'
    const origins = ['ALL', 'CN', dice.pick(ORIGINS), dice.pick(GROUPS)]
    const list = randomList(dice)
    const isListed = dice.chance(0.3)
    const rows = Array.from({ length: dice.int(1, 6) }, (): MeasureRow => {
      const isKnown = dice.chance(0.85)
      return {
        ...PLAIN,
        ...(isKnown ? additionalRate(dice, currencies) : randomRate(dice, currencies)),
        ...randomValidity(dice),
        jurisdiction,
        measureType,
        kind: dice.chance(0.85) || basis === 'duty' ? kind : 'additive',
        basis,
        originGroup: dice.pick(origins),
        excludedOrigins: dice.chance(0.15) ? [dice.pick([...ORIGINS, 'GSP'])] : [],
        scopeList: isListed ? list : '',
        exemptList: dice.chance(0.2) ? randomList(dice) : '',
        against:
          kind === 'cap_total' && dice.chance(0.4)
            ? dice.some(['third_country_duty', ...ADDITIONAL], 1, 2)
            : [],
        codePrefix: randomPrefix(dice),
        agreement: dice.chance(0.3) ? 'Trade act' : '',
      }
    })
    const keys = rows.map((row) => `${row.codePrefix} ${row.originGroup}`)
    return rows.filter((_, index) => keys.indexOf(keys[index]!) === index)
  })
}

function randomList(dice: Dice): string {
  return dice.chance(0.15) ? MISSING_LIST : dice.pick(LISTS)
}

function additionalRate(dice: Dice, currencies: readonly string[]): RateFields {
  const plain = { specific: '', minimum: '', maximum: '', condition: '', text: '' } as const
  const specific = dice.chance(0.1) ? randomSpecific(dice, currencies) : ''
  return { ...plain, specific, adValoremPpm: randomPpm(dice, 50) }
}
