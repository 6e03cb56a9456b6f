/**
 * Units that tariffs charge by, and the quantity that each unit measures. A duty per 100 kg can be calculated from a
 * weight in kilograms, and a duty per dozen from a number of items. Every other unit is a separate quantity, which a
 * request must give in that unit. Sources: the measurement units and qualifiers of TARIC and the UK tariff ("DTN E",
 * "100 kg / net drained wt"), and the abbreviations of the US schedule ("doz.", "pf. liter").
 */

/**
 * The quantity that a unit measures. `per` is how many of the unit make one of the quantity: "100 kg" has the quantity
 * "kg" and `per` 1/100.
 */
export type QuantityUnit = {
  /** 'items', 'kg', 'l', 'm2', 'm3'…; or the name of the unit if no other unit measures the same. */
  readonly quantity: string
  readonly per: { readonly numerator: number; readonly denominator: number }
}

export const PURE_ALCOHOL = 'l pure alcohol'

type NamedUnit = QuantityUnit & { readonly unit: string }

const ONE_TO_ONE = { numerator: 1, denominator: 1 }

/** Characters. No known unit is longer. */
const MAX_LENGTH = 80

/** A single capital except "L" ("M" may be a metre or a thousand), or a number before a slash. */
const AMBIGUOUS = /^(?:[A-KM-Z]$|[\d, ]+\/)/

/** Multiples with a name. */
const LARGER: Readonly<Record<string, string>> = {
  '1000 g': 'kg',
  '1000 kg': 'tonne',
  '100 l': 'hl',
  '1000 m': 'km',
  '12 items': 'dozen',
  '144 items': 'gross',
}

/** Reads a unit in any spelling. An unknown unit is a separate quantity. */
export function readQuantityUnit(unit: string): QuantityUnit {
  const known = knownUnit(unit)
  if (known !== undefined) return { quantity: known.quantity, per: known.per }
  return { quantity: unit.replace(/\s+/g, ' ').trim(), per: ONE_TO_ONE }
}

/** Waybill's spelling of a unit: "DTN E" is "100 kg net drained wt". Undefined if the unit is not known. */
export function canonicalUnit(text: string): string | undefined {
  return knownUnit(text)?.unit
}

function knownUnit(text: string): NamedUnit | undefined {
  if (text.length > MAX_LENGTH || AMBIGUOUS.test(text.trim())) return undefined
  const words = spelledOut(unitWords(text))
  const plain = plainUnit(words)
  if (plain !== undefined) return { unit: plain, quantity: plain, per: ONE_TO_ONE }
  const [, digits, rest = ''] = /^(?:([1-9]\d{0,5}) )?(.+)$/.exec(words) ?? []
  const number = digits === undefined ? 1 : Number(digits)
  const whole = countedUnit(rest)
  if (whole !== undefined) return multipleOf(number, whole, '')
  // "tonne std qual": the first word is a unit of weight, the others qualify what is weighed.
  const [base = '', ...others] = rest.split(' ')
  const weight = countedUnit(base)
  const qualifier = weight?.quantity === 'kg' ? weightQualifier(others.join(' ')) : undefined
  return weight === undefined || qualifier === undefined ? undefined : multipleOf(number, weight, qualifier)
}

function multipleOf(number: number, base: CountedUnit, qualifier: string): NamedUnit {
  // "% sacchar" is a second quantity: an amount per 100 kg and per 1% of sugar.
  const joint = qualifier === '' ? '' : qualifier.startsWith('%') ? '/' : ' '
  const words = number === 1 ? base.one : `${number} ${base.many}`
  const { numerator, denominator } = base.size
  return {
    unit: `${LARGER[words] ?? words}${joint}${qualifier}`,
    quantity: `${base.quantity}${joint}${qualifier}`,
    per: reduced(denominator, numerator * number),
  }
}

function reduced(numerator: number, denominator: number): QuantityUnit['per'] {
  const divisor = greatestDivisor(numerator, denominator)
  return { numerator: numerator / divisor, denominator: denominator / divisor }
}

function greatestDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestDivisor(b, a % b)
}

/** A unit that can be multiplied ("100 kg", "1000 items"). `size`: how much of `quantity` one unit is. */
type CountedUnit = {
  readonly one: string
  readonly many: string
  readonly quantity: string
  readonly size: { readonly numerator: number; readonly denominator: number }
}

function counted(one: string, many: string, quantity: string, numerator = 1, denominator = 1): CountedUnit {
  return { one, many, quantity, size: { numerator, denominator } }
}

/**
 * Units with their other spellings, separated by "|". A pair is one item, because requests count shoes and gloves in
 * pairs, and tariffs charge them by the pair. An animal ("head") is one item too.
 */
