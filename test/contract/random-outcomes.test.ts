/** REST writes outcomes as text. The text is the one that `JSON.stringify` writes for the same object. */
import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { describeLine } from '../../src/core/customs/estimate/explain/line.ts'
import { estimateDuties } from '../../src/operations/estimate-duties.ts'
import { quoteRates } from '../../src/operations/quote-rates.ts'
import { caseCount } from '../support/random/case-count.ts'
import { fixedOption } from '../support/rates/fixed-option.ts'
import { ask, ordinaryOutcomes } from './rest-door.ts'
import { ESTIMATE, lineOf, PARTIAL_ESTIMATE, quoteOf } from './rest-outcomes.ts'

ordinaryOutcomes()

/** Texts with characters that JSON escapes, and with halves of surrogate pairs. */
const text = fc.oneof(
  fc.string(),
  fc.string({ unit: 'binary' }),
  fc.string({
    unit: fc.constantFrom('"', '\\', '\n', '\0', '\u001f', '\u007f', '\u2028', '\ud800', '\udc00', 'é'),
  }),
)

/** Up to the highest total of a request: 99 items of ten billion euro at several hundred per cent. */
const cents = fc.oneof(fc.integer({ min: -100_000, max: 100_000 }), fc.integer({ min: -5e14, max: 5e14 }))
const days = fc.nat(60)

const option = fc
  .record({
    product: fc.record({ productId: fc.nat(), productName: text, carrierCode: text, carrierName: text }),
    priceCents: cents,
    lines: fc.array(
      fc.record(
        { kind: fc.constant('OTHER' as const), item: text, amountCents: cents, reason: text },
        { requiredKeys: ['kind', 'item', 'amountCents'] },
      ),
      { maxLength: 4 },
    ),
    transit: fc.record({ minDays: days, maxDays: days }),
    chargeable: fc.constant([]),
  })
  .map(fixedOption)

test('random rate quotes', async () => {
  const quotes = fc.tuple(
    fc.array(option, { maxLength: 4 }),
    fc.constantFrom('single' as const, 'range' as const),
    fc.boolean(),
  )
  await fc.assert(
    fc.asyncProperty(quotes, async ([options, transitForm, priceBreakdown]) => {
      vi.mocked(quoteRates).mockReturnValue(quoteOf(...options))
      const { statusCode, body } = await ask('rates', { caller: { transitForm, priceBreakdown } })
      const message = JSON.parse(body).message
      const data = options.map(({ product, priceCents, transit: { minDays, maxDays }, lines }) => ({
        carrier: product.carrierName,
        product: product.productName,
        productId: product.productId,
        price: priceCents / 100,
        ...(transitForm === 'single'
          ? { estimatedTransitTimeInWorkingDays: maxDays }
          : {
              minEstimatedTransitTimeInWorkingsDays: minDays,
              maxEstimatedTransitTimeInWorkingsDays: maxDays,
            }),
        ...(priceBreakdown && {
          priceBreakdown: lines.map(({ item, amountCents, reason }) => ({
            item,
            amount: amountCents / 100,
            ...(reason !== undefined && { reason }),
          })),
        }),
      }))
      expect(statusCode).toBe(200)
      expect(body).toBe(JSON.stringify({ errors: false, message, data }))
    }),
    { numRuns: caseCount(25, 2_000) },
  )
}, 600_000)

test('random estimates', async () => {
  const line = fc.tuple(text, text, cents, text).map((figures) => lineOf(...figures))
  const estimates = fc.record({
    taxes: fc.array(line, { maxLength: 4 }),
    estimateCents: cents,
    hsCode: text,
    problem: fc.option(text),
  })
  await fc.assert(
    fc.asyncProperty(estimates, async ({ taxes, estimateCents, hsCode, problem }) => {
      const { consignment } = ESTIMATE
      const items = PARTIAL_ESTIMATE.items.map((item) => ({
        ...item,
        ...(item.problem !== undefined && {
          problem: {
            ...item.problem,
            fields: item.problem.fields.map((field) => ({ ...field, message: problem ?? '' })),
          },
        }),
      }))
      const outcome = problem === null ? ESTIMATE : { ...PARTIAL_ESTIMATE, items }
      vi.mocked(estimateDuties).mockResolvedValue({ ...outcome, taxes, estimateCents, hsCode })
      const { statusCode, body } = await ask('estimate')
      const expected = {
        hasErrors: problem !== null,
        ...(problem !== null && { message: `contentItems[1].description: ${problem}` }),
        taxDetails: taxes.map((tax) => ({
          harmonizedCode: tax.harmonizedCode,
          name: tax.name,
          amount: tax.amountCents / 100,
          description: describeLine(consignment, tax),
        })),
        estimate: estimateCents / 100,
        hsCode,
      }
      expect(statusCode).toBe(200)
      expect(body).toBe(JSON.stringify(expected))
    }),
    { numRuns: caseCount(25, 2_000) },
  )
}, 600_000)
