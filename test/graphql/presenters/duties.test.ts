/** Fields of an estimate that need more work than its amounts are computed only if they are selected. */
import { expect, test } from 'vitest'
import type { DutiesEstimate, ItemEstimate } from '../../../src/core/customs/estimate/estimate.ts'
import type { TaxLine } from '../../../src/core/customs/estimate/tax-line.ts'
import { presentEstimate } from '../../../src/graphql/presenters/duties.ts'
import { estimateFields } from '../../../src/graphql/resolvers/estimate-fields.ts'
import type { DatedEstimate } from '../../../src/operations/estimate-duties.ts'
import { customsRows, measure } from '../../support/customs/customs-rows.ts'
import { smallEstimate } from '../../support/customs/small-estimate.ts'

const estimate = smallEstimate(customsRows({ measures: [measure('61', 10)] }), [['610910', 1, 200]])

/** Selects a field of an estimate, or of a part of it. */
function select(
  type: 'DutiesEstimate' | 'TaxLine' | 'ItemEstimate' | 'Classification',
  field: string,
  parent: unknown,
): unknown {
  const resolve = Object.entries(estimateFields[type] ?? {}).find(([name]) => name === field)?.[1]
  if (typeof resolve !== 'function') throw new Error(`${type}.${field} has no resolver`)
  return (resolve as (parent: unknown) => unknown)(parent)
}

function dated(changed: Partial<DutiesEstimate>): DatedEstimate {
  return {
    ...estimate,
    ...changed,
    date: '2026-11-21',
    contentItems: [],
    ifCode: () => estimate,
    restrictions: () => [],
    secondOpinion: () => Promise.resolve(undefined),
    range: () => ({ leastCents: 0, likelyCents: 0, mostCents: 0, withoutBound: [], decision: undefined }),
    underOtherScheme: () => undefined,
  }
}

/** A copy whose field cannot be read. */
function without<Value extends object>(value: Value, field: keyof Value): Value {
  const read = () => {
    throw new Error(`${String(field)} was read`)
  }
  return Object.defineProperty({ ...value }, field, { get: read })
}

test('the quotas of a line are found only if they are selected', () => {
  const [line] = estimate.taxes as [TaxLine]
  const { calculation } = line
  if (calculation.kind !== 'charged' || calculation.rule !== 'measure')
    throw new Error('not a duty of the tariff')
  const unread: TaxLine = {
    ...line,
    calculation: { ...calculation, facts: without(calculation.facts, 'lot') },
  }
  const [presented] = select('DutiesEstimate', 'taxes', presentEstimate(dated({ taxes: [unread] }))) as [
    object,
  ]
  expect(presented).toMatchObject({ amount: { amount: '20.00' } })
  expect(() => select('TaxLine', 'quotas', presented)).toThrow('lot was read')
})

test('the alternatives to a code are presented only if they are selected', () => {
  const [item] = estimate.items as [ItemEstimate]
  const unread: ItemEstimate = { ...item, classification: without(item.classification!, 'alternatives') }
  const [presented] = select('DutiesEstimate', 'items', presentEstimate(dated({ items: [unread] }))) as [
    object,
  ]
  expect(presented).toMatchObject({ index: 0 })
  const classification = select('ItemEstimate', 'classification', presented)
  expect(() => select('Classification', 'alternatives', classification)).toThrow('alternatives was read')
})
