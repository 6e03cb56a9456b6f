/**
 * The words of the lexicon's terms and their statistics, by number. Arrays by number are several times faster to build
 * and to read than maps by word. Also corrects the spelling of unknown words, and lists words that do not identify
 * goods.
 */
import { foldWord, wordSet } from './goods-text.ts'

/** Stands for a word that no term contains. */
export const UNKNOWN = -1

export type Vocabulary = {
  readonly numbers: ReadonlyMap<string, number>
  /** The length of the longest word. */
  readonly longest: number
  /** The number of terms that contain each word. */
  readonly termCounts: Uint32Array
  /** The information of each word, in nats: the logarithm of its rarity among the terms. Halved for noise words. */
  readonly information: Float64Array
  /** For each word: the share of its terms in which it is the head noun, 0 to 1. */
  readonly headShare: Float64Array
  /** 1 for words that do not help to identify goods. */
  readonly isNoise: Uint8Array
  /** 1 for words that mean goods of any kind, such as "gift". */
  readonly isGeneric: Uint8Array
  /** 1 for words that describe the goods wherever they are in a title. */
  readonly isMovable: Uint8Array
  /** Every two words that follow each other in a term, as numbers of `pairOf`, ascending. */
  readonly pairs: Float64Array
  readonly spellings: Spellings
}

/** Wearers and materials. */
const MOVABLE = wordSet(
  'men women kid boy girl babi unisex cotton wool silk linen polyester nylon leather wooden wood plastic metal steel',
  'stainless silver gold glass ceramic paper rubber silicone knit woven synthetic suede canvas acrylic brass copper',
)

/** A term as word numbers. `head` is the index of its head noun. */
export type NumberedTerm = { readonly words: readonly number[]; readonly head: number }

/** Builds the vocabulary. The entries of `numbers` must be in ascending order. */
export function vocabularyOf(
  numbers: ReadonlyMap<string, number>,
  terms: readonly NumberedTerm[],
): Vocabulary {
  const count = numbers.size
  const termCounts = new Uint32Array(count)
  const heads = new Uint32Array(count)
  for (const { words, head } of terms) {
    for (let at = 0; at < words.length; at++) {
      const word = words[at]!
      if (words.indexOf(word) === at) termCounts[word]!++
      if (at === head) heads[word]!++
    }
  }
  const [information, headShare] = [new Float64Array(count), new Float64Array(count)]
  const [isNoise, isGeneric, isMovable] = [
    new Uint8Array(count),
    new Uint8Array(count),
    new Uint8Array(count),
  ]
  let longest = 0
  for (const [word, number] of numbers) {
    longest = Math.max(longest, word.length)
    isNoise[number] = isNoiseWord(word) ? 1 : 0
    isGeneric[number] = isGenericWord(word) ? 1 : 0
    isMovable[number] = MOVABLE.has(word) ? 1 : 0
    const rarity = Math.log(1 + (2 * terms.length) / (termCounts[number]! + 3))
    information[number] = isNoise[number] ? rarity / 2 : rarity
    headShare[number] = heads[number]! / (termCounts[number]! + 1)
  }
  return {
    numbers,
    longest,
    termCounts,
    information,
    headShare,
    isNoise,
    isGeneric,
    isMovable,
    pairs: pairsIn(terms),
    spellings: spellingsOf(numbers.keys()),
  }
}

function pairsIn(terms: readonly NumberedTerm[]): Float64Array {
  const pairs = new Set<number>()
  for (const { words } of terms)
    for (let at = 1; at < words.length; at++) pairs.add(pairOf(words[at - 1]!, words[at]!))
  return Float64Array.from(pairs).sort()
}

/** Two consecutive words as one number. Exact for up to 2²¹ words. */
function pairOf(first: number, second: number): number {
  return first * 2 ** 21 + second
}

/** True if `second` directly follows `first` in some term. */
export function isPair({ pairs }: Vocabulary, first: number, second: number): boolean {
  const pair = pairOf(first, second)
  let [low, high] = [0, pairs.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (pairs[middle]! < pair) low = middle + 1
    else high = middle
  }
  return pairs[low] === pair
}

export function numberOf({ numbers }: Vocabulary, key: string): number {
  return numbers.get(key) ?? UNKNOWN
}

// Spelling: corrects words with one typo, and completes a last word that was cut off. Short words are left alone,
// because too many words are similar to them.

