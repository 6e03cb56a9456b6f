/** Entries of a JSON file, read one by one, compared with those of JSON.parse. */
import { describe, expect, test } from 'vitest'
import { visitJsonEntries } from '../../../src/reference/tariff-import/usitc/json-entries.ts'
import { diceOf } from '../../support/random/seeded-dice.ts'

/** The entries of a text, or what was expected instead. */
function entriesOf(text: string): unknown {
  const entries: unknown[] = []
  const refusal = visitJsonEntries(Buffer.from(text), (entry, number) => {
    expect(number).toBe(entries.length + 1)
    entries.push(entry)
  })
  return refusal?.expected ?? entries
}

const DAMAGED = 'JSON that is complete and not damaged'
const NO_ARRAY = 'an array with an entry for each line of the schedule'

describe('the entries of a JSON file', () => {
  test.each([
    ['[]', []],
    [' [ 1 , "a]b\\"" ,null, {"x":[1,{"y":"}"}]} ] \n', [1, 'a]b"', null, { x: [1, { y: '}' }] }]],
    ['\ufeff[{"htsno":"0101"}]', [{ htsno: '0101' }]],
    ['{"date":"2026","lines":[1,2],"count":2}', [1, 2]],
    ['{"only":[]}', []],
    ['[1', DAMAGED],
    ['[1]]', DAMAGED],
    ['[1,]', DAMAGED],
    ['[,1]', DAMAGED],
    ['[1 2]', DAMAGED],
    ['["a]', DAMAGED],
    ['[{"a":1]', DAMAGED],
    ['[tru]', DAMAGED],
    ['[{"a" 1}]', DAMAGED],
    ['', DAMAGED],
    ['7', NO_ARRAY],
    ['{"a":1}', NO_ARRAY],
    ['{"a":[1],"b":[2]}', NO_ARRAY],
    ['{"a":[1],}', DAMAGED],
    ['{"a":[1] "b":2}', DAMAGED],
    ['{a:[1]}', DAMAGED],
  ])('of %j are %j', (text, expected) => {
    expect(entriesOf(text)).toEqual(expected)
  })

  test('are those of JSON.parse, and a text that JSON.parse refuses is refused', () => {
    const dice = diceOf(7)
    const whole = JSON.stringify([
      { htsno: '0101.21.00', other: '20%', units: ['No.', '"'] },
      4,
      [true, null],
      'é,]',
    ])
    for (let round = 0; round < 3_000; round += 1) {
      const at = dice.int(0, whole.length - 1)
      const damaged =
        whole.slice(0, at) + dice.pick(['', ',', ']', '"', '{', ' ', '1']) + whole.slice(at + dice.int(0, 1))
      let expected: unknown
      try {
        expected = JSON.parse(damaged)
      } catch {
        expected = undefined
      }
      if (Array.isArray(expected)) expect(entriesOf(damaged), damaged).toEqual(expected)
      else expect([DAMAGED, NO_ARRAY], damaged).toContain(entriesOf(damaged))
    }
  })
})
