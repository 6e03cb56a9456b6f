/**
 * The words of the lexicon's terms, by number, and what is known of each: lists by number are several times quicker to
 * build at start and to read for each description than maps by word.
 */
import { foldWord, wordSet } from './goods-text.ts'

/** The number of a word that is in no term. */
export const UNKNOWN = -1

/** All words of the terms. */
export type Vocabulary = {
  readonly numbers: ReadonlyMap<string, number>
  /** The length of the longest word. */
  readonly longest: number
  /** In how many terms each word is. */
  readonly terms: Uint32Array
  /** The information of each word in nats: how rare it is among the terms, half for words that say little. */
  readonly information: Float64Array
  /** How often each word is the head of the terms it is in, 0 to 1. */
  readonly headness: Float64Array
  /** 1 for words that say nothing about which goods these are. */
  readonly little: Uint8Array
  /** 1 for words that stand for goods of any kind. */
  readonly general: Uint8Array
  /** 1 for words that may stand anywhere in a title and still belong to the goods. */
  readonly loose: Uint8Array
  /** Every two words that stand in a row in some term, as `pairOf`. */
  readonly pairs: ReadonlySet<number>
  readonly spellings: Spellings
}

/** Who wears it and what it is made of may stand anywhere in a title. */
const LOOSE = wordSet(
  'men women kid boy girl babi unisex cotton wool silk linen polyester nylon leather wooden wood plastic metal steel',
  'stainless silver gold glass ceramic paper rubber silicone knit woven synthetic suede canvas acrylic brass copper',
)

/** A term as numbers of words. */
export type NumberedTerm = { readonly words: readonly number[]; readonly head: number }

/** Gathers what is known of the words; `numbers` has them in the order of their numbers. */
export function vocabularyOf(
  numbers: ReadonlyMap<string, number>,
  terms: readonly NumberedTerm[],
): Vocabulary {
  const count = numbers.size
  const inTerms = new Uint32Array(count)
  const heads = new Uint32Array(count)
  for (const { words, head } of terms) {
    for (let at = 0; at < words.length; at++) {
      const word = words[at]!
      if (words.indexOf(word) === at) inTerms[word]!++
      if (at === head) heads[word]!++
    }
  }
  const [information, headness] = [new Float64Array(count), new Float64Array(count)]
  const [little, general, loose] = [new Uint8Array(count), new Uint8Array(count), new Uint8Array(count)]
  let longest = 0
  for (const [word, number] of numbers) {
    longest = Math.max(longest, word.length)
    little[number] = saysLittle(word) ? 1 : 0
    general[number] = namesAnything(word) ? 1 : 0
    loose[number] = LOOSE.has(word) ? 1 : 0
    const rarity = Math.log(1 + (2 * terms.length) / (inTerms[number]! + 3))
    information[number] = little[number] ? rarity / 2 : rarity
    headness[number] = heads[number]! / (inTerms[number]! + 1)
  }
  return {
    ...{ numbers, longest, terms: inTerms, information, headness, little, general, loose },
    pairs: pairsIn(terms),
    spellings: spellingsOf(numbers.keys()),
  }
}

function pairsIn(terms: readonly NumberedTerm[]): ReadonlySet<number> {
  const pairs = new Set<number>()
  for (const { words } of terms)
    for (let at = 1; at < words.length; at++) pairs.add(pairOf(words[at - 1]!, words[at]!))
  return pairs
}

/** Two words in a row as one number; exact for any vocabulary that fits a memory. */
export function pairOf(first: number, second: number): number {
  return first * 2 ** 21 + second
}

/** The number of a folded word. */
export function numberOf({ numbers }: Vocabulary, key: string): number {
  return numbers.get(key) ?? UNKNOWN
}

// Words that are not in the lexicon but nearly: one letter wrong, missing, too many or swapped with its neighbour, or
// a long text's last word cut off. Short words are left alone: too much is near to them.

/** The words of the lexicon, sorted so that few have to be compared with a misspelt one. */
export type Spellings = {
  /** By the first two letters and the length. */
  readonly byStart: ReadonlyMap<string, readonly string[]>
  /** By the first letter, the last one and the length. */
  readonly byEnds: ReadonlyMap<string, readonly string[]>
}

const SHORTEST = 5
const SHORTEST_START = 5

/** Sorts the words for `knownSpelling`. */
export function spellingsOf(words: Iterable<string>): Spellings {
  const byStart = new Map<string, string[]>()
  const byEnds = new Map<string, string[]>()
  for (const word of words) {
    if (word.length < SHORTEST) continue
    addTo(byStart, startKey(word, word.length), word)
    addTo(byEnds, endsKey(word, word.length), word)
  }
  return { byStart, byEnds }
}

function addTo(lists: Map<string, string[]>, key: string, word: string): void {
  const list = lists.get(key)
  if (list === undefined) lists.set(key, [word])
  else list.push(word)
}

function startKey(word: string, length: number): string {
  return `${word[0]}${word[1]}${length}`
}

function endsKey(word: string, length: number): string {
  return `${word[0]}${word[word.length - 1]}${length}`
}

