/** A classifier that remembers recent descriptions, because shops send the same descriptions repeatedly. */
import { LRUCache } from 'lru-cache'
import type { HsCandidate } from '../core/hs-candidate.ts'
import type { Classifier } from '../operations/ports/ports.ts'

/** About 4,000 descriptions of a few words, or 2,000 of 500 characters. */
const MAX_BYTES = 8_000_000

/**
 * Returns a classifier that asks `classifier` only for descriptions that it does not remember. The results of
 * `classifier` must depend on nothing but the description and the limit. Callers share the candidates and must not
 * change them.
 *
 * @param maxBytes the memory for all descriptions and candidates, estimated
 */
export function rememberCandidates(classifier: Classifier, maxBytes = MAX_BYTES): Classifier {
  const recent = new LRUCache<string, readonly HsCandidate[]>({
    maxSize: maxBytes,
    sizeCalculation: (candidates, key) => bytesOf(key, candidates),
  })
  return {
    ...classifier,
    classify: async (descriptions, limit, turns) => {
      const found = new Map<string, readonly HsCandidate[] | undefined>()
      for (const description of descriptions) found.set(description, recent.get(`${limit} ${description}`))
      const missing = [...found.keys()].filter((description) => found.get(description) === undefined)
      if (missing.length > 0) {
        const results = await classifier.classify(missing, limit, turns)
        missing.forEach((description, nth) => {
          const candidates = results[nth] ?? []
          found.set(description, candidates)
          recent.set(`${limit} ${description}`, candidates)
        })
      }
      return descriptions.map((description) => found.get(description) ?? [])
    },
  }
}

/**
 * An estimate. Texts of the lexicon, such as labels and questions, are not counted, because all candidates share them.
 */
function bytesOf(key: string, candidates: readonly HsCandidate[]): number {
  let bytes = BYTES_PER_ENTRY + BYTES_PER_CHARACTER * key.length
  for (const { matchedTerms, questions } of candidates) {
    bytes += BYTES_PER_CANDIDATE + BYTES_PER_TEXT * (matchedTerms.length + questions.length)
    for (const term of matchedTerms) bytes += BYTES_PER_CHARACTER * term.length
  }
  return bytes
}

const BYTES_PER_ENTRY = 250
const BYTES_PER_CANDIDATE = 180
const BYTES_PER_TEXT = 40
const BYTES_PER_CHARACTER = 2
