/** Landed cost of options: freight in the customs value, one estimate per price, one classification per description. */
import { describe, expect, test, vi } from 'vitest'
import { compileCustoms } from '../../src/core/customs/compiled-customs.ts'
import type { ClearanceFeeRow } from '../../src/core/customs/data/row-types/fees.ts'
import { lineRatePercent } from '../../src/core/customs/estimate/explain/line.ts'
import type { HsCandidate } from '../../src/core/hs-candidate.ts'
import { estimateDuties, type FindCodes } from '../../src/operations/estimate-duties.ts'
import { type LandedCost, type LandedCostInput, landedCost } from '../../src/operations/landed-cost.ts'
import type { Classifier, ReferenceData } from '../../src/operations/ports/ports.ts'
import { quoteRates } from '../../src/operations/quote-rates.ts'
import {
  clearanceFee,
  customsRows,
  jurisdiction,
  measure,
  tax,
  taxRate,
} from '../support/customs/customs-rows.ts'
import { lineTexts } from '../support/customs/small-estimate.ts'
import { demoRateBook, parcelInput } from '../support/rates/demo-rate-book.ts'

const CALLER = { accountId: 'demo', countAverages: true }
const NL_ES = [
  { dataSet: 'test', country: 'NL', postalFrom: '', postalTo: '', name: 'NL', jurisdiction: 'BB' },
  { dataSet: 'test', country: 'ES', postalFrom: '', postalTo: '', name: 'ES', jurisdiction: 'AA' },
]

/** Tables of a country with 10% duty on chapter 61 and 20% tax. */
function tablesOf(valuation: 'CIF' | 'FOB', includesFreight = false, fees: readonly ClearanceFeeRow[] = []) {
  return compileCustoms(
    customsRows({
      jurisdictions: [jurisdiction('AA', { valuation }), jurisdiction('BB')],
      territories: NL_ES,
      measures: [measure('61', 10), measure('61', 5, { validFrom: '2027-01-01' })],
      taxes: [tax('VAT', { includesFreight })],
      taxRates: [taxRate('VAT', 20)],
      clearanceFees: fees,
    }),
  )
}

const book = demoRateBook()
const NOW = '2026-10-20T12:00:00Z'

function portsWith(tables = tablesOf('CIF'), rates = book) {
  const reads = { rateBook: 0, customsTables: 0, clock: 0 }
  const reference: ReferenceData = {
    rateBook: () => {
      reads.rateBook++
      return rates
    },
    customsTables: () => {
      reads.customsTables++
      return tables
    },
  }
  const clock = () => {
    reads.clock++
    return new Date(NOW)
  }
  const classifier: Classifier = {
    classify: () => Promise.reject(new Error('descriptions are read by the finder')),
  }
  return { reference, classifier, clock, reads }
}

const TEE: HsCandidate = {
  ...{ code: '610910', label: 'T-shirts', confidence: 0.9 },
  ...{ matchedTerms: ['t-shirt'], questions: [] },
}

/** A finder that recognises only T-shirts, and turns that are always over. Records the calls. */
function countingTools() {
  const asked: string[][] = []
  const turns = { over: () => true, next: vi.fn(async () => {}) }
  const find: FindCodes = async (goods) => {
    const descriptions = goods.map(({ description }) => description)
    asked.push(descriptions)
    return descriptions.map((description) => (description.includes('t-shirt') ? [TEE] : []))
  }
  return { asked, tools: { find, turns, beforeEstimate: vi.fn() } }
}

const SHIRTS = { description: 't-shirts', numberOfItems: 3, cost: '33.335' }

async function land(
  draft: Partial<LandedCostInput> = {},
  tables = tablesOf('CIF'),
  ports = portsWith(tables),
): Promise<LandedCost> {
  const { tools } = countingTools()
  const outcome = await landedCost(ports, CALLER, tools, {
    rates: parcelInput(),
    contentItems: [SHIRTS],
    ...draft,
  })
  if (outcome.kind === 'InputProblem') throw new Error(JSON.stringify(outcome.fields))
  return outcome
}