/** The one word that an unknown word must mean; undefined where there is none, or more than one. */
export function knownSpelling(spellings: Spellings, word: string, mayBeCut: boolean): string | undefined {
  const near = word.length >= SHORTEST ? onlyOne(nearWords(spellings, word)) : undefined
  if (near !== undefined || !mayBeCut || word.length < SHORTEST_START) return near
  return onlyOne(wordsThatStart(spellings, word))
}

/** The words one slip away; one may come twice. A slip leaves the second letter or the last one as it was. */
function* nearWords({ byStart, byEnds }: Spellings, word: string): Iterable<string> {
  for (let length = word.length - 1; length <= word.length + 1; length++) {
    for (const known of byStart.get(startKey(word, length)) ?? []) if (isOneSlip(known, word)) yield known
    for (const known of byEnds.get(endsKey(word, length)) ?? []) if (isOneSlip(known, word)) yield known
  }
}

function* wordsThatStart({ byStart }: Spellings, start: string): Iterable<string> {
  for (let length = start.length + 1; length <= start.length + 6; length++) {
    for (const known of byStart.get(startKey(start, length)) ?? []) if (known.startsWith(start)) yield known
  }
}

/** The word, if all are the same one. */
function onlyOne(words: Iterable<string>): string | undefined {
  let only: string | undefined
  for (const word of words) {
    if (only !== undefined && only !== word) return undefined
    only = word
  }
  return only
}

/**
 * Whether one is the other with a slip of the pen: a letter missing or too many, two neighbours swapped, or a letter in
 * place of one that sounds like it. Other letters make other words ("leopard", "leotard").
 */
function isOneSlip(first: string, second: string): boolean {
  let start = 0
  while (start < first.length && first[start] === second[start]) start++
  let [end, otherEnd] = [first.length, second.length]
  while (end > start && otherEnd > start && first[end - 1] === second[otherEnd - 1]) {
    end--
    otherEnd--
  }
  const [left, right] = [first.slice(start, end), second.slice(start, otherEnd)]
  if (left.length + right.length === 1) return Math.max(first.length, second.length) > SHORTEST
  if (left.length === 1 && right.length === 1)
    return SOUNDALIKES.some((group) => group.includes(left) && group.includes(right))
  return left.length === 2 && right.length === 2 && left[0] === right[1] && left[1] === right[0]
}

const SOUNDALIKES = ['aeiouy', 'cksz', 'fv', 'mn', 'gj']

// Words that say nothing about which goods these are: praise of the market place, colours, sizes, occasions, and
// words so general that they name no goods. Source: our own reading of market-place titles and parcel texts.

const PRAISE = wordSet(
  'new hot sale best selling seller high quality premium luxury original genuine authentic official brand branded',
  'fashion fashionable trendy trend stylish style elegant classic casual cute cool beautiful lovely pretty nice',
  'popular limited edition arrival arrivals free shipping drop dropshipping shipped cheap discount promotion offer',
  'wholesale retail bulk perfect great good super ultra extra amazing unique special design designed designer',
  'custom customized customised personalized personalised handmade diy creative vintage retro modern european',
  'american korean japanese chinese british german french italian usa uk eu us top rated professional pro',
  'upgraded upgrade latest newest version generation gen series model type universal multi multifunction',
  'multifunctional functional portable adjustable durable comfortable lightweight practical convenient easy',
  'quick fast strong real fine simple basic standard general normal regular common different various assorted',
  'random mixed mix hip hop street punk goth gothic y2k aesthetic kawaii anime cartoon summer winter spring',
  'autumn fall season seasonal birthday party holiday valentine anniversary gifts present presents',
  'ideas idea home household indoor outdoor office daily use used using set sets lot lots pcs piece pieces pack packs',
  'pair pairs qty quantity unit units size sizes large small medium big mini tiny huge giant long short wide xl xxl xxxl',
  'plus one two three four five six ten single double triple full half per each color colour colored colours',
)

const COLOURS = wordSet(
  'black white red blue green yellow orange purple pink brown grey gray beige navy khaki ivory cream gold golden',
  'silver rose turquoise teal maroon burgundy lilac violet multicolor multicolour transparent clear dark light',
  'bright solid plain pattern patterned striped floral camo camouflage print printed',
)

const GENERAL = wordSet(
  'goods good item items stuff thing things product products article articles gift gifts present presents',
  'merchandise material materials accessory accessories supplies supply part parts object objects other others misc',
  'miscellaneous sundry sundries sample samples parcel package shipment order content contents unknown none test',
  'various general cargo freight personal effects belongings commodity commodities equipment purchase buy made',
  'commercial value no not without none only just my your our his her their this that return returned replacement',
)

const folded = (words: ReadonlySet<string>): ReadonlySet<string> => new Set([...words].map(foldWord))

const noise = folded(new Set([...PRAISE, ...COLOURS]))
const general = folded(GENERAL)

/** True for a folded word that may describe any goods, a number, or a number with its unit ("20cm", "3.7v"). */
export function saysLittle(key: string): boolean {
  return key.length < 2 || noise.has(key) || general.has(key) || hasDigit(key)
}

/** True for a folded word that stands for goods of any kind: "item", "gift". Alone it never leads to a code. */
export function namesAnything(key: string): boolean {
  return general.has(key)
}

function hasDigit(key: string): boolean {
  for (const char of key) if (char >= '0' && char <= '9') return true
  return false
}
