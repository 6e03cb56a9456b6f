/**
 * Words that are not in the lexicon but nearly: one letter wrong, missing, too many or swapped with its neighbour, or
 * a long text's last word cut off. Short words are left alone: too much is near to them.
 */

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
