/**
 * Decides which measure types are imported. The EU's TARIC and the United Kingdom use the same types. Duties that apply
 * to every consignment of an origin are imported, and so are tariff quotas, whose rates are only shown. Duties that
 * depend on a suspension or a certificate are not, because requests do not contain these. Source: the list of measure
 * types of TARIC.
 */
import type { MeasureTypeRow } from '../../../core/customs/data/row-types/measures.ts'

export type TypeHandling =
  | {
      readonly kind: 'imported'
      readonly measureType: string
      readonly role: MeasureTypeRow['role']
      /** Only for goods under authorised use (end use). The same duty without authorised use takes precedence. */
      readonly isEndUse: boolean
    }
  /** A tariff quota. Its rate is shown beside the duty, and never charged. */
  | {
      readonly kind: 'quota'
      readonly measureType: 'tariff_quota' | 'preferential_quota'
      readonly role: MeasureTypeRow['role']
      readonly isEndUse: boolean
    }
  | { readonly kind: 'left_out'; readonly why: string }

const base = (isEndUse: boolean): TypeHandling => ({
  kind: 'imported',
  measureType: 'third_country_duty',
  role: 'base',
  isEndUse,
})
const preference = (measureType: string, isEndUse = false): TypeHandling => ({
  kind: 'imported',
  measureType,
  role: 'preference',
  isEndUse,
})
const additional = (measureType: string): TypeHandling => ({
  kind: 'imported',
  measureType,
  role: 'additional',
  isEndUse: false,
})

const quota = (measureType: 'tariff_quota' | 'preferential_quota', isEndUse = false): TypeHandling => ({
  kind: 'quota',
  measureType,
  role: measureType === 'tariff_quota' ? 'base' : 'preference',
  isEndUse,
})

const HANDLING: Readonly<Record<string, TypeHandling>> = {
  103: base(false),
  105: base(true),
  106: preference('customs_union'),
  122: quota('tariff_quota'),
  123: quota('tariff_quota', true),
  142: preference('preference'),
  143: quota('preferential_quota'),
  145: preference('preference', true),
  146: quota('preferential_quota', true),
  147: quota('preferential_quota'),
  551: additional('anti_dumping_provisional'),
  552: additional('anti_dumping'),
  553: additional('countervailing_provisional'),
  554: additional('countervailing'),
  695: additional('additional_duty'),
  696: additional('safeguard_duty'),
}

/** Why a type is not imported. Types that are in neither list are reported as "not a known duty". */
const REASONS: readonly (readonly [ids: readonly string[], why: string])[] = [
  [['112', '115', '117', '119', '141', '144'], 'suspension'],
  [['907'], 'quota'],
  [['305', '306'], 'VAT or excise'],
  [['109', '110', '111'], 'supplementary unit'],
  [['488', '489', '490', '651', '652', '654', '657', '658'], 'entry price, unit price or security'],
  [['672', '673', '674'], 'agricultural component'],
  [
    ['277', '278', '465', '475', '476', '478', '479', '481', '483', '485', '491', '492'],
    'prohibition or restriction',
  ],
]

/**
 * Types by their descriptions, for files without numbers. The first match is used. `later` must match somewhere after
 * `words`; a single expression with `.*` would take quadratic time.
 */
const WORDS: readonly (readonly [words: RegExp, typeId: string, later?: RegExp])[] = [
  [/preferential/, '143', /quota/],
  [/quota/, '122'],
  [/suspension/, '112'],
  [/third[- ]country duty|most[- ]favou?red[- ]nation|^mfn\b|erga omnes duty/, '103'],
  [/non[- ]preferential duty under/, '105'],
  [/customs union duty/, '106'],
  [/preference under (authorised|end)|preferential duty under/, '145'],
  [/tariff preference|^preferential (duty|tariff)|^preference/, '142'],
  [/provisional anti-?dumping/, '551'],
  [/anti-?dumping/, '555', /registration|statistic|pending|review/],
  [/anti-?dumping/, '552'],
  [/provisional countervailing/, '553'],
  [/countervailing/, '554'],
  [/safeguard/, '696'],
  [/^additional dut(y|ies)$/, '695'],
  [/value added tax|\bvat\b/, '305'],
  [/excise/, '306'],
  [/supplementary unit/, '109'],
]

/** Determined by the number of the type, or by its description if the file has no numbers. */
export function handlingOfType(typeId: string, words: string): TypeHandling {
  const id = /^\d{3}$/.test(typeId) ? typeId : (typeOf(typeId) ?? typeOf(words))
  if (id === undefined) {
    // A file without types is a list of third-country duties.
    if (typeId === '' && words === '') return HANDLING[103]!
    return {
      kind: 'left_out',
      why: `measure type ${clipped(typeId === '' ? words : typeId)}: not a known duty`,
    }
  }
  const handling = HANDLING[id]
  if (handling !== undefined) return handling
  const reason = REASONS.find(([ids]) => ids.includes(id))?.[1] ?? 'not a known duty'
  return { kind: 'left_out', why: `measure type ${id}${words === '' ? '' : ` ${clipped(words)}`}: ${reason}` }
}

function typeOf(text: string): string | undefined {
  const lower = text.toLowerCase().trim()
  const matches = ([words, , later]: (typeof WORDS)[number]): boolean => {
    const at = lower.search(words)
    return at !== -1 && (later === undefined || later.test(lower.slice(at)))
  }
  return lower === '' ? undefined : WORDS.find(matches)?.[1]
}

function clipped(words: string): string {
  return words.length > 60 ? `${words.slice(0, 60)}…` : words
}

/** The types other than third-country duty and preference, with the names of their lines, in order of charging. */
const TYPE_ROWS: readonly Omit<MeasureTypeRow, 'dataSet'>[] = [
  { measureType: 'customs_union', name: 'Customs union duty', role: 'preference', notWith: [] },
  { measureType: 'additional_duty', name: 'Additional duty', role: 'additional', notWith: [] },
  { measureType: 'safeguard_duty', name: 'Safeguard duty', role: 'additional', notWith: [] },
  provisional('anti_dumping_provisional', 'Provisional anti-dumping duty', 'anti_dumping'),
  { measureType: 'anti_dumping', name: 'Anti-dumping duty', role: 'additional', notWith: [] },
  provisional('countervailing_provisional', 'Provisional countervailing duty', 'countervailing'),
  { measureType: 'countervailing', name: 'Countervailing duty', role: 'additional', notWith: [] },
]

function provisional(measureType: string, name: string, definitive: string): Omit<MeasureTypeRow, 'dataSet'> {
  return { measureType, name, role: 'additional', notWith: [definitive] }
}

/** The rows of the types in `used`. */
export function measureTypeRowsOf(dataSet: string, used: ReadonlySet<string>): readonly MeasureTypeRow[] {
  return TYPE_ROWS.filter(({ measureType }) => used.has(measureType)).map((row) => ({ dataSet, ...row }))
}
