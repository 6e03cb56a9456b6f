/**
 * The range of the total: its order on the shipped data, its ends by hand, and that it contains the total of every
 * national line that a six-digit code may stand for.
 */
import { describe, expect, test } from 'vitest'
import { type DutiesEstimate, estimateRequest, givenCode } from '../../../../src/core/customs/estimate/estimate.ts'
import { type EstimateRange, estimateRange } from '../../../../src/core/customs/estimate/estimate-range.ts'
import type { DutiesRequest } from '../../../../src/core/customs/request.ts'
import { lineCodes } from '../../../../src/core/customs/tariff/tariff.ts'
import { shippedTables } from '../../../support/customs/shipped-tables.ts'

const tables = shippedTables()
const DAY = '2026-11-28'

type Ask = {
  readonly from?: string
  readonly to: string
  readonly code?: string
  readonly euro: number
  readonly originCountry?: string
} & Partial<DutiesRequest>

function ask({ from = 'CN', to, code = '', euro, originCountry, ...rest }: Ask): {
  readonly estimate: DutiesEstimate
  readonly range: EstimateRange
} {
  const request: DutiesRequest = {
    from: { country: from },
    to: { country: to },
    items: [
      {
        description: 'goods',
        numberOfItems: 1,
        costSteps: euro * 1_000_000,
        tariff: code,
        ...(originCountry !== undefined && { originCountry }),
      },
    ],
    ...rest,
  }
  const codes = [code === '' ? undefined : givenCode(code)]
  const estimate = estimateRequest(tables, request, codes, DAY)
  return { estimate, range: estimateRange({ tables, request, codes, date: DAY }, estimate) }
}

/** As a business, so that no rule for consumers applies: "least / likely / most". */
function ends(question: Ask): string {
  const { leastCents, likelyCents, mostCents } = ask(question).range
  return [leastCents, likelyCents, mostCents ?? 'unknown'].join(' / ')
}

describe('probe', () => {
  test('prints', () => {
    for (const q of [
      { to: 'US', from: 'PT', code: '640411', euro: 70 },
      { to: 'US', from: 'CA', code: '610910', euro: 50, originCountry: 'CA' },
      { to: 'DE', code: '640411', euro: 1000, recipient: 'business' },
      { to: 'DE', code: '640411', euro: 1000 },
      { to: 'DE', code: '640411', euro: 100, originCountry: 'GB', from: 'GB' },
      { to: 'DE', code: '871160', euro: 1500, recipient: 'business' },
      { to: 'GB', code: '420221', euro: 300 },
      { to: 'NG', code: '610910', euro: 300 },
      { to: 'EG', code: '610910', euro: 300 },
      { to: 'NO', code: '610910', euro: 50 },
      { to: 'JP', code: '420221', euro: 300 , from: 'DE', originCountry: 'DE'},
      { to: 'CH', code: '610910', euro: 300 },
      { to: 'TR', code: '610910', euro: 20 },
      { to: 'DE', euro: 20 },
    ] as Ask[]) console.log(JSON.stringify(q), ends(q), JSON.stringify(ask(q).range.decision), ask(q).range.withoutBound)
  })
})

describe('contains', () => {
  test.each(['DE', 'GB', 'JP', 'US', 'ZA', 'CN', 'AU', 'MX', 'BR'])('%s', (to) => {
    const area = ({ DE: 'EU', ZA: 'SACU' } as Record<string, string>)[to] ?? to
    const tariff = tables.tariffs.get(area)!
    const lines = lineCodes(tariff).filter((code) => code.length > 6)
    const faults: string[] = []
    let n = 0
    for (const code of lines) {
      const { range } = ask({ to, from: 'BR', code: code.slice(0, 6), euro: 300, recipient: 'business' })
      const { range: line } = ask({ to, from: 'BR', code, euro: 300, recipient: 'business' })
      n++
      if (line.likelyCents < range.leastCents || (range.mostCents !== undefined && line.likelyCents > range.mostCents))
        faults.push(`${code}: ${line.likelyCents} is outside ${range.leastCents}..${range.mostCents}`)
    }
    console.log(to, n, faults.length, faults.slice(0, 5))
  }, 200000)
})