describe('an option', () => {
  test('has the same options, order and declined products as the rates', async () => {
    const selection = { filter: { maxTransitDays: 4 }, sort: 'TRANSIT' }
    const ports = portsWith()
    const quoted = quoteRates(ports, CALLER, parcelInput(), selection)
    if (quoted.kind === 'InputProblem') throw new Error('the request is valid')
    const {
      kind,
      options,
      date: ____,
      restrictions: _,
      ...rest
    } = await land({ selection }, undefined, ports)
    expect(kind).toBe('LandedCost')
    expect(options.map(({ rate }) => rate)).toEqual(quoted.options)
    const { kind: __, options: ___, ...quotedRest } = quoted
    expect(rest).toEqual(quotedRest)
    expect(rest.filteredOut).toBeGreaterThan(0)
  })

  test('includes its price in the customs value where the destination counts freight', async () => {
    for (const { rate, duties } of (await land()).options) {
      // 3 × 33.335 is 100.005; 10% of it with the freight, and 20% of that and the duty.
      expect(duties.customsValueCents).toBe(Math.round(10000.5 + rate.priceCents))
      const base = 10000.5 + rate.priceCents
      expect(duties.taxes.map(({ amountCents }) => amountCents)).toEqual([
        Math.round(base * 0.1),
        Math.round(base * 1.1 * 0.2),
      ])
    }
  })

  test('adds the clearance fees of its carrier to the total', async () => {
    const fee = clearanceFee('fixed', { carrier: 'noordster', amount: '12' })
    const { options } = await land({}, tablesOf('CIF', false, [fee]))
    const carriers = new Set(options.map(({ rate }) => rate.product.carrierCode))
    expect(carriers.size).toBeGreaterThan(1)
    for (const { rate, duties, goodsCents, clearanceFees, totalCents } of options) {
      const feeCents = rate.product.carrierCode === 'noordster' ? 1200 : 0
      expect(clearanceFees.map(({ amountCents }) => amountCents)).toEqual(feeCents === 0 ? [] : [feeCents])
      expect(totalCents).toBe(goodsCents + rate.priceCents + duties.estimateCents + feeCents)
    }
  })

  test('has the same duties as every other option where only the goods count', async () => {
    const { options } = await land({}, tablesOf('FOB'))
    expect(new Set(options.map(({ rate }) => rate.priceCents)).size).toBeGreaterThan(1)
    // 10% of 100.005, and 20% of 110.0055.
    for (const { duties } of options) expect(duties.estimateCents).toBe(1000 + 2200)
  })

  test('includes its price in the tax base alone where the tax requires it', async () => {
    for (const { rate, duties } of (await land({}, tablesOf('FOB', true))).options)
      expect(duties.taxes.map(({ amountCents }) => amountCents)).toEqual([
        1000,
        Math.round((11000.55 + rate.priceCents) * 0.2),
      ])
  })

  test('adds up goods, price, separate insurance, duties and taxes, to the cent', async () => {
    const { options } = await land({ insurance: '7.25' })
    for (const { rate, duties, goodsCents, totalCents } of options) {
      expect(goodsCents).toBe(10001)
      expect(totalCents).toBe(10001 + rate.priceCents + 725 + duties.estimateCents)
      expect(duties.customsValueCents).toBe(Math.round(10000.5 + rate.priceCents + 725))
    }
  })

  test('has the same estimate as the same goods with the same freight', async () => {
    const { options } = await land({ insurance: 5 })
    const { tools } = countingTools()
    const { from, to, recipientType } = parcelInput()
    for (const { rate, duties } of options) {
      const shippingCost = (rate.priceCents / 100).toFixed(2)
      const draft = { from, to, recipientType, contentItems: [SHIRTS], shippingCost, insurance: 5 }
      const alone = await estimateDuties(portsWith(), { countAverages: true }, draft, tools.find)
      if (alone.kind === 'InputProblem') throw new Error('the request is valid')
      expect(lineTexts(duties)).toEqual(lineTexts(alone))
      expect(duties).toMatchObject({ estimateCents: alone.estimateCents, date: alone.date })
    }
  })

  test('keeps and names an item for which no code was found', async () => {
    const contentItems = [SHIRTS, { description: 'asdfgh', numberOfItems: 1, cost: 10 }]
    for (const { duties, goodsCents } of (await land({ contentItems })).options) {
      expect(goodsCents).toBe(11001)
      expect(duties.complete).toBe(false)
      expect(duties.items[1]?.problem?.fields[0]?.path).toEqual(['contentItems', 1, 'description'])
    }
  })
})

