/** Rate options with given figures, for code that does not read how they were calculated. */
import type { PriceLine } from '../../../src/core/rating/price/price-line.ts'
import type { RateOption } from '../../../src/core/rating/quote.ts'

export type FixedFigures = Omit<RateOption, 'card' | 'pricing' | 'lines'> & {
  readonly lines: readonly Omit<PriceLine, 'cause'>[]
}

/** An option of the card demo@1. Reading `pricing` or the cause of a line throws. */
export function fixedOption(figures: FixedFigures): RateOption {
  return {
    ...figures,
    card: { code: 'demo', versionNo: 1, audience: 'everyone', validFrom: '2026-01-01' },
    lines: figures.lines.map((line) => ({
      ...line,
      get cause(): never {
        throw new Error('this option has no cause of its lines')
      },
    })),
    get pricing(): never {
      throw new Error('this option has no pricing')
    },
  }
}
