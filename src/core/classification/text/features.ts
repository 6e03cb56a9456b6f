/**
 * Reads components that describe goods. A noun that is followed by a number, a size or a material ends a noun group:
 * "leather belt | steel buckle", "digital piano | 88 weighted keys". If the next group ends with a component, the text
 * means goods with this component, so its words count as after "with". "Replacement" after a component ends a noun
 * group, too, and is followed by what the component is for: "drone battery replacement | remote control drone".
 */

import type { Roles } from '../lexicon.ts'
import { CONTAINERS, foldWord, type GoodsWord } from './goods-text.ts'
import { UNKNOWN, type Vocabulary } from './vocabulary.ts'

/** A word and its number in the vocabulary. */
type NumberedWord = GoodsWord & { readonly number: number; readonly isNoise: boolean }

/** `Roles` as sets of folded words. */
export type FeatureWords = {
  readonly qualifiers: ReadonlySet<string>
  readonly features: ReadonlySet<string>
  readonly countedFeatures: ReadonlySet<string>
  readonly outside: ReadonlySet<string>
  readonly soldAlone: ReadonlySet<string>
}

export function featureWordsOf(roles: Roles): FeatureWords {
  const folded = (words: readonly string[]): ReadonlySet<string> => new Set(words.map(foldWord))
  return {
    qualifiers: folded(roles.qualifiers),
    features: folded(roles.features),
    countedFeatures: folded(roles.countedFeatures),
    outside: folded(roles.outside),
    soldAlone: folded(roles.soldAlone),
  }
}

/** The weight of a component, as after "with". */
const FEATURE_WEIGHT = 0.4

/** A component has at most so many words in front of it: "4 stainless steel blades". */
const MAX_QUALIFIERS = 4

/** A word that is the head in a smaller share of its terms does not end a noun group. */
const MIN_HEAD_SHARE = 0.1

/** The words of a text, with less weight for components. */
export function withFeatures<Word extends NumberedWord>(
  words: readonly Word[],
  given: FeatureWords,
  vocabulary: Vocabulary,
): readonly Word[] {
  const soldAloneAt = words.findIndex(({ key }) => given.soldAlone.has(key))
  if (soldAloneAt !== -1) return withProductAfter(words, soldAloneAt, given)
  let result: Word[] | undefined
  /** The position behind the last component, which another one may follow. */
  let next = -1
  for (let at = 2; at < words.length; at++) {
    const start = startOfFeature(words, at, next, given, vocabulary)
    if (start === undefined) continue
    next = at + 1
    result ??= [...words]
    result[start - 1] = { ...result[start - 1]!, endsPhrase: true }
    const isOutside = given.outside.has(words[at]!.key)
    for (let nth = start; nth <= at; nth++) {
      const word = result[nth]!
      const weight = isOutside && nth < at ? word.weight : Math.min(word.weight, FEATURE_WEIGHT)
      result[nth] = { ...word, weight, endsPhrase: word.endsPhrase || nth === at }
    }
  }
  return result ?? words
}

/** The weight of a product behind its component, as after "for". */
const PRODUCT_WEIGHT = 0.35

/** Behind a component and "replacement", these name the goods or their material: "watch strap replacement tool". */
const NO_PRODUCTS = ['tool', 'repair', 'part', 'paper']

/** The words, with less weight for a product behind a component and a word like "replacement". */
function withProductAfter<Word extends NumberedWord>(
  words: readonly Word[],
  at: number,
  given: FeatureWords,
): readonly Word[] {
  const before = words.slice(Math.max(0, at - 2), at)
  const [, component] = before
  if (component === undefined || !isComponent(component, given)) return words
  const end = words.findIndex(({ endsPhrase }, nth) => endsPhrase && nth >= at - 2)
  const product = words.slice(at + 1, end + 1)
  const isProduct = (word: NumberedWord): boolean =>
    !isComponent(word, given) && !NO_PRODUCTS.includes(word.key) && !CONTAINERS.has(word.key)
  // A material at the end is that of the component: "cushion cover replacement cotton".
  const head = product.findLast((word) => !word.isNoise && !isNumber(word))
  const hasProduct = head !== undefined && !isQualifying(head, given) && product.every(isProduct)
  if (end <= at || words[at]!.key === 'repair' || !hasProduct) return words
  return words.map((word, nth) => {
    if (nth === at) return { ...word, endsPhrase: true }
    return nth > at && nth <= end ? { ...word, weight: Math.min(word.weight, PRODUCT_WEIGHT) } : word
  })
}

function isComponent({ key }: NumberedWord, { features, countedFeatures }: FeatureWords): boolean {
  return features.has(key) || countedFeatures.has(key)
}

/** The position of the first word that describes the component at a position. Undefined if there is no component. */
function startOfFeature(
  words: readonly NumberedWord[],
  at: number,
  next: number,
  given: FeatureWords,
  vocabulary: Vocabulary,
): number | undefined {
  const { key, weight } = words[at]!
  const isFeature = given.features.has(key) || given.outside.has(key)
  if (weight <= FEATURE_WEIGHT || !(isFeature || given.countedFeatures.has(key))) return undefined
  for (let start = at - 1; start > 0 && start >= at - MAX_QUALIFIERS; start--) {
    const word = words[start]!
    if (word.endsPhrase) return undefined
    const isQualifier = isFeature ? isQualifying(word, given) : isNumber(word)
    if (isQualifier && (start === next || endsNounGroup(words[start - 1]!, given, vocabulary))) return start
  }
  return undefined
}

function isQualifying({ key, isNoise }: NumberedWord, { qualifiers }: FeatureWords): boolean {
  return isNoise || qualifiers.has(key)
}

function isNumber({ key }: NumberedWord): boolean {
  return key >= '0' && key < ':'
}

function endsNounGroup(word: NumberedWord, given: FeatureWords, { headShare }: Vocabulary): boolean {
  const { number, endsPhrase } = word
  return (
    !endsPhrase && number !== UNKNOWN && headShare[number]! >= MIN_HEAD_SHARE && !isQualifying(word, given)
  )
}