describe('the day', () => {
  test('is today if the rates name none', async () => {
    expect((await land()).options[0]?.duties.date).toBe('2026-10-20')
  })

  test('of the rates also applies to the duties', async () => {
    const { options } = await land({ rates: parcelInput({ asOf: '2027-01-31T23:00:00Z' }) })
    const { date, taxes } = options[0]!.duties
    expect(date).toBe('2027-01-31')
    expect(taxes.map(lineRatePercent)).toEqual(['5', '20'])
  })
})

describe('the work for a request', () => {
  test('includes one call of the finder for all options, and none for given codes', async () => {
    const { asked, tools } = countingTools()
    const given = { ...SHIRTS, description: 'given', tariff: '610910' }
    await landedCost(portsWith(), CALLER, tools, { rates: parcelInput(), contentItems: [SHIRTS, given] })
    expect(asked).toEqual([['t-shirts']])
    await landedCost(portsWith(), CALLER, tools, { rates: parcelInput(), contentItems: [given] })
    expect(asked).toHaveLength(1)
  })

  test('includes one estimate per price, and others can run before each', async () => {
    const { tools } = countingTools()
    const draft = { rates: parcelInput(), contentItems: [SHIRTS] }
    const outcome = await landedCost(portsWith(), CALLER, tools, draft)
    if (outcome.kind === 'InputProblem') throw new Error('the request is valid')
    const prices = new Set(outcome.options.map(({ rate }) => rate.priceCents))
    expect(prices.size).toBeGreaterThan(1)
    expect(tools.turns.next).toHaveBeenCalledTimes(prices.size)
    expect(tools.beforeEstimate).toHaveBeenCalledTimes(prices.size)
  })

  test('includes one read each of prices, tables and day', async () => {
    const { reads, ...ports } = portsWith()
    await landedCost(ports, CALLER, countingTools().tools, { rates: parcelInput(), contentItems: [SHIRTS] })
    expect(reads).toEqual({ rateBook: 1, customsTables: 1, clock: 1 })
  })
})

describe('faults', () => {
  test('of rates, choice and goods are reported together, once each, in the order of the input', async () => {
    const { asked, tools } = countingTools()
    const outcome = await landedCost(portsWith(), CALLER, tools, {
      rates: parcelInput({ from: { country: 'XX' }, parcels: [], asOf: 'soon' }),
      selection: { filter: { carriers: ['nobody'] } },
      contentItems: [{ ...SHIRTS, cost: -1, weight: 'heavy' }],
      insurance: 1.234,
    })
    expect(outcome.kind).toBe('InputProblem')
    if (outcome.kind !== 'InputProblem') return
    expect(outcome.fields.map(({ path }) => path.join('.'))).toEqual([
      'rates.parcels',
      'rates.from.country',
      'rates.asOf',
      'rates.filter.carriers.0',
      'contentItems.0.cost',
      'contentItems.0.weight',
      'insurance',
    ])
    expect(outcome.message).toContain('7 fields')
    expect(asked).toEqual([])
  })

  test('are reported for the goods alone and for the rates alone', async () => {
    const { tools } = countingTools()
    const goods = await landedCost(portsWith(), CALLER, tools, { rates: parcelInput(), contentItems: [] })
    expect(goods).toMatchObject({ kind: 'InputProblem', fields: [{ path: ['contentItems'] }] })
    const rates = parcelInput({ asOf: '2019-12-31' })
    const since2020 = portsWith(tablesOf('CIF'), { ...book, since: '2020-01-01' })
    const day = await landedCost(since2020, CALLER, tools, { rates, contentItems: [SHIRTS] })
    expect(day).toMatchObject({ kind: 'InputProblem', fields: [{ path: ['rates', 'asOf'] }] })
  })
})
