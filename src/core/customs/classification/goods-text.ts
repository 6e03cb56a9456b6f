/**
 * Turns a description of goods into words that can be compared: case, accents, apostrophes, hyphens, plural,
 * American spelling and the words for sexes and ages are folded; it marks what only describes what the goods
 * are for. No pattern is ever built from the caller's text.
 */

/** One word of a description or of a lexicon term. */
export type GoodsWord = {
  /** As it stands in the text, in small letters without accents. */
  readonly text: string
  /** The folded form; only good for comparing. */
  readonly key: string
  /** As `key`, but for words with a meaning of their own in the plural: pumps (shoes), glasses, shorts. */
  readonly singular: string
  /** 1 in the main phrase; less after a preposition, where the goods are no longer named ("case for phone"). */
  readonly part: number
  /** True where a noun phrase ends after this word: the text, a punctuation mark or a preposition follows. */
  readonly endsPhrase: boolean
}

/** How much of a word's say is left after a preposition: our own judgement, in coarse steps. */
const AFTER: ReadonlyMap<string, number> = new Map([
  ['for', 0.35],
  ['compatible', 0.35],
  ['fit', 0.35],
  ['fits', 0.35],
  ['with', 0.4],
  ['without', 0.1],
  ['includes', 0.4],
  ['including', 0.4],
  ['of', 0.6],
  ['from', 0.4],
  ['in', 0.5],
  ['on', 0.5],
  ['to', 0.5],
  ['by', 0.4],
  ['at', 0.4],
])

/** After these "of" leads to the goods: a set of knives, a bottle of wine. */
const MEASURES = wordSet(
  'set pack pair box piece pieces pcs lot bundle carton tin can jar bottle bag sachet tub roll sheet block',
  'kit collection bunch tube packet crate pallet pallets sets packs pairs boxes sheets rolls bottles bags lots slice cup',
  'sack sacks bucket barrel drum pouch basket jug jars tins cans tubs cartons tubes packets bars',
)

/** The say of what only measures the goods. */
const MEASURING = 0.2

/** Of several goods the first decides. */
const AFTER_AND = 0.85

/** Those that part goods in a list. */
const PARTING = wordSet('and und plus or')

const JOINERS = wordSet('and or the a an und plus n x')

/** Who wears or uses it; after "for" these still belong to the goods ("shoes for men"). */
const PEOPLE = wordSet('men women kid boy girl babi unisex toddler newborn infant adult teen dog cat pet')

/** The say of what stands behind them: more of the goods, or where they are used ("for kids bedroom"). */
const AFTER_PEOPLE = 0.8

/** Words whose plural names other goods than their singular. */
const PLURAL_WORDS = wordSet('glasses shorts tights briefs trunks braces pumps clothes marbles')

const IRREGULAR: ReadonlyMap<string, string> = wordMap(
  'woman:women womens:women lady:women ladies:women female:women females:women ladys:women',
  'man:men mens:men male:men males:men gents:men gentleman:men gentlemen:men',
  'child:kid children:kid childrens:kid childs:kid kids:kid',
  'teeth:tooth feet:foot mice:mouse geese:goose knives:knife shelves:shelf leaves:leaf scarves:scarf loaves:loaf',
  'wolves:wolf halves:half lives:life lenses:lens buses:bus gases:gas canvases:canvas',
  'lens:lens canvas:canvas gas:gas bus:bus christmas:christmas chassis:chassis series:series species:species',
  'jewelry:jewelleri jewelery:jewelleri color:colour colored:coloured colors:colour colours:colour gray:grey',
  'aluminum:aluminium fiber:fibre fibers:fibre fibreglass:fibreglass fiberglass:fibreglass pajama:pyjama',
  'pajamas:pyjama mold:mould molds:mould molding:moulding tire:tyre tires:tyre woollen:wool woolen:wool',
  'knitted:knit plow:plough liter:litre meter:metre center:centre theater:theatre donut:doughnut yogurt:yoghurt',
  'airplane:aeroplane mustache:moustach moustache:moustach ax:axe plaid:check checked:check',
  'automobile:car stroller:pushchair diaper:nappi diapers:nappi faucet:tap flashlight:torch flashlights:torch',
  'cellphone:phone cell:mobile whiskey:whiski whisky:whiski',
)

