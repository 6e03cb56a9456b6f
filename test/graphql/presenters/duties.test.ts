/** Fields of an estimate that need more work than its amounts are computed only if they are selected. */
import { expect, test } from 'vitest'
import type { DutiesEstimate, ItemEstimate } from '../../../src/core/customs/estimate/estimate.ts'
import type { TaxLine } from '../../../src/core/customs/estimate/tax-line.ts'
import { presentEstimate } from '../../../src/graphql/presenters/duties.ts'
import type { DatedEstimate } from '../../../src/operations/estimate-duties.ts'
import { customsRows, measure } from '../../support/customs/customs-rows.ts'
import { smallEstimate } from '../../support/customs/small-estimate.ts'

const estimate = smallEstimate(customsRows({ measures: [measure('61', 10)] }), [['610910', 1, 200]])
const noPause = () => Promise.resolve()

function dated(changed: Partial<DutiesEstimate>): DatedEstimate {
  return {
    ...estimate,
    ...changed,
    date: '2026-11-21',
    contentItems: [],
    ifCode: () => estimate,
    secondOpinion: () => Promise.resolve(undefined),
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

test('the quotas of a line are found only if they are selected', async () => {
  const [line] = estimate.taxes as [TaxLine]
  const { calculation } = line
  if (calculation.kind !== 'measure') throw new Error('not a duty of the tariff')
  const unread: TaxLine = { ...line, calculation: without(calculation, 'lot') }
  const [presented] = await Promise.all(presentEstimate(dated({ taxes: [unread] }), noPause).taxes())
  expect(presented?.amount).toMatchObject({ amount: '20.00' })
  expect(presented?.quotas).toThrow('lot was read')
})

test('the alternatives to a code are presented only if the classification is selected', async () => {
  const [item] = estimate.items as [ItemEstimate]
  const unread: ItemEstimate = { ...item, classification: without(item.classification!, 'alternatives') }
  const [presented] = await Promise.all(presentEstimate(dated({ items: [unread] }), noPause).items())
  expect(presented?.index).toBe(0)
  expect(presented?.classification).toThrow('alternatives was read')
})