/** The words of the lexicon in groups, so that a misspelt word is compared with few of them. */
export type Spellings = {
  /** By the first two letters and the length. */
  readonly byStart: ReadonlyMap<string, readonly string[]>
  /** By the first letter, the last one and the length. */
  readonly byEnds: ReadonlyMap<string, readonly string[]>
}

const MIN_LENGTH = 5
const MIN_PREFIX_LENGTH = 5

/** Groups words for `correctSpelling`. */
export function spellingsOf(words: Iterable<string>): Spellings {
  const byStart = new Map<string, string[]>()
  const byEnds = new Map<string, string[]>()
  for (const word of words) {
    if (word.length < MIN_LENGTH) continue
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

/** The known word that an unknown word stands for. Undefined if none or several are similar. */
export function correctSpelling(spellings: Spellings, word: string, mayBeCut: boolean): string | undefined {
  const near = word.length >= MIN_LENGTH ? onlyOne(similarWords(spellings, word)) : undefined
  if (near !== undefined || !mayBeCut || word.length < MIN_PREFIX_LENGTH) return near
  return onlyOne(wordsWithPrefix(spellings, word))
}

/**
 * Words that differ by one typo, some of them twice. A single typo never changes both the second and the last letter.
 */
function* similarWords({ byStart, byEnds }: Spellings, word: string): Iterable<string> {
  for (let length = word.length - 1; length <= word.length + 1; length++) {
    for (const known of byStart.get(startKey(word, length)) ?? []) if (isOneTypo(known, word)) yield known
    for (const known of byEnds.get(endsKey(word, length)) ?? []) if (isOneTypo(known, word)) yield known
  }
}

function* wordsWithPrefix({ byStart }: Spellings, start: string): Iterable<string> {
  for (let length = start.length + 1; length <= start.length + 6; length++) {
    for (const known of byStart.get(startKey(start, length)) ?? []) if (known.startsWith(start)) yield known
  }
}

/** The word, if all words are the same. */
function onlyOne(words: Iterable<string>): string | undefined {
  let only: string | undefined
  for (const word of words) {
    if (only !== undefined && only !== word) return undefined
    only = word
  }
  return only
}

/**
 * True if the words differ by one typo: a missing or an extra letter, two swapped letters, or a letter replaced by one
 * that sounds similar. Other replacements make other words ("leopard", "leotard").
 */
function isOneTypo(first: string, second: string): boolean {
  let start = 0
  while (start < first.length && first[start] === second[start]) start++
  let [end, otherEnd] = [first.length, second.length]
  while (end > start && otherEnd > start && first[end - 1] === second[otherEnd - 1]) {
    end--
    otherEnd--
  }
  const [left, right] = [first.slice(start, end), second.slice(start, otherEnd)]
  if (left.length + right.length === 1) return Math.max(first.length, second.length) > MIN_LENGTH
  if (left.length === 1 && right.length === 1)
    return SOUNDALIKES.some((group) => group.includes(left) && group.includes(right))
  return left.length === 2 && right.length === 2 && left[0] === right[1] && left[1] === right[0]
}

const SOUNDALIKES = ['aeiouy', 'cksz', 'fv', 'mn', 'gj']

// Words that do not identify goods: praise, colours, sizes, occasions, and generic words. Collected by hand from
// marketplace titles and parcel descriptions.

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

const GENERIC = wordSet(
  'goods good item items stuff thing things product products article articles gift gifts present presents',
  'merchandise material materials accessory accessories supplies supply part parts object objects other others misc',
  'miscellaneous sundry sundries sample samples parcel package shipment order content contents unknown none test',
  'various general cargo freight personal effects belongings commodity commodities equipment purchase buy made',
  'commercial value no not without none only just my your our his her their this that return returned replacement',
)

const folded = (words: ReadonlySet<string>): ReadonlySet<string> => new Set([...words].map(foldWord))

const noiseWords = folded(new Set([...PRAISE, ...COLOURS]))
const genericWords = folded(GENERIC)

/** True for a folded word that can describe any goods, a number, or a number with a unit ("20cm", "3.7v"). */
export function isNoiseWord(key: string): boolean {
  return key.length < 2 || noiseWords.has(key) || genericWords.has(key) || hasDigit(key)
}

/** True for a folded word that means goods of any kind, such as "item" or "gift". Alone it never leads to a code. */
export function isGenericWord(key: string): boolean {
  return genericWords.has(key)
}

export function hasDigit(key: string): boolean {
  for (const char of key) if (char >= '0' && char <= '9') return true
  return false
}
