/** Operation: HS codes a description may mean. Source: specification 2.6. */
import { classify, type HsCandidate } from '../core/customs/classification/classify.ts'
import type { Ports } from './ports.ts'

/** At most `limit` candidates, likeliest first; empty when nothing fits. Reads memory only. */
export function classifyGoods(
  { reference }: Pick<Ports, 'reference'>,
  description: string,
  limit: number,
): readonly HsCandidate[] {
  return classify(reference.lexicon(), description, limit)
}
