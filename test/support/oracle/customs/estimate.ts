/**
 * Oracle for estimates: a second, slow and simple implementation, written from the documents. It scans the plain rows
 * for every item, without an index or cache, in fractions of BigInt. It shares no code with the engine. Rules:
 * docs/customs-data.md#how-an-estimate-is-calculated.
 */

import type { TaxKind } from '../../../../src/core/customs/data/row-types/taxes.ts'
import type { CustomsRows } from '../../../../src/core/customs/data/rows.ts'
import type { GivenScheme } from '../../../../src/core/customs/request.ts'
import { consignmentOf, type OracleRequest, roundedCents } from './case.ts'
import { feesOf, taxLines } from './charges.ts'
import { withoutMissingList } from './code.ts'
import { dutiesOf, type UnroundedLine } from './duties.ts'
import { centsOf, plus, ZERO } from './fraction.ts'
import type { OracleBasis } from './measures.ts'
import { collectorOf, type OracleCollector, usedScheme } from './seller-scheme.ts'
import { otherScheme } from './threshold.ts'

export type { OracleItem, OracleRequest } from './case.ts'

export type OracleTaxLine = {
  readonly harmonizedCode: string
  readonly kind: TaxKind
  readonly name: string
  readonly amountCents: number
  /** What the rate is applied to. */
  readonly baseCents: number
  readonly computed: boolean
  /** Of duties. */
  readonly basis: OracleBasis | undefined
  /** What is due at least, of a line without an amount. */
  readonly leastCents: number | undefined
  readonly collectedBy: OracleCollector
}

export type OracleEstimate = {
  readonly lines: readonly OracleTaxLine[]
  readonly estimateCents: number
  /** False if a line could not be calculated or an item has no code. */
  readonly complete: boolean
  /** The scheme for which other low-value rules apply, or for which somebody else collects the tax. */
  readonly otherScheme: GivenScheme | undefined
  /** The part of the estimate that the seller collects. */
  readonly checkoutCents: number
  /** The scheme under which it does, and why: "VOEC ASSUMED". */
  readonly sellerScheme: string | undefined
}

/** An item without `tariff` has no code and no lines. */
export function oracleEstimate(given: CustomsRows, request: OracleRequest, date: string): OracleEstimate {
  const rows = { ...given, measures: given.measures.map((row) => withoutMissingList(given, row)) }
  const consignment = consignmentOf(rows, request, date)
  const duties = dutiesOf(consignment)
  const fees = feesOf(consignment, duties)
  const codes = [...new Set(consignment.goods.map(({ code }) => code))]
  const byCode = (lines: readonly UnroundedLine[]): readonly UnroundedLine[] =>
    codes.flatMap((code) => lines.filter(({ harmonizedCode }) => harmonizedCode === code))
  const sections = [
    byCode(duties.flatMap(({ lines }) => lines)),
    fees.lines,
    byCode(taxLines(consignment, duties, fees)),
  ]
  const lines = sections
    .flatMap(addUp)
    .map(({ harmonizedCode, kind, name, amount, base, computed, basis, least, atCheckout }) => ({
      harmonizedCode,
      kind,
      name,
      amountCents: roundedCents(consignment, amount),
      baseCents: centsOf(base),
      computed,
      basis,
      leastCents: least && centsOf(least),
      collectedBy: collectorOf(consignment, atCheckout),
    }))
  const used = usedScheme(consignment)
  const atCheckout = lines.filter(({ collectedBy }) => collectedBy === 'SELLER_AT_CHECKOUT')
  return {
    lines,
    estimateCents: totalCents(lines),
    checkoutCents: totalCents(atCheckout),
    sellerScheme: used && `${used.scheme} ${used.basis}`,
    complete:
      lines.every(({ computed }) => computed) && request.items.every(({ tariff }) => tariff !== undefined),
    otherScheme: otherScheme(consignment),
  }
}

function totalCents(lines: readonly OracleTaxLine[]): number {
  return lines.reduce((total, { amountCents }) => total + amountCents, 0)
}

/** The least exact first. */
const BASES: readonly (OracleBasis | undefined)[] = [
  'NOT_LOADED',
  'GROUP_AVERAGE',
  'SUBHEADING',
  'NATIONAL_LINE',
  undefined,
]

/** Joins lines of one code and name, in the place of the first. */
function addUp(lines: readonly UnroundedLine[]): readonly UnroundedLine[] {
  const sums = new Map<string, UnroundedLine>()
  for (const line of lines) {
    const key = `${line.harmonizedCode} ${line.name}`
    const before = sums.get(key)
    sums.set(
      key,
      before === undefined
        ? line
        : {
            ...before,
            amount: plus(before.amount, line.amount),
            base: plus(before.base, line.base),
            computed: before.computed && line.computed,
            ...leastExact(before, line),
            ...((before.least ?? line.least) !== undefined && {
              least: plus(before.least ?? ZERO, line.least ?? ZERO),
            }),
          },
    )
  }
  return [...sums.values()]
}

function leastExact(first: UnroundedLine, second: UnroundedLine): Pick<UnroundedLine, 'basis'> {
  const basis = BASES.find((one) => one === first.basis || one === second.basis)
  return basis === undefined ? {} : { basis }
}
