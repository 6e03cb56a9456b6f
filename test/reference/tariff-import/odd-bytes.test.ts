/** Readers return rows or faults for arbitrary bytes, and never throw. */
import fc from 'fast-check'
import { strToU8, unzipSync, zipSync } from 'fflate'
import { describe, expect, test } from 'vitest'
import {
  CUSTOMS_FORMATS,
  detectFormat,
  readCustomsFile,
} from '../../../src/reference/tariff-import/formats.ts'
import { caseCount } from '../../support/random/case-count.ts'
import { makeWorkbook } from './make-workbook.ts'
import { fixture } from './read-fixture.ts'

const FIXTURES = [
  'uk-measures.csv',
  'uk-global-tariff.csv',
  'taric-duties.csv',
  'hts.csv',
  'hts.json',
  'eurofxref-hist.csv',
  'pound-rates.csv',
  'vat-rates.csv',
]
const SAMPLES = [
  ...FIXTURES.map(fixture),
  makeWorkbook({
    A: [
      ['Goods code', 'Duty', 'Origin code', 'Start date', 'Meas. type code'],
      ['0101210000', '0 %', '1011', 44197, 103],
    ],
  }),
]

/** A real file with some bytes replaced, removed or inserted. */
const damaged = fc
  .tuple(
    fc.constantFrom(...SAMPLES),
    fc.array(fc.tuple(fc.nat(), fc.integer({ min: 0, max: 3 }), fc.uint8Array({ maxLength: 6 })), {
      minLength: 1,
      maxLength: 8,
    }),
  )
  .map(([sample, changes]) => {
    let bytes = Buffer.from(sample)
    for (const [at, dropped, added] of changes) {
      const place = at % (bytes.length + 1)
      bytes = Buffer.concat([bytes.subarray(0, place), added, bytes.subarray(place + dropped)])
    }
    return new Uint8Array(bytes)
  })

const anyText = fc.string({
  unit: fc.constantFrom(...'commodity code,duty;\n"\t%0123456789[]{}:éµ', '\r\n', 'htsno'),
  maxLength: 300,
})

function readAll(bytes: Uint8Array): void {
  detectFormat('file', bytes)
  for (const format of CUSTOMS_FORMATS) {
    const read = readCustomsFile(format, 'file', bytes, { dataSet: 'x' })
    if (read.faults.length > 0) expect(read.tables).toEqual({})
    else expect(read.counts.rowsUsed).toBeLessThanOrEqual(read.counts.rowsRead)
  }
}

describe('the readers do not throw for', () => {
  test('random bytes', () => {
    fc.assert(fc.property(fc.uint8Array({ maxLength: 400 }), readAll), { numRuns: 300 })
  })
  test('random text', () => {
    fc.assert(
      fc.property(anyText, (text) => readAll(new TextEncoder().encode(text))),
      { numRuns: 400 },
    )
  })
  test('damaged files', () => {
    fc.assert(fc.property(damaged, readAll), { numRuns: caseCount(500, 20_000) })
  })
  test('workbooks with random sheets and texts', () => {
    const piece = fc.oneof(
      fc.constantFrom(
        '<row r="2">',
        '<row>',
        '</row>',
        '<c r="A2" t="s">',
        '<c t="inlineStr">',
        '<c r="ZZZ9">',
        '</c>',
      ),
      fc.constantFrom(
        '<v>',
        '</v>',
        '<is><t>',
        '</t></is>',
        '<si>',
        '</si>',
        '<mergeCell ref="A1:B3"/>',
        '<a',
        '&',
        ']]>',
      ),
      fc.constantFrom('0', '1', '44197', '-1', '1e9', 'Goods code', 'Duty', 'Origin code', '_x000D_'),
    )
    const xml = fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join(''))
    const plain = unzipSync(makeWorkbook({ A: [['x']] }))
    fc.assert(
      fc.property(xml, xml, fc.boolean(), (sheet, strings, isClosed) => {
        const whole = (text: string): Uint8Array => strToU8(isClosed ? `<a>${text}</a>` : text)
        readAll(
          zipSync({
            ...plain,
            'xl/worksheets/sheet1.xml': whole(sheet),
            'xl/sharedStrings.xml': whole(strings),
          }),
        )
      }),
      { numRuns: 300 },
    )
  })
})
