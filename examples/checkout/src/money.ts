/** Amounts and days as text. Amounts stay decimal strings; only bars on the screen are drawn from numbers. */
import { CURRENCY, decimal } from './catalogue.ts'

export type Amount = { readonly amount: string; readonly currency: string }

export function money({ amount, currency }: Amount): string {
  const format = new Intl.NumberFormat('en', { style: 'currency', currency })
  return format.format(amount as Intl.StringNumericLiteral)
}

export function moneyOfCents(cents: number): string {
  return money({ amount: decimal(cents), currency: CURRENCY })
}

export function centsOf({ amount }: Amount): number {
  return Math.round(Number(amount) * 100)
}

const DAY = new Intl.DateTimeFormat('en-GB', {
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  timeZone: 'UTC',
})

/** "2026-12-01" as "Tue 1 Dec". */
function day(date: string): string {
  return DAY.format(new Date(`${date}T00:00:00Z`)).replace(',', '')
}

type Delivery = {
  readonly earliestDelivery: string | null
  readonly latestDelivery: string | null
  readonly transit: { readonly minWorkingDays: number; readonly maxWorkingDays: number }
}

/** "Tue 1 Dec to Thu 3 Dec"; working days if the holidays of the destination are not known. */
export function arrival({ earliestDelivery, latestDelivery, transit }: Delivery): string {
  if (earliestDelivery === null || latestDelivery === null)
    return `in ${transit.minWorkingDays} to ${transit.maxWorkingDays} working days`
  if (earliestDelivery === latestDelivery) return day(latestDelivery)
  return `${day(earliestDelivery)} to ${day(latestDelivery)}`
}
