/** The compiled rate book and customs tables, and the classifier of descriptions. Types only. */

import type { HsCandidate } from '../../core/customs/classification/classify.ts'
import type { CustomsTables } from '../../core/customs/tables.ts'
import type { RateBook } from '../../core/rating/book/rate-book.ts'
import type { Turns } from './work.ts'

/**
 * What lies compiled in memory; each is one immutable reference that may be swapped as a whole between two reads.
 * Who needs several answers of one edition reads once.
 */
export interface ReferenceData {
  rateBook(): RateBook
  customsTables(): CustomsTables
}

/**
 * Finds HS codes from descriptions. The shipped one (classifiers/lexicon-classifier.ts) reads memory only and needs no
 * network; an operator may put another beside it.
 */
export interface Classifier {
  /**
   * For each description in its place: what it may mean, likeliest first, at most `limit`; empty when nothing fits.
   * Works in the turns of the request that asks (default: one turn without end), and rejects with what `turns.next`
   * rejects with.
   */
  classify(
    descriptions: readonly string[],
    limit: number,
    turns?: Turns,
  ): Promise<readonly (readonly HsCandidate[])[]>
}
