/**
 * What texts say about schemes of sellers: nothing for goods that a scheme does not cover, and nothing about who
 * collects a tax of zero. Every scheme of the shipped data, and every member of its tax area.
 */
import { expect, test } from 'vitest'
import { unpackRows } from '../../../../src/core/customs/data/packed-rows.ts'
import type { SellerSchemeRow } from '../../../../src/core/customs/data/row-types/seller-schemes.ts'
import {
  type DutiesEstimate,
  estimateRequest,
  givenCode,
} from '../../../../src/core/customs/estimate/estimate.ts'
import { describeLine } from '../../../../src/core/customs/estimate/explain/line.ts'
import { collectorOf } from '../../../../src/core/customs/estimate/import-schemes/collector.ts'
import type { GivenScheme } from '../../../../src/core/customs/request.ts'
import { shippedCustoms } from '../../../../src/reference/customs.ts'
import { shippedTables } from '../../../support/customs/shipped-tables.ts'

const TABLES = shippedTables()
const DAY = '2026-11-28'
const { tables: packed } = shippedCustoms()
const SCHEMES = unpackRows(packed.sellerSchemes)
const RATES = unpackRows(packed.taxRates)

/** The countries of a scheme. */
function placesOf({ jurisdiction }: SellerSchemeRow): readonly string[] {
  return [...TABLES.jurisdictions.values()]
    .filter(({ code, taxAreas }) => code === jurisdiction || taxAreas.includes(jurisdiction))
    .map(({ code }) => code)
    .filter((code) => code.length === 2)
}

function parcel(to: string, codes: readonly string[], importScheme?: GivenScheme): DutiesEstimate {
  const items = codes.map((tariff) => ({
    ...{ description: 'goods', numberOfItems: 1, costSteps: 20_000_000, tariff },
  }))
  const request = { from: { country: 'CN' }, to: { country: to }, items, importScheme }
  return estimateRequest(TABLES, request, codes.map(givenCode), DAY)
}

const GIVEN: readonly (GivenScheme | undefined)[] = [undefined, 'SELLER_COLLECTS', 'IOSS']
const TSHIRT = '610910'

test('no line of excluded goods names the scheme or says that the seller collects, alone or with other goods', () => {
  const faults: string[] = []
  let lines = 0
  for (const row of SCHEMES)
    for (const [place, to] of placesOf(row).entries())
      for (const prefix of row.excludedPrefixes)
        for (const importScheme of place === 0 ? GIVEN : [undefined])
          for (const codes of [[prefix.padEnd(6, '0')], [TSHIRT, prefix.padEnd(6, '0')]]) {
            const estimate = parcel(to, codes, importScheme)
            for (const line of estimate.taxes) {
              if (!line.harmonizedCode.startsWith(prefix)) continue
              lines += 1
              const text = describeLine(estimate.consignment, line)
              const isNamed =
                text.includes(row.scheme.replace('_', ' ')) || /The seller collects|registered/.test(text)
              const isSellers = collectorOf(estimate.consignment, line) === 'SELLER_AT_CHECKOUT'
              if (isNamed || isSellers) faults.push(`${to} ${codes} ${importScheme}: ${text}`)
            }
          }
  expect(faults.slice(0, 5)).toEqual([])
  expect(lines).toBeGreaterThan(500)
})

test('no text says that the seller collects a tax of 0%, and every tax above 0% under the scheme has that text', () => {
  const faults: string[] = []
  let zeros = 0
  for (const row of SCHEMES)
    for (const to of placesOf(row)) {
      const free = RATES.filter(
        (rate) => rate.jurisdiction === to && rate.ratePpm === 0 && rate.codePrefix !== '',
      )
      for (const code of [TSHIRT, ...new Set(free.map(({ codePrefix }) => codePrefix.padEnd(6, '0')))]) {
        const estimate = parcel(to, [code], 'SELLER_COLLECTS')
        for (const line of estimate.taxes) {
          if (line.kind !== 'VAT' && line.kind !== 'GST') continue
          const text = describeLine(estimate.consignment, line)
          const isSaid = text.includes('The seller collects it at the checkout')
          const isSellers = collectorOf(estimate.consignment, line) === 'SELLER_AT_CHECKOUT'
          if (isSaid !== (isSellers && line.amountCents > 0)) faults.push(`${to} ${code}: ${text}`)
          if (isSellers && line.amountCents === 0) zeros += 1
        }
      }
    }
  expect(faults.slice(0, 5)).toEqual([])
  expect(zeros).toBeGreaterThan(10)
})
