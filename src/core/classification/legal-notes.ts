/**
 * Says which legal note of the Harmonized System is the reason for a code, and which goods give a retail set its code.
 * The notes are data of the lexicon: docs/lexicon.md#legal-notes.
 */
import type { LegalNote } from '../hs-candidate.ts'
import { type Attributes, groupMentions } from './attributes.ts'
import type { NoteRule, SetRule } from './lexicon.ts'
import type { CodeHit } from './phrases.ts'
import type { AccessoryCodes } from './ranking.ts'
import { componentsOf } from './text/composition.ts'
import { goodsWords } from './text/goods-text.ts'
import type { LexiconWord } from './text/lexicon-text.ts'

type CompiledNote = {
  readonly note: LegalNote
  /** Folded words: the note applies if the text has all words of one list. Without lists, it always applies. */
  readonly phrases: readonly (readonly string[])[]
  /** Folded words: the note does not apply if the text has all words of one list. */
  readonly exceptions: readonly (readonly string[])[]
}

export type CompiledNotes = {
  /** By code, in the order of the file. */
  readonly byCode: readonly (readonly CompiledNote[])[]
  readonly sets: readonly CompiledSet[]
}

/** Within a set, `parts` are the goods that give the essential character, and `things` are the other goods. */
export type CompiledSet = AccessoryCodes & CompiledNote

/** In the words of a note: fibres with their shares. */
const SHARES = '%'
const WHOLE = '100%'
/** The dimension whose shares count. */
const FIBRE = 'fibre'

/** `codesBelow` gives the numbers of the codes that begin with one of the prefixes. Throws if a set names no note. */
export function compileNotes(
  notes: readonly NoteRule[],
  sets: readonly SetRule[],
  codeCount: number,
  codesBelow: (prefixes: readonly string[]) => readonly number[],
): CompiledNotes {
  const byCode: CompiledNote[][] = Array.from({ length: codeCount }, () => [])
  const byId = new Map<string, CompiledNote>()
  for (const { id, citation, summary, codes, words, unless = [] } of notes) {
    const phrases = words.map(foldedPhrase)
    const compiled = { note: { citation, summary }, phrases, exceptions: unless.map(foldedPhrase) }
    byId.set(id, compiled)
    for (const code of codesBelow(codes)) byCode[code]!.push(compiled)
  }
  return {
    byCode,
    sets: sets.map(({ essential, others, note }) => {
      const compiled = byId.get(note)
      if (compiled === undefined) throw new Error(`a set names the note ${note}, which is not declared`)
      return { ...compiled, parts: codesBelow(essential), things: codesBelow(others) }
    }),
  }
}

function foldedPhrase(phrase: string): readonly string[] {
  return phrase === SHARES ? [SHARES] : goodsWords(phrase).map(({ key }) => key)
}

/** True if a phrase of a note has a word to look for. */
export function isPhrase(phrase: string): boolean {
  return foldedPhrase(phrase.trim()).length > 0
}

/** The words of a text that notes ask for. `composition` is the fact as words, whose shares count too. */
export function wordsForNotes(
  attributes: Attributes,
  text: readonly LexiconWord[],
  composition: readonly LexiconWord[] = [],
): ReadonlySet<string> {
  const words = new Set<string>()
  for (const { key, singular } of text) {
    words.add(key)
    words.add(singular)
  }
  if (hasShares(attributes, text) || hasShares(attributes, composition)) words.add(SHARES)
  return words
}

/** True if a text names fibres with their percentages, of which one is below 100. */
function hasShares(attributes: Attributes, text: readonly LexiconWord[]): boolean {
  if (!text.some(({ key }) => key.endsWith('%') && key !== WHOLE)) return false
  const fibre = attributes.numberOf.get(FIBRE)
  const mentions = fibre === undefined ? undefined : groupMentions(attributes, text).byDimension.get(fibre)
  return componentsOf(mentions ?? []).some(({ share }) => share < 100)
}

type HitsByCode = ReadonlyMap<number, readonly CodeHit[]>

/**
 * The rules for sets of goods that apply to a text: those whose note has a word of the text. `parts` are only the codes
 * that the text names as goods of their own: whisky in "whisky set with glasses", but not in "whisky glasses set".
 */
export function setsIn(
  { sets }: CompiledNotes,
  words: ReadonlySet<string>,
  text: readonly LexiconWord[],
  hits: HitsByCode,
): readonly CompiledSet[] {
  return sets
    .filter((set) => applies(set, words))
    .map((set) => {
      const inThings = wordsOfThings(set, text, hits)
      const isFree = ({ hit }: CodeHit): boolean => !hit.nameAt.some((at) => inThings.has(at))
      return { ...set, parts: set.parts.filter((code) => hits.get(code)?.some(isFree)) }
    })
}

/** The positions of words that stand beside another word of the same thing: "whisky" and "glasses". */
function wordsOfThings(
  { things, phrases }: CompiledSet,
  text: readonly LexiconWord[],
  hits: HitsByCode,
): ReadonlySet<number> {
  const found = new Set<number>()
  const ofNote = new Set(phrases.flat())
  const isContent = (at: number): boolean => !text[at]!.isNoise && !ofNote.has(text[at]!.key)
  for (const code of things)
    for (const { hit } of hits.get(code) ?? []) {
      const words = hit.nameAt.filter(isContent)
      for (const at of words) if (words.includes(at + 1) && !text[at]!.endsPhrase) found.add(at).add(at + 1)
    }
  return found
}

/**
 * The note that is the reason for a code. If the code gives a set its character, that is the note of the set;
 * `isNamed` is true for codes that the text leads to. Otherwise it is the first note of the code that applies.
 */
export function noteOn(
  { byCode }: CompiledNotes,
  code: number,
  words: ReadonlySet<string>,
  sets: readonly CompiledSet[],
  isNamed: (code: number) => boolean,
): LegalNote | undefined {
  const set = sets.find(({ parts, things }) => parts.includes(code) && things.some(isNamed))
  return (set ?? byCode[code]!.find((note) => applies(note, words)))?.note
}

function applies({ phrases, exceptions }: CompiledNote, words: ReadonlySet<string>): boolean {
  const hasAll = (phrase: readonly string[]): boolean => phrase.every((word) => words.has(word))
  return (phrases.length === 0 || phrases.some(hasAll)) && !exceptions.some(hasAll)
}