/** How a text is read where it is not a term of the lexicon. */
export type Reading = {
  /** Puts words of another language into English; BREAKs stand between phrases. */
  readonly translate?: (rawWords: readonly string[]) => readonly string[]
  /** True where "and" parts goods ("a shirt and a tie"), as in descriptions; in a term it joins their names. */
  readonly andParts?: boolean
}

/** The words of a text, in order, at most 120 of them. */
export function goodsWords(
  text: string,
  { translate, andParts = false }: Reading = {},
): readonly GoodsWord[] {
  const words: OpenWord[] = []
  let part = 1
  let previous = ''
  let afterPreposition = false
  const raws = rawWords(text)
  for (const raw of translate === undefined ? raws : translate(raws)) {
    if (words.length === 120) break
    if (raw === BREAK) {
      closePhrase(words)
      part = 1
      afterPreposition = false
      continue
    }
    const reach = AFTER.get(raw)
    if (reach !== undefined) {
      // A title may start with what the goods fit ("For Beats Solo ear pads"): then nothing is marked down.
      const leads = words.length === 0 || (raw === 'of' && MEASURES.has(previous))
      if (!leads) part = Math.min(part, reach)
      // "Jar of honey": the jar only measures.
      else if (words.length > 0) words.push({ ...words.pop()!, part: part * MEASURING })
      closePhrase(words)
      afterPreposition = true
    } else if (JOINERS.has(raw)) {
      if (andParts && PARTING.has(raw)) {
        closePhrase(words)
        part *= AFTER_AND
      }
    } else {
      const key = foldWord(raw)
      // "Shoes for women": who they are for is said of the shoes, and a list of goods may go on after it.
      if (afterPreposition && PEOPLE.has(key)) part = AFTER_PEOPLE
      const looks = saysHowItLooks(key, words)
      if (looks) words.pop()
      words.push(goodsWord(raw, looks && key === 'leather' ? 'pu' : key, PEOPLE.has(key) ? 1 : part))
      afterPreposition = false
    }
    previous = raw
  }
  closePhrase(words)
  return words
}

/** The words of a text that is just words and blanks, in small letters; undefined for any other. */
export function onlyWords(text: string): readonly string[] | undefined {
  const small = text.toLowerCase()
  return ONLY_WORDS.test(small) ? small.split(' ') : undefined
}

/** True for words whose meaning depends on those around them: prepositions, "leather" (after "PU"), "colour". */
export function leansOnOthers(rawWord: string, key: string): boolean {
  return isGrammar(rawWord) || key === 'leather' || LOOK.has(key)
}

type OpenWord = GoodsWord & { endsPhrase: boolean }

function goodsWord(text: string, key: string, part: number): OpenWord {
  return { text, key, singular: PLURAL_WORDS.has(key) ? foldPlural(key) : key, part, endsPhrase: false }
}

/** "PU leather" is no leather and "gold colour" no gold: the first counts as plastic, the second as a colour only. */
function saysHowItLooks(key: string, before: readonly GoodsWord[]): boolean {
  const previous = before.at(-1)
  if (previous === undefined || previous.endsPhrase) return false
  return (key === 'leather' && IMITATION.has(previous.key)) || (LOOK.has(key) && METALS.has(previous.key))
}

const IMITATION = wordSet('pu pvc faux fake vegan imitation artificial synthetic eco leatherette')
const LOOK = wordSet('colour tone toned')
const METALS = wordSet('gold golden silver copper bronze brass')

/** True for the little English words that part or join goods. */
export function isGrammar(rawWord: string): boolean {
  return AFTER.has(rawWord) || JOINERS.has(rawWord)
}

