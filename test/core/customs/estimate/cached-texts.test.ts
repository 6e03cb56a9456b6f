/**
 * The texts of lines do not depend on the requests before, although routes and codes are cached (estimate/route.ts).
 */
import { expect, test } from 'vitest'
import type { CompiledCustoms } from '../../../../src/core/customs/compiled-customs.ts'
import {
  type DutiesEstimate,
  estimateRequest,
  givenCode,
} from '../../../../src/core/customs/estimate/estimate.ts'
import type { DutiesRequest } from '../../../../src/core/customs/request.ts'
import { openCodeCache } from '../../../../src/core/customs/tariff/code-facts.ts'
import { shippedTables } from '../../../support/customs/shipped-tables.ts'
import { lineTexts } from '../../../support/customs/small-estimate.ts'

const CODES = ['640391', '220421', '07020000', '851713']

const REQUESTS: readonly DutiesRequest[] = ['DE', 'CH', 'GB', 'US'].flatMap((country) =>
  [undefined, 'CN', 'MA'].flatMap((originCountry) =>
    ([undefined, 'individual', 'business'] as const).flatMap((recipient) =>
      [undefined, false].flatMap((preferences) =>
        [undefined, 900].map((shippingCents) => ({
          from: { country: 'MA' },
          to: { country },
          items: CODES.map((tariff) => ({
            ...{ description: 'goods', numberOfItems: 3, costSteps: 80_000_000, tariff, originCountry },
          })),
          ...{ recipient, preferences, shippingCents },
        })),
      ),
    ),
  ),
)

test('describes lines alike with empty caches and after requests that differ in one field', () => {
  const tables = shippedTables()
  const cold = REQUESTS.map((request) => lineTexts(estimate(withEmptyCaches(tables), request)))
  const shared = withEmptyCaches(tables)
  expect(REQUESTS.map((request) => lineTexts(estimate(shared, request)))).toEqual(cold)
  expect(new Set(cold.map((texts) => texts.join('\n'))).size).toBeGreaterThan(15)
})

/** Routes are cached by their tables, so a copy of the tables has none. */
function withEmptyCaches(tables: CompiledCustoms): CompiledCustoms {
  return { ...tables, codes: openCodeCache(tables.measures) }
}

function estimate(tables: CompiledCustoms, request: DutiesRequest): DutiesEstimate {
  return estimateRequest(tables, request, CODES.map(givenCode), '2026-11-21')
}
