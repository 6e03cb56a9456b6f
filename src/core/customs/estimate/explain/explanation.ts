/**
 * How lines are explained: one record for each rule that charges an amount, and one for each reason why nothing is
 * charged. A record answers every question about its lines; line.ts asks them.
 */
import type { Exact } from '../../exact.ts'
import type { ConditionalDuty } from '../../tariff/conditional-duty.ts'
import type { Consignment } from '../consignment.ts'
import type { DutyBasis } from '../duty/basis.ts'
import type { ExactLine } from '../tax-line.ts'
import type { Ground, LineSource, RateRange } from './text.ts'

export type Explanation<Facts> = {
  /** Rate, basis, assumptions, data set and date; or the reason why the amount is zero. */
  readonly describe: (facts: Facts, subject: Subject) => string
  /** The one reason that decides about the amount, as a part of a sentence: "21% of EUR 100.00". See summary.ts. */
  readonly reason: (facts: Facts, subject: Subject) => string
  /** The row that the figures come from; undefined if there is none. */
  readonly source: (facts: Facts, subject: Subject) => LineSource | undefined
  /** What the amount rests on besides the row of `source`: exchange rates and other rules. Absent: nothing. */
  readonly grounds?: (facts: Facts, subject: Subject) => readonly Ground[]
  /** The range that the rate of a duty lies in. Absent: it is the rate of one line, or nothing is known. */
  readonly range?: (facts: Facts) => RateRange | undefined
  /** What is due at least, in euro. Absent: not known. */
  readonly least?: (facts: Facts) => Exact | undefined
  /** What the request leaves open. Absent: nothing, or everything if the line has no amount. */
  readonly open?: (facts: Facts, subject: Subject) => readonly OpenPoint[]
  /** Of a duty. Absent: a national line if the amount is known, otherwise not loaded. */
  readonly basis?: (facts: Facts) => DutyBasis
  /** Absent: none. */
  readonly quotas?: (facts: Facts) => readonly ConditionalDuty[]
  /** The rate and what it is applied to: "6.5% × EUR 200.00". Absent: no rate was applied. */
  readonly product?: (facts: Facts, subject: Subject) => string
  /** Percent as decimal text ("21", "4.5"); undefined if the amount is not a plain share of the base. */
  readonly ratePercent?: (facts: Facts) => string | undefined
}

/** What a request leaves open about a line. */
export type OpenPoint =
  /** No upper bound of the line is known. `lineName`: of a charge that has no line of its own. */
  | { readonly kind: 'unbounded'; readonly lineName?: string }
  /** The amount lies in a known range. */
  | {
      readonly kind: 'range'
      /** The name that the line has if the amount is charged. */
      readonly lineName: string
      /** What decides, as a sentence. */
      readonly decision: string
    }

export type Subject = { readonly consignment: Consignment; readonly line: ExactLine }

/** One record for each reason of a group. */
export type ReasonTexts<Reasons> = { readonly [Reason in keyof Reasons]: Explanation<Reasons[Reason]> }

/** The record of a rule that charges an amount. */
export type ChargeTexts<Facts> = Explanation<Facts> &
  Required<Pick<Explanation<Facts>, 'product' | 'ratePercent'>>
