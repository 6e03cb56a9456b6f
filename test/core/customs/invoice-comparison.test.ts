import { expect, test } from 'vitest'
import { compareInvoice, type InvoiceCharge } from '../../../src/core/customs/invoice-comparison.ts'
import type { KeptEstimate } from '../../../src/core/customs/kept-estimate.ts'

const estimate = (id: string, to: string, totalCents: number, complete = true): KeptEstimate => ({
  ...{ estimateId: id, createdAt: '', expiresAt: '', date: '2026-11-21', customsRevision: 1 },
  request: { from: { country: 'CN' }, to: { country: to }, items: [] },
  ...{ totalCents, customsValueCents: 0, complete, lines: [] },
})

const charge = (row: number, name: string, chargedCents: number): InvoiceCharge => ({
  ...{ row, by: 'estimate_id', name, chargedCents },
})

const KEPT = new Map(
  [
    estimate('a', 'DE', 1_000),
    estimate('b', 'DE', 1_050),
    estimate('c', 'DE', 900, false),
    estimate('d', 'DE', 2_001),
    estimate('e', 'GB', 0),
  ].map((kept) => [kept.estimateId, kept]),
)
const compare = (...charges: readonly InvoiceCharge[]) =>
  compareInvoice(charges, ({ name }) => KEPT.get(name))

test('reports errors by lane, the largest errors, and what was not compared', () => {
  const { rows, lanes, all, worst, unmatched } = compare(
    charge(2, 'a', 1_000),
    charge(3, 'b', 1_000),
    charge(4, 'c', 1_000),
    charge(5, 'd', 1_000),
    charge(6, 'e', 0),
    charge(7, 'x', 77),
    charge(8, 'a', 500),
  )
  expect(rows).toBe(7)
  expect(lanes).toEqual([
    {
      ...{ lane: 'CN → DE', count: 4, incomplete: 1 },
      // Errors of -100, 0, 50 and 1001: the mean 237.75 and the median 25.
      ...{ meanErrorCents: 238, medianErrorCents: 25, within5Percent: 2 },
      ...{ estimatedCents: 4_951, chargedCents: 4_000 },
    },
    {
      ...{ lane: 'CN → GB', count: 1, incomplete: 0, meanErrorCents: 0, medianErrorCents: 0 },
      ...{ within5Percent: 1, estimatedCents: 0, chargedCents: 0 },
    },
  ])
  expect(all).toMatchObject({ count: 5, medianErrorCents: 0, estimatedCents: 4_951, chargedCents: 4_000 })
  expect(worst.map(({ row, errorCents }) => [row, errorCents])).toEqual([
    [5, 1_001],
    [4, -100],
    [3, 50],
    [2, 0],
    [6, 0],
  ])
  expect(unmatched.map(({ row, reason }) => [row, reason])).toEqual([
    [7, 'NOT_KEPT'],
    [8, 'REPEATED'],
  ])
})

test.each([
  [1_050, 1_000, 1],
  [1_051, 1_000, 0],
  [950, 1_000, 1],
  [949, 1_000, 0],
  [1, 0, 0],
])('an estimate of %d for a charge of %d is within 5%%: %d', (estimated, charged, within5Percent) => {
  const { all } = compareInvoice([charge(2, 'a', charged)], () => estimate('a', 'DE', estimated))
  expect(all.within5Percent).toBe(within5Percent)
})

test('an invoice without matches has no lanes', () => {
  const { lanes, all, worst } = compare(charge(2, 'x', 1))
  expect({ lanes, worst }).toEqual({ lanes: [], worst: [] })
  expect(all).toMatchObject({ count: 0, meanErrorCents: 0, medianErrorCents: 0 })
})

test('lists at most ten errors', () => {
  const charges = Array.from({ length: 12 }, (_, index) => charge(index + 2, `n${index}`, index))
  const { worst } = compareInvoice(charges, ({ name }) => estimate(name, 'DE', 0))
  expect(worst.map(({ chargedCents }) => chargedCents)).toEqual([11, 10, 9, 8, 7, 6, 5, 4, 3, 2])
})