const COUNTED: readonly (readonly [CountedUnit, string])[] = [
  [counted('item', 'items', 'items'), 'nar|p st|each|no|unit|units|piece|pieces|pcs|article|articles|head'],
  [counted('pair', 'pairs', 'items'), 'npr|pa|pr|prs'],
  [counted('dozen', 'dozen', 'items', 12), 'doz|dozens|dozen pieces|doz pieces|doz pcs'],
  [counted('dozen pairs', 'dozen pairs', 'items', 12), 'doz pr|doz prs|doz pairs|dozen pr|dozen prs'],
  [counted('gross', 'gross', 'items', 144), ''],
  [counted('kg', 'kg', 'kg'), 'kgm|kilogram|kilograms|kilogramme|kilogrammes'],
  [counted('g', 'g', 'kg', 1, 1000), 'grm|gram|grams|gramme|grammes'],
  [counted('tonne', 'tonnes', 'kg', 1000), 't|tne|metric ton|metric tons'],
  [counted('l', 'l', 'l'), 'ltr|liter|liters|litre|litres'],
  [counted('hl', 'hl', 'l', 100), 'hlt|hectoliter|hectoliters|hectolitre|hectolitres'],
  [counted('hl pure alcohol', 'hl pure alcohol', 'l pure alcohol', 100), 'hl of pure alcohol|hlpa'],
  // One US gallon is 3.785411784 l. A proof gallon is half alcohol, and a barrel of beer has 31 gallons.
  [counted('gallon', 'gallons', 'l', 473_176_473, 125_000_000), 'gal|wine gallon|wine gallons'],
  [counted('proof gallon', 'proof gallons', 'l pure alcohol', 473_176_473, 250_000_000), 'pf gal'],
  [counted('barrel of beer', 'barrels of beer', 'l', 14_668_470_663, 125_000_000), ''],
  [counted('lb', 'lb', 'kg', 45_359_237, 100_000_000), 'pound|pounds'],
  // Single cigarettes, cigars or heated sticks. A request counts packets as items.
  [counted('stick', 'sticks', 'sticks'), 'cigarette|cigarettes|cigar|cigars'],
  [counted('ml', 'ml', 'l', 1, 1000), 'millilitre|millilitres|milliliter|milliliters'],
  [counted('m', 'm', 'm'), 'mtr|meter|meters|metre|metres'],
  [counted('km', 'km', 'm', 1000), 'kmt|kilometre|kilometres|kilometer|kilometers'],
  [counted('m2', 'm2', 'm2'), 'mtk|sq m|square meter|square meters|square metre|square metres'],
  [counted('m3', 'm3', 'm3'), 'mtq|cu m|cubic meter|cubic meters|cubic metre|cubic metres'],
  [counted('pin', 'pins', 'pin'), ''],
]

/** Units that are never multiplied, with their other spellings. Each is a separate quantity. */
const PLAIN: readonly (readonly [string, string])[] = [
  ['% vol', 'asv'],
  ['% vol/hl', 'asv x|asvx'],
  ['l pure alcohol', 'lpa|l alc 100 %|litre of pure alcohol|liter of pure alcohol|litre pure alcohol'],
  ['l total alcohol', 'ltr a|ltra|l total alc|l tot alc'],
  ['proof l', 'pf l|pf liter|pf litre|proof liter|proof litre'],
  ['proof l on ethyl alcohol content', 'pf liter on ethyl alcohol content'],
  ['barrel', 'bbl|bbls|barrels'],
  ['clean kg', ''],
  ['jewel', 'jewels'],
  ['line/gross', ''],
  ['carat', 'ctm|c k|carats'],
  ['cell', 'ncl|ce el|cells'],
  ['watt', 'wat|watts'],
  ['MWh', '1000 kwh'],
  ['TJ', 'tjo|terajoule|terajoules'],
  ['gross tonnage', 'grt|gt'],
  ['tonne carrying capacity', 'cct|ct l'],
  ['tonne CO2 equivalent', 'tce'],
  ['tonne potassium chloride', 'kcl|tonne kcl'],
  ['10 tonnes polarisation', 'dap|10000 kg polar'],
  ['g fissile isotopes', 'gfi|gi f s'],
  ['kg acesulfame potassium', 'kac'],
  ['kg choline chloride', 'kcc|kg c5h14clno'],
  ['kg dihydrostreptomycin', 'dhs|kg dhs'],
  ['kg diphosphorus pentaoxide', 'kpp|kg p2o5'],
  ['kg hydrogen peroxide', 'kns|kg h2o2'],
  ['kg methylamines', 'kma|kg met am'],
  ['kg nitrogen', 'kni|kg n'],
  ['kg potassium hydroxide', 'kph|kg koh'],
  ['kg potassium oxide', 'kpo|kg k2o'],
  ['kg sodium hydroxide', 'ksh|kg naoh'],
  ['kg uranium', 'kur|kg u'],
  ['kg 90% dry substance', 'ksd|kg 90 % sdt'],
]

