/** Terms of drafts for tests: the defaults of src/config/settings.ts. */
import type { DraftTerms } from '../../../src/core/shipments/draft-terms.ts'

export const DRAFT_TERMS: DraftTerms = {
  priceDays: 14,
  keptDays: 30,
  countMax: 50_000,
  bytesMax: 250_000_000,
}
