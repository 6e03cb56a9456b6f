/**
 * Matches the keys of a case with the vocabulary. camelCase and snake_case are equivalent. A currency at the end of a key
 * is the currency of its amount ("deductUSD"). The endings "Rate", "Percent" and "Pct" are ignored. Keys are applied in the order
 * of the vocabulary, not of the case. An unknown key is a problem.
 */
import { child, type Entry, isRecord, reject } from './entry.ts'

/** Applies the value of a key. */
export type Apply<Into> = (into: Into, entry: Entry) => void

/** A key, its meaning, and what applies its value. "*Fee" is any key that ends in "Fee". */
export type Word<Into> = readonly [key: string, means: string, take: Apply<Into>]

/** The keys of one kind of object, and a few synonyms for each, separated by spaces. */
export type Section<Into> = {
  readonly words: readonly Word<Into>[]
  readonly synonyms: Readonly<Record<string, string>>
}

const CURRENCIES =
  'AED ARS AUD BRL CAD CHF CLP CNY COP CZK DKK EUR GBP HKD HUF IDR ILS INR ISK JPY KRW MXN MYR NOK NZD PEN PHP PLN' +
  ' RON RSD SAR SEK SGD THB TRY TWD UAH USD VND ZAR'
const IN_CURRENCY = new RegExp(`^(.*[a-z0-9_-])(${CURRENCIES.replaceAll(' ', '|')})$`)
const IN_CURRENCY_SNAKE = new RegExp(`^(.*)[_-](${CURRENCIES.toLowerCase().replaceAll(' ', '|')})$`)
const EMPTY_WORDS = /(?:rate|percent|percentage|pct)$/

/** Stores a value in a field. */
export function store<Into, Key extends keyof Into>(
  key: Key,
  read: (entry: Entry) => Into[Key],
): Apply<Into> {
  return (into, entry) => {
    into[key] = read(entry)
  }
}

type Found = { readonly place: number; readonly entry: Entry }

/** Applies all keys of an object. Unknown keys become problems. */
export function applyWords<Into>(section: Section<Into>, into: Into, entry: Entry): void {
  if (!isRecord(entry.value)) {
    reject(entry, `${JSON.stringify(entry.value)} is no object`)
    return
  }
  const taken: Found[] = []
  for (const [key, value] of Object.entries(entry.value)) {
    if (value === null || value === undefined) continue
    const one = child(entry, key, value)
    const found = findWord(section, one)
    if (found === undefined) reject(one, 'this key is not understood')
    else taken.push(found)
  }
  taken.sort((a, b) => a.place - b.place)
  for (const found of taken) section.words[found.place]?.[2](into, found.entry)
}

/** Prefers whole keys to endings, and the key as written to the key without its currency. */
function findWord<Into>(section: Section<Into>, entry: Entry): Found | undefined {
  const [, stem, currency = ''] = IN_CURRENCY.exec(entry.key) ?? IN_CURRENCY_SNAKE.exec(entry.key) ?? []
  const tries = [{ key: plain(entry.key), entry }]
  if (stem !== undefined)
    tries.push({ key: plain(stem), entry: { ...entry, currency: currency.toUpperCase() } })
  for (const isEnding of [false, true])
    for (const one of tries)
      for (const key of [one.key, one.key.replace(EMPTY_WORDS, '')]) {
        const place = section.words.findIndex((word) =>
          spellings(section, word[0]).some((known) => isSpelled(known, key, isEnding)),
        )
        if (place >= 0) return { place, entry: one.entry }
      }
  return undefined
}

function spellings<Into>({ synonyms }: Section<Into>, word: string): readonly string[] {
  const others = synonyms[word]
  return others === undefined ? [word] : [word, ...others.split(' ')]
}

function isSpelled(known: string, key: string, isEnding: boolean): boolean {
  if (!known.startsWith('*')) return !isEnding && plain(known) === key
  return isEnding && key.endsWith(plain(known)) && key !== plain(known)
}

function plain(key: string): string {
  return key.replace(/[^A-Za-z0-9]/g, '').toLowerCase()
}