/** Codes that include a number or a qualifier, and numbers that mean items. */
const CODES: Readonly<Record<string, string>> = {
  cen: '100 items',
  dtn: '100 kg',
  gkg: 'kg gross',
  hmt: '100 m',
  klt: '1000 l',
  mil: '1000 items',
  mpr: '1000 pairs',
  'mtq c': '1000 m3',
  mtqc: '1000 m3',
  hundred: '100 items',
  thousand: '1000 items',
  '100': '100 items',
  '1000': '1000 items',
}

/** Qualifiers of a weight: TARIC's letter after DTN, KGM and TNE; Waybill's spelling; other spellings. */
const QUALIFIERS: readonly (readonly [string, string, string])[] = [
  ['', '', 'net'],
  ['a', 'total alcohol', 'tot alc|of total alcohol'],
  [
    'e',
    'net drained wt',
    'eda|net eda|drained weight|drained wt|net drained weight|on drained weight|net of drained weight',
  ],
  ['f', 'common wheat', ''],
  ['g', 'gross', 'br|gross weight'],
  ['i', 'biodiesel', 'of biodiesel content'],
  ['j', 'fuel content', 'of fuel content'],
  ['k', 'bioethanol', 'of bioethanol content'],
  ['l', 'live weight', 'live wt'],
  ['m', 'net dry', 'mas|net mas|net dry matter|net of dry matter'],
  ['p', 'lactic matter', 'of lactic matter'],
  ['r', 'std qual', 'of the standard quality|standard quality'],
  ['s', 'raw sugar', ''],
  ['t', 'dry lactic matter', 'of dry lactic matter'],
  ['z', '% sacchar', '% saccha|net % sacchar|net % saccha'],
  ['', 'of total sugars', ''],
  ['', 'on contents and container', ''],
  ['', 'on entire contents of container', ''],
]

/** "on lead content" of the US schedule, for any metal. */
const CONTENT = /^on [a-z]{2,20} content$/

const countedByWord = new Map(
  COUNTED.flatMap(([unit, words]) => spellings([unit.one, unit.many], words, unit)),
)
const plainByWord = new Map(PLAIN.flatMap(([unit, words]) => spellings([unit], words, unit)))
const qualifierByWord = new Map(QUALIFIERS.flatMap(([, name, words]) => spellings([name], words, name)))
const qualifierByLetter = new Map(QUALIFIERS.map(([letter, name]) => [letter, name]))

function spellings<T>(names: readonly string[], words: string, unit: T): readonly (readonly [string, T])[] {
  return [...names, ...(words === '' ? [] : words.split('|'))].map((word) => [unitWords(word), unit])
}

function countedUnit(words: string): CountedUnit | undefined {
  return countedByWord.get(words)
}

/** The name of a unit that is a separate quantity. */
function plainUnit(words: string): string | undefined {
  const [, number] = /^jewel over ([1-9]\d?)$/.exec(words) ?? []
  return number === undefined ? plainByWord.get(words) : `jewel over ${number}`
}

/** Waybill's spelling of a qualifier; empty for the net weight of the goods, undefined if it is not known. */
function weightQualifier(words: string): string | undefined {
  return CONTENT.test(words) ? words : qualifierByWord.get(words)
}

/** Spells out a code with its qualifier: "dtn e" is "100 kg net drained wt". */
function spelledOut(words: string): string {
  const [, code = '', letter = ''] = /^(dtn|kgm|tne) ?([a-z])$/.exec(words) ?? []
  const qualifier = letter === '' ? undefined : qualifierByLetter.get(letter)
  if (qualifier !== undefined) return unitWords(`${CODES[code] ?? code} ${qualifier}`)
  return Object.hasOwn(CODES, words) ? (CODES[words] ?? words) : words
}

/** Normalises the words of a text: "100kg/net drained wt" is "100 kg net drained wt". */
function unitWords(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/(\d)[, ](?=\d{3}(?!\d))/g, '$1')
    .replace(/([a-z])\./g, '$1 ')
    .replace(/^(\d+)([a-z])/, '$1 $2')
    .replaceAll('/', ' ')
    .replaceAll('%', ' % ')
    .replace(/\s+/g, ' ')
    .trim()
}
