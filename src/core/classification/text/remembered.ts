/**
 * Remembers what was calculated for a word. Descriptions differ, but most of their words occur in many of them. The
 * memory is bounded: it has at most 8,192 words of at most 32 letters.
 */

export const MAX_WORDS = 8192
export const MAX_LETTERS = 32

/** The same function, which remembers its results. `calculate` must depend on the word alone. */
export function remembered<Result>(calculate: (word: string) => Result): (word: string) => Result {
  const results = new Map<string, { readonly result: Result }>()
  return (word) => {
    if (word.length > MAX_LETTERS) return calculate(word)
    const known = results.get(word)
    if (known !== undefined) return known.result
    const copy = copyOf(word)
    const result = calculate(copy)
    // Starting again is simpler than replacing the oldest word, and a word costs little to calculate again.
    if (results.size >= MAX_WORDS) results.clear()
    results.set(copy, { result })
    return result
  }
}

/** V8 copies shorter parts of a text. A longer part is a reference, which would keep the whole text in memory. */
const MIN_REFERENCE_LETTERS = 13

function copyOf(word: string): string {
  return word.length < MIN_REFERENCE_LETTERS ? word : word.split('').join('')
}
