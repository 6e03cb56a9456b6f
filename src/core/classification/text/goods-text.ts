/**
 * Splits a description of goods into comparable words. Case, accents, apostrophes, hyphens, plurals, American spelling
 * and words for sexes and ages are folded. Words after a preposition get less weight, because they usually do not name
 * the goods. No regular expression is built from the caller's text.
 */

/** One word of a description or of a lexicon term. */
export type GoodsWord = {
  /** As in the text, in lower case without accents. */
  readonly text: string
  /** The folded form, for comparison only. */
  readonly key: string
  /** Equals `key`, except for words whose plural has another meaning: pumps (shoes), glasses, shorts. */
  readonly singular: string
  /** 1 in the main phrase. Less after a preposition: "phone" in "case for phone". */
  readonly weight: number
  /** True if a noun phrase ends after this word: at the end of the text, a punctuation mark or a preposition. */
  readonly endsPhrase: boolean
}

/** The weight of words after a preposition. Chosen by hand, in coarse steps. */
const WEIGHT_AFTER: ReadonlyMap<string, number> = new Map([
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

/** After these words, "of" introduces the goods: a set of knives, a bottle of wine. */
export const CONTAINERS = wordSet(
  'set pack pair box piece pieces pcs lot bundle carton tin can jar bottle bag sachet tub roll sheet block',
  'kit collection bunch tube packet crate pallet pallets sets packs pairs boxes sheets rolls bottles bags lots slice cup',
  'sack sacks bucket barrel drum pouch basket jug jars tins cans tubs cartons tubes packets bars',
)

/** The factor for the word before such an "of". */
const CONTAINER_WEIGHT = 0.2

/** The factor for each further item of a list, because the first item is usually the goods. */
const WEIGHT_AFTER_AND = 0.8

/** Words that separate goods in a list. */
const CONJUNCTIONS = wordSet('and und plus or')

/** A conjunction after a colour does not begin other goods: "black and white scarf". */
export const COLOURS: ReadonlySet<string> = wordSet(
  'black white dark light red blue green yellow pink purple orange brown grey gray beige navy',
)

/** Words that are left out. */
const JOINERS = wordSet('and or the a an und plus n x')

/** Who wears or uses the goods. After "for", these still describe the goods ("shoes for men"). */
const WEARERS = wordSet('men women kid boy girl babi unisex toddler newborn infant adult teen dog cat pet')

/** The weight of words after a wearer: more goods, or a place of use ("for kids bedroom"). */
const WEIGHT_AFTER_WEARER = 0.8

/** Words whose plural names different goods from the singular. */
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

/** What a raw word means on its own. */
export type RawWord = {
  /** `key` and `singular` as in `GoodsWord`. */
  readonly key: string
  readonly singular: string
  /** The weight of the words after a preposition. Undefined for other words. */
  readonly weightAfter: number | undefined
  /** True for words that are left out. */
  readonly isJoiner: boolean
  readonly isWearer: boolean
}

export function readRawWord(raw: string): RawWord {
  const key = foldWord(raw)
  return {
    key,
    singular: singularOf(key),
    weightAfter: WEIGHT_AFTER.get(raw),
    isJoiner: JOINERS.has(raw),
    isWearer: WEARERS.has(key),
  }
}

function singularOf(key: string): string {
  return PLURAL_WORDS.has(key) ? foldPlural(key) : key
}

/** Options for reading descriptions. Terms of the lexicon are read without them. */
export type ReadingOptions = {
  /** Translates words of other languages to English. BREAK separates phrases. */
  readonly translate?: (rawWords: readonly string[]) => readonly string[]
  /** True if "and" separates goods ("a shirt and a tie"). In a term it is part of the name. */
  readonly splitAtAnd?: boolean
  /** Replaces `readRawWord`, for example by a function that remembers its results. */
  readonly readRaw?: (raw: string) => RawWord
  /** A name that is left out wherever the text has it, such as the brand. */
  readonly without?: string | undefined
}

/** Splits a text into words, at most 120. */
export function goodsWords(
  text: string,
  { translate, splitAtAnd = false, readRaw = readRawWord, without }: ReadingOptions = {},
): readonly GoodsWord[] {
  const words: OpenWord[] = []
  let weight = 1
  let previous = ''
  let afterPreposition = false
  const original = without === undefined ? rawWords(text) : withoutName(rawWords(text), rawWords(without))
  for (const raw of translate === undefined ? original : translate(original)) {
    if (words.length === 120) break
    if (raw === BREAK) {
      closePhrase(words)
      weight = 1
      afterPreposition = false
      continue
    }
    const { key, singular, weightAfter, isJoiner, isWearer } = readRaw(raw)
    if (weightAfter !== undefined) {
      // A title may start with what the goods fit ("For Beats Solo ear pads"). That leaves the weights as they are.
      const isIgnored = words.length === 0 || (raw === 'of' && CONTAINERS.has(previous))
      // "In" names the material of the goods, also after "for": "table for the garden in wood".
      if (!isIgnored) weight = raw === 'in' ? weightAfter : Math.min(weight, weightAfter)
      // "Jar of honey": the jar is only the container.
      else if (words.length > 0) words.push({ ...words.pop()!, weight: weight * CONTAINER_WEIGHT })
      closePhrase(words)
      afterPreposition = true
    } else if (isJoiner) {
      if (splitAtAnd && CONJUNCTIONS.has(raw) && !COLOURS.has(previous)) {
        closePhrase(words)
        weight *= WEIGHT_AFTER_AND
      }
    } else {
      // "Shoes for women": the wearer describes the shoes, and more goods may follow.
      if (afterPreposition && isWearer) weight = WEIGHT_AFTER_WEARER
      const isAppearance = isAppearanceOnly(key, words)
      if (isAppearance) words.pop()
      const isPlastic = isAppearance && key === 'leather'
      words.push({
        text: raw,
        key: isPlastic ? 'pu' : key,
        singular: isPlastic ? 'pu' : singular,
        weight: isWearer ? 1 : weight,
        endsPhrase: false,
      })
      afterPreposition = false
    }
    previous = raw
  }
  closePhrase(words)
  return words
}

/** The words without those places where all words of a name follow each other. */
function withoutName(words: readonly string[], name: readonly string[]): readonly string[] {
  const [first] = name
  if (first === undefined) return words
  const left: string[] = []
  for (let at = 0; at < words.length; at++) {
    if (words[at] === first && name.every((word, nth) => words[at + nth] === word)) at += name.length - 1
    else left.push(words[at]!)
  }
  return left
}

/** The folded words of a name, for comparison only. */
export function foldWords(name: string): string {
  return goodsWords(name)
    .map(({ key }) => key)
    .join(' ')
}

/** The words of a text of letters, digits and single spaces, in lower case. Undefined for any other text. */
export function onlyWords(text: string): readonly string[] | undefined {
  const lower = text.toLowerCase()
  return ONLY_WORDS.test(lower) ? lower.split(' ') : undefined
}

/** True for words whose meaning depends on their neighbours: prepositions, "leather" (after "PU"), "colour". */
export function dependsOnContext(rawWord: string, key: string): boolean {
  return isGrammar(rawWord) || key === 'leather' || APPEARANCE.has(key)
}

type OpenWord = GoodsWord & { endsPhrase: boolean }

/** "PU leather" is not leather and "gold colour" is not gold. The first counts as plastic, the second as a colour. */
function isAppearanceOnly(key: string, before: readonly GoodsWord[]): boolean {
  const previous = before.at(-1)
  if (previous === undefined || previous.endsPhrase) return false
  return (
    (key === 'leather' && IMITATION.has(previous.key)) || (APPEARANCE.has(key) && METALS.has(previous.key))
  )
}

const IMITATION = wordSet('pu pvc faux fake vegan imitation artificial synthetic eco leatherette')
const APPEARANCE = wordSet('colour tone toned')
const METALS = wordSet('gold golden silver copper bronze brass')

/** True for prepositions, conjunctions and articles. */
export function isGrammar(rawWord: string): boolean {
  return WEIGHT_AFTER.has(rawWord) || JOINERS.has(rawWord)
}

/** Folds a word to the form that its plural, spelling and gender variants share. */
export function foldWord(word: string): string {
  const irregular = IRREGULAR.get(word)
  if (irregular !== undefined) return irregular
  if (PLURAL_WORDS.has(word)) return word
  const singular = foldPlural(word)
  return IRREGULAR.get(singular) ?? singular
}

function foldPlural(word: string): string {
  if (word.length <= 3) return word
  // "hoodie", "hoody" and "hoodies" all become "hoodi". The folded form need not be a word.
  if (word.endsWith('ies')) return word.length === 4 ? word.slice(0, -1) : word.slice(0, -2)
  if (word.endsWith('ie')) return word.slice(0, -1)
  if (word.endsWith('y') && !'aeou'.includes(word.charAt(word.length - 2))) return `${word.slice(0, -1)}i`
  for (const [ending, replacement] of SIBILANTS) {
    if (word.endsWith(ending)) return word.slice(0, word.length - ending.length) + replacement
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

/** Marks the end of a phrase (a punctuation mark) among raw words. */
export const BREAK = ','
const BREAKS = new Set([',', ';', '(', ')', '[', ']', '|', ':', '•', '–', '—', '!', '?', '。', '，'])

/** Letters that Unicode normalization does not decompose. */
const PLAIN_LETTERS: ReadonlyMap<string, string> = new Map([
  ['ß', 'ss'],
  ['ł', 'l'],
  ['ø', 'o'],
  ['æ', 'ae'],
  ['œ', 'oe'],
  ['đ', 'd'],
])

/** Splits a text into lower-case words without accents, with BREAK where punctuation ends a phrase. */
export function rawWords(text: string): string[] {
  const lower = text.toLowerCase()
  // Fast path: most terms of the lexicon are plain words.
  if (ONLY_WORDS.test(lower)) return lower.split(' ')
  const marked = lower.replaceAll(DECIMAL, markDecimal).replaceAll(PERCENT, markPercent)
  return BEYOND_ASCII.test(lower) ? unicodeWords(marked.normalize('NFD')) : asciiWords(marked)
}

function asciiWords(lower: string): string[] {
  return wordsAndBreaks(lower.replaceAll(ASCII_APOSTROPHES, '').match(ASCII_WORDS_AND_BREAKS))
}

const ASCII_APOSTROPHES = /['`]/g

const ASCII_WORDS_AND_BREAKS = /[a-z0-9\ue000-\ue002]+|[,;()[\]|:!?]/g

function unicodeWords(decomposed: string): string[] {
  const plain = decomposed
    .replaceAll(ACCENTS_AND_APOSTROPHES, '')
    .replaceAll(OTHER_LETTERS, (letter) => PLAIN_LETTERS.get(letter) ?? letter)
  return wordsAndBreaks(plain.match(WORDS_AND_BREAKS))
}

const ACCENTS_AND_APOSTROPHES = /[\u0300-\u036f'’`´‘]/g
const OTHER_LETTERS = /[ßłøæœđ]/g
const WORDS_AND_BREAKS = /[a-z0-9\ue000-\ue002\p{L}]+|[,;()[\]|:•–—!?。，]/gu

function wordsAndBreaks(parts: readonly string[] | null): string[] {
  return (parts ?? []).map((part) =>
    BREAKS.has(part)
      ? BREAK
      : part.replace(DECIMAL_POINT, '.').replace(DECIMAL_COMMA, ',').replace(PERCENT_SIGN, '%'),
  )
}

/** "1.5", "1,5" and "60%" are one word. Private characters stand for the punctuation while a text is split. */
const DECIMAL = /\d[.,]\d/g
const DECIMAL_POINT = '\ue000'
const DECIMAL_COMMA = '\ue001'
const PERCENT = /\d%/g
const PERCENT_SIGN = '\ue002'

function markPercent(found: string): string {
  return `${found.charAt(0)}${PERCENT_SIGN} `
}

function markDecimal(found: string): string {
  return found.replace('.', DECIMAL_POINT).replace(',', DECIMAL_COMMA)
}

const ONLY_WORDS = /^[a-z0-9]+(?: [a-z0-9]+)*$/

/** Only texts with such characters can have accents to remove. */
const BEYOND_ASCII = /[^ -~]/

function closePhrase(words: readonly OpenWord[]): void {
  const last = words.at(-1)
  if (last !== undefined) last.endsPhrase = true
}

/** A set of the words in some lines. */
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