/** Folds one word (no separators inside) to the form that plural, spelling and gender variants share. */
export function foldWord(word: string): string {
  const irregular = IRREGULAR.get(word)
  if (irregular !== undefined) return irregular
  if (PLURAL_WORDS.has(word)) return word
  const singular = foldPlural(word)
  return IRREGULAR.get(singular) ?? singular
}

function foldPlural(word: string): string {
  if (word.length <= 3) return word
  // "hoodie", "hoody" and "hoodies" meet in "hoodi"; the folded form need not be a word.
  if (word.endsWith('ies')) return word.length === 4 ? word.slice(0, -1) : word.slice(0, -2)
  if (word.endsWith('ie')) return word.slice(0, -1)
  if (word.endsWith('y') && !'aeou'.includes(word.charAt(word.length - 2))) return `${word.slice(0, -1)}i`
  for (const [ending, kept] of SIBILANTS) {
    if (word.endsWith(ending)) return word.slice(0, word.length - ending.length) + kept
  }
  if (word.endsWith('izer') || word.endsWith('izers')) return `${word.slice(0, word.lastIndexOf('z'))}ser`
  return word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word
}

const SIBILANTS: readonly (readonly [string, string])[] = [
  ['ches', 'ch'],
  ['che', 'ch'],
  ['shes', 'sh'],
  ['xes', 'x'],
  ['sses', 'ss'],
  ['zzes', 'zz'],
  ['toes', 'to'],
  ['goes', 'go'],
]

/** Stands between raw words where a punctuation mark ends a phrase. */
export const BREAK = ','
const APOSTROPHES = new Set(["'", '’', '`', '´', '‘'])
const BREAKS = new Set([',', ';', '(', ')', '[', ']', '|', ':', '•', '–', '—', '!', '?', '。', '，'])

/** Letters that no accent mark makes, and how they are written without them. */
const PLAIN_LETTERS: ReadonlyMap<string, string> = new Map([
  ['ß', 'ss'],
  ['ł', 'l'],
  ['ø', 'o'],
  ['æ', 'ae'],
  ['œ', 'oe'],
  ['đ', 'd'],
])

/** Lower-case words without accents, and BREAK where punctuation ends a phrase. */
export function rawWords(text: string): string[] {
  const small = text.toLowerCase()
  // Most terms of the lexicon are just words: no need to look at each letter.
  if (ONLY_WORDS.test(small)) return small.split(' ')
  const words: string[] = []
  let word = ''
  for (const char of BEYOND_ASCII.test(small) ? small.normalize('NFD') : small) {
    if (isWordChar(char)) {
      word += char > 'z' ? (PLAIN_LETTERS.get(char) ?? char) : char
    } else if (!APOSTROPHES.has(char) && !isMark(char)) {
      if (word !== '') words.push(word)
      word = ''
      if (BREAKS.has(char)) words.push(BREAK)
    }
  }
  if (word !== '') words.push(word)
  return words
}

function isWordChar(char: string): boolean {
  return (
    (char >= 'a' && char <= 'z') ||
    (char >= '0' && char <= '9') ||
    (char > '\u00bf' && !isMark(char) && LETTER.test(char))
  )
}

const ONLY_WORDS = /^[a-z0-9]+(?: [a-z0-9]+)*$/

/** Accents to take off, or other writing. */
const BEYOND_ASCII = /[^ -~]/

const LETTER = /^\p{L}$/u

function isMark(char: string): boolean {
  return char >= '\u0300' && char <= '\u036f'
}

function closePhrase(words: readonly OpenWord[]): void {
  const last = words.at(-1)
  if (last !== undefined) last.endsPhrase = true
}

/** The words of several lines as one set. */
export function wordSet(...lines: readonly string[]): ReadonlySet<string> {
  return new Set(lines.flatMap((line) => line.split(' ')))
}

function wordMap(...lines: readonly string[]): ReadonlyMap<string, string> {
  return new Map(
    lines.flatMap((line) =>
      line.split(' ').map((pair): [string, string] => {
        const [from = '', to = ''] = pair.split(':')
        return [from, to]
      }),
    ),
  )
}
