/** The text of goods, which checkout tokens are bound to. */
import { expect, test } from 'vitest'
import { goodsText } from '../../src/operations/cart.ts'

test('the text of goods depends on every field that decides their code', () => {
  const item = { description: 't-shirt', numberOfItems: 1, costSteps: 10 }
  const others = [
    { sku: 'A1' },
    { sku: 'A2' },
    { facts: { material: 'wool' } },
    { facts: { composition: 'wool' } },
    { answers: [{ id: 'fibre', value: 'wool' }] },
    { answers: [{ id: 'make', value: 'wool' }] },
  ]
  const texts = [{}, ...others].map((fields) => goodsText([{ ...item, ...fields }]))
  expect(new Set(texts).size).toBe(7)
  expect(goodsText([{ ...item, facts: { use: 'x', brand: 'y' } }])).toBe(
    goodsText([{ ...item, facts: { brand: 'y', use: 'x' }, sku: undefined, answers: undefined }]),
  )
})
