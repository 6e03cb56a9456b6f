/** Quotes of the engine in the form of the oracle, so that both can be compared. */

import { compileRateBook, type RateBook } from '../../../src/core/rating/book/rate-book.ts'
import { quote, type RateOption } from '../../../src/core/rating/quote.ts'
import type { RatesRequest } from '../../../src/core/rating/request.ts'
import type { OracleOption, OracleQuote, OracleSources } from '../oracle/rating/quote.ts'
import { withoutUndefined } from '../random/seeded-dice.ts'
import { compileRows } from './rate-cards.ts'

/** Compiles the rows that the oracle reads. */
export function engineBook(sources: OracleSources): RateBook {
  const cards = sources.cards.map((card) => compileRows(card, sources.carriers))
  return compileRateBook({ ...sources, cards, revision: 1, since: '2000-01-01' })
}

/** Options keep the order of the engine; declined products are sorted by id. */
export function engineQuote(
  book: RateBook,
  request: RatesRequest,
  date: string,
  accountId?: string,
): OracleQuote {
  const { options, declined } = quote(book, request, date, accountId)
  return {
    options: options.map(asOracleOption),
    declined: declined
      .map(({ product, decline }) => ({ productId: product.productId, code: decline.code }))
      .sort((a, b) => a.productId - b.productId),
  }
}

function asOracleOption(option: RateOption): OracleOption {
  const { product, card, priceCents, listPriceCents, lines, transit, chargeable } = option
  return withoutUndefined({
    productId: product.productId,
    carrierCode: product.carrierCode,
    priceCents,
    listPriceCents,
    lines: lines.map(({ item, amountCents, reason }) => withoutUndefined({ item, amountCents, reason })),
    minDays: transit.minDays,
    maxDays: transit.maxDays,
    chargeable: chargeable.map(({ actualGrams, volumetricGrams, chargeableGrams }) => ({
      actualGrams,
      volumetricGrams: volumetricGrams ?? 0,
      chargeableGrams,
    })),
    card: `${card.code}@${card.versionNo}`,
  })
}
