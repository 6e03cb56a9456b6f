/** Landed cost for options with several prices: the requests for estimates, their number, and the totals. */
import { describe, expect, test } from 'vitest'
import type { ClearanceFeeRow } from '../../../src/core/customs/data/row-types/fees.ts'
import type { DutiesEstimate } from '../../../src/core/customs/estimate/estimate.ts'
import type { EstimateRange } from '../../../src/core/customs/estimate/explain/estimate-range.ts'
import type { DutiesRequest } from '../../../src/core/customs/request.ts'
import { landedRange, landOptions, requestsByFreight } from '../../../src/core/landed-cost/landed-cost.ts'
import type { PriceLine } from '../../../src/core/rating/price/price-line.ts'
import type { RateOption } from '../../../src/core/rating/quote.ts'
import { clearanceFee, customsRows } from '../../support/customs/customs-rows.ts'
import { smallEstimate } from '../../support/customs/small-estimate.ts'
import { fixedOption } from '../../support/rates/fixed-option.ts'

function optionAt(productId: number, priceCents: number): RateOption {
  return fixedOption({
    product: { productId, productName: 'Classic', carrierCode: 'ring', carrierName: 'Ring' },
    priceCents,
    lines: [{ kind: 'BASE', item: 'Freight', amountCents: priceCents }],
    transit: { minDays: 1, maxDays: 2 },
    chargeable: [],
  })
}

const REQUEST: DutiesRequest = {
  from: { country: 'BB' },
  to: { country: 'AA' },
  items: [
    { description: 'goods', numberOfItems: 3, costSteps: 335_000 },
    { description: 'goods', numberOfItems: 1, costSteps: 1_000_000 },
  ],
}

/** Fake estimates: half of the freight. */
function halfOfFreight(requests: ReadonlyMap<number, DutiesRequest>): ReadonlyMap<number, DutiesEstimate> {
  const empty = smallEstimate(customsRows(), [])
  return new Map(
    [...requests].map(([price, { shippingCents = 0 }]) => [
      price,
      { ...empty, estimateCents: shippingCents / 2 },
    ]),
  )
}

describe('landed cost', () => {
  const options = [optionAt(1, 1000), optionAt(2, 1000), optionAt(3, 1200), optionAt(4, 1000)]

  test('needs one estimate per price, with the price as freight', () => {
    const request = { ...REQUEST, preferences: false, shippingCents: 5 }
    expect([...requestsByFreight(options, request)]).toEqual([
      [1000, { ...REQUEST, preferences: false, shippingCents: 1000 }],
      [1200, { ...REQUEST, preferences: false, shippingCents: 1200 }],
    ])
    expect(requestsByFreight([], REQUEST).size).toBe(0)
  })

  test('does not count the price line of DUTIES_PAID as freight', () => {
    const lineOf = (service: string): PriceLine => {
      const cause = { kind: 'surcharge', surcharge: { service } } as PriceLine['cause']
      return { kind: 'SERVICE', item: service, amountCents: 1500, cause }
    }
    const optionWith = (...lines: PriceLine[]): RateOption => Object.assign(optionAt(1, 2500), { lines })
    const both = [optionWith(lineOf('SIGNATURE'), lineOf('DUTIES_PAID')), optionWith(lineOf('SIGNATURE'))]
    const requests = requestsByFreight(both, REQUEST)
    expect([...requests.values()].map(({ shippingCents }) => shippingCents)).toEqual([1000, 2500])
    const landed = landOptions(both, REQUEST, halfOfFreight(requests))
    expect(landed.map(({ duties }) => duties.estimateCents)).toEqual([500, 1250])
    expect(landed[0]!.totalCents).toBe(landed[0]!.goodsCents + 2500 + 500)
  })

  test('keeps the order of options, and shares estimates between equal prices', () => {
    const landed = landOptions(options, REQUEST, halfOfFreight(requestsByFreight(options, REQUEST)))
    expect(landed.map(({ rate }) => rate.product.productId)).toEqual([1, 2, 3, 4])
    expect(landed.map(({ duties }) => duties.estimateCents)).toEqual([500, 500, 600, 500])
    expect(landed[3]?.duties).toBe(landed[0]?.duties)
  })

  test('is the sum of goods, price, insurance and estimate, with the goods rounded once', () => {
    const request = { ...REQUEST, insuranceCents: 25 }
    const [option] = landOptions(options, request, halfOfFreight(requestsByFreight(options, request)))
    // 3 × 0.335 + 1 is 2.005.
    expect(option).toMatchObject({ goodsCents: 201, totalCents: 201 + 1000 + 25 + 500 })
  })

  describe('the range', () => {
    const fee = clearanceFee('share_of_charges', { carrier: 'ring', ratePpm: 100_000 })
    const landed = (fees: readonly ClearanceFeeRow[]) => {
      const duties = { ...smallEstimate(customsRows({ clearanceFees: fees }), []), estimateCents: 500 }
      const [option] = landOptions([optionAt(1, 1000)], REQUEST, new Map([[1000, duties]]))
      if (option === undefined) throw new Error('there is no option')
      return option
    }
    const range: EstimateRange = {
      ...{ leastCents: 200, likelyCents: 500, mostCents: 900 },
      ...{ withoutBound: [], decision: 'The material decides.' },
    }

    test('adds the goods, the price and the clearance fee at each end', () => {
      // 201 + 1000, and 10% of the duties and taxes.
      expect(landedRange(landed([fee]), range)).toEqual({
        ...range,
        ...{ leastCents: 1201 + 220, likelyCents: 1201 + 550, mostCents: 1201 + 990 },
      })
    })

    test('has no upper end without that of the duties, or without a fee that can be calculated', () => {
      const open = { ...range, mostCents: undefined, withoutBound: ['Import duty'] }
      expect(landedRange(landed([fee]), open)).toMatchObject({ mostCents: undefined, leastCents: 1421 })
      const unknown = { ...fee, kind: 'fixed' as const, amount: '5', currency: 'XXX' }
      const { mostCents, withoutBound } = landedRange(landed([unknown]), range)
      expect([mostCents, ...withoutBound]).toEqual([undefined, 'Clearance fee'])
    })
  })

  test('throws if an estimate is missing', () => {
    expect(() => landOptions(options, REQUEST, new Map())).toThrow('1000 cents')
  })
})
