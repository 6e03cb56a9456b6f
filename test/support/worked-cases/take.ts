/**
 * How the keys of a case find their words. Decided here: spelling does not matter (camelCase, snake_case), a currency
 * at the end of a key names that of its amount ("deductUSD"), "Rate", "Percent" and "Pct" add nothing; words are
 * taken in the order of their section, whatever the order of the case; a key without a word is a problem.
 */
import { isRecord, refuse, type Said, under } from './said.ts'

/** Puts what a case says where the engine will find it. */
export type Take<Into> = (into: Into, said: Said) => void

/** A key, its meaning, and what is made of its value. A key "*Fee" is any that ends so. */
export type Word<Into> = readonly [key: string, means: string, take: Take<Into>]

/** Words of one kind of object, and other spellings of them, between blanks. */
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

/** Keeps a value as it reads. */
export function keep<Into, Key extends keyof Into>(key: Key, read: (said: Said) => Into[Key]): Take<Into> {
  return (into, said) => {
    into[key] = read(said)
  }
}

type Found = { readonly place: number; readonly said: Said }

/** Takes all that an object says; keys that no word knows are noted as problems. */
export function takeWords<Into>(section: Section<Into>, into: Into, said: Said): void {
  if (!isRecord(said.value)) {
    refuse(said, `${JSON.stringify(said.value)} is no object`)
    return
  }
  const taken: Found[] = []
  for (const [key, value] of Object.entries(said.value)) {
    if (value === null || value === undefined) continue
    const one = under(said, key, value)
    const found = findWord(section, one)
    if (found === undefined) refuse(one, 'this key is not understood')
    else taken.push(found)
  }
  taken.sort((a, b) => a.place - b.place)
  for (const found of taken) section.words[found.place]?.[2](into, found.said)
}

/** Whole words before endings; as written before it is taken apart. */
function findWord<Into>(section: Section<Into>, said: Said): Found | undefined {
  const [, stem, currency = ''] = IN_CURRENCY.exec(said.key) ?? IN_CURRENCY_SNAKE.exec(said.key) ?? []
  const tries = [{ key: plain(said.key), said }]
  if (stem !== undefined)
    tries.push({ key: plain(stem), said: { ...said, currency: currency.toUpperCase() } })
  for (const isEnding of [false, true])
    for (const one of tries)
      for (const key of [one.key, one.key.replace(EMPTY_WORDS, '')]) {
        const place = section.words.findIndex((word) =>
          spellings(section, word[0]).some((known) => isSpelled(known, key, isEnding)),
        )
        if (place >= 0) return { place, said: one.said }
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
