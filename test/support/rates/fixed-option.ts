/** Rate options of figures chosen by a test, for what looks at the figures only and not at how they came about. */
import type { PriceLine } from '../../../src/core/rating/price/price-line.ts'
import type { RateOption } from '../../../src/core/rating/quote.ts'

/** The figures of an option. */
export type FixedFigures = Omit<RateOption, 'card' | 'pricing' | 'lines'> & {
  readonly lines: readonly Omit<PriceLine, 'cause'>[]
}

/** An option of these figures, by the card demo@1. To ask what it was worked out from is a fault of the test. */
export function fixedOption(figures: FixedFigures): RateOption {
  return {
    ...figures,
    card: { code: 'demo', versionNo: 1, audience: 'everyone', validFrom: '2026-01-01' },
    lines: figures.lines.map((line) => ({
      ...line,
      get cause(): never {
        throw new Error('the cause of a line was not to be asked for')
      },
    })),
    get pricing(): never {
      throw new Error('what the price was worked out from was not to be asked for')
    },
  }
}
