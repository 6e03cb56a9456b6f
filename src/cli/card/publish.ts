/** Publishes a draft, for `card publish` and `card import --publish`, and lists what this changes for other cards. */

import { type Command, Option } from 'commander'
import type { Kysely } from 'kysely'
import { type SharedTables, sharedChanges } from '../../core/rate-card-review/difference/card-difference.ts'
import {
  overriddenSuccessor,
  periodText,
  type VersionChange,
  versionChanges,
} from '../../core/rate-card-review/version-periods.ts'
import { versionText } from '../../core/rating/card-version.ts'
import { rateOn } from '../../core/rating/currency/conversion.ts'
import { fuelText } from '../../core/rating/explain/fuel.ts'
import type { FuelRate } from '../../core/rating/rate-card.ts'
import { latestOn } from '../../core/validity.ts'
import { loadCompiledCustoms } from '../../store/customs/customs.ts'
import { type Database, OperatorError } from '../../store/database/database.ts'
import {
  listRateCards,
  publishDraft,
  publishRateCard,
  type RateCardVersion,
  readPriceTerms,
  type VersionName,
} from '../../store/rate-cards/versions.ts'
import { askYesOrNo, type Consent, confirm, currentDay } from '../terminal/arguments.ts'
import { Refusal } from '../terminal/errors.ts'
import { APPLIED_SOON, announce, type Output, print } from '../terminal/output.ts'
import { type BelowCostOptions, belowCostOption, checkVersionChange } from './below-cost.ts'

/**
 * Lists what publishing a card changes in the tables that all cards share (carriers, capitals, fuel). Leaves out rows
 * that are also in `published` (the previous version), and fuel percentages that are already in force.
 */
export function sharedChangeLines(
  card: SharedTables,
  published: SharedTables | undefined,
  fuelInForce: readonly FuelRate[],
): string[] {
  const { carriers, capitals, fuel } = sharedChanges(card, published)
  return [
    ...carriers.map(({ code, name, connector }) => `carrier ${code}: ${name}, connector ${connector}`),
    ...capitals.map(
      ({ country, city, postalCode }) => `capital of ${country}: ${`${city} ${postalCode}`.trimEnd()}`,
    ),
    ...fuel
      .filter((rate) => !fuelInForce.some((other) => isSameRate(rate, other)))
      .map((rate) => `fuel ${rate.carrierCode} ${rate.code} from ${rate.validFrom}: ${fuelText(rate)}`),
  ]
}

function isSameRate(one: FuelRate, other: FuelRate): boolean {
  const isForSameSurcharge = one.carrierCode === other.carrierCode && one.code === other.code
  return isForSameSurcharge && one.validFrom === other.validFrom && fuelText(one) === fuelText(other)
}

/** The lines of `sharedChangeLines` below a heading, or no lines. */
export function withHeading(changes: readonly string[]): string[] {
  if (changes.length === 0) return []
  return [
    'Publishing it also changes these tables for all rate cards:',
    ...changes.map((line) => `  ${line}`),
  ]
}

/** `--until-next` and `--override-next`: what to do if a version would override one that begins later. */
export type PublishOptions = Consent &
  BelowCostOptions & { readonly untilNext?: boolean; readonly overrideNext?: boolean }

export function publishOptions(command: Command): Command {
  return command
    .addOption(
      new Option('--until-next', 'end the version where the next published one begins').conflicts(
        'overrideNext',
      ),
    )
    .option('--override-next', 'let the version override published ones that begin later')
    .addOption(belowCostOption())
}

/** A warning if today's exchange rate of the currency of a version is missing or too old. */
async function missingRateLines(db: Kysely<Database>, version: VersionName): Promise<string[]> {
  const terms = await readPriceTerms(db, version)
  if (terms === undefined || terms.currency === 'EUR') return []
  const { currency, rateDays } = terms
  const { exchangeRates } = await loadCompiledCustoms(db)
  const day = currentDay()
  if (rateOn(exchangeRates, terms, day) !== undefined) return []
  const newest = latestOn(exchangeRates.get(currency) ?? [], day)
  const known = newest === undefined ? 'none is known' : `the newest one is of ${newest.validFrom}`
  return [
    `Quotes need an exchange rate of ${currency} that is at most ${rateDays} days old, and ${known}. Until one is imported (waybill customs import), the products of ${versionText(version)} are not offered.`,
  ]
}

/**
 * Warns if the version cannot be quoted, lists the periods in which it overrides others and prices below the cost, asks
 * for confirmation and publishes. Throws a Refusal if the answer is no, if prices would be below the cost, if the rate
 * book would be invalid with this version, or if its revision is not `previewed`. The version is then still a draft.
 */
export async function confirmAndPublish(
  db: Kysely<Database>,
  { code, versionNo }: VersionName,
  previewed: number,
  consent: PublishOptions,
  output: Output,
): Promise<void> {
  const name = versionText({ code, versionNo })
  print(output, consent.json, await missingRateLines(db, { code, versionNo }))
  const versions = await listRateCards(db, code)
  const validTo = await confirmPeriods(versions, name, consent, output)
  const draft = versions.find(({ version }) => version === name)
  if (draft !== undefined)
    await refusingFaults(name, () =>
      checkVersionChange(
        db,
        {
          change: (trx) => publishDraft(trx, { code, versionNo }, () => {}, validTo),
          from: draft.validFrom,
          to: validTo ?? draft.validTo ?? undefined,
          consequence: `not published: ${name} stays a draft`,
        },
        consent,
        output,
      ),
    )
  if (!(await confirm(output, consent, `Publish ${name}?`)))
    throw new Refusal(`not published: ${name} stays a draft`)
  announce(output, consent.json, `Publishing ${name}`)
  await refusingFaults(name, () => publishRateCard(db, { code, versionNo }, validTo, previewed))
  print(output, consent.json, [`Published ${name}. ${APPLIED_SOON}`])
}

/** Throws a Refusal if the version cannot be published. */
async function refusingFaults<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof OperatorError) throw new Refusal(`${error.message}; ${name} is not published`)
    throw error
  }
}

/**
 * Prints the periods in which the draft `name` would override published versions. If one of these begins later, asks
 * whether the draft ends where it begins. Returns the new end of the draft, if it changes.
 */
async function confirmPeriods(
  versions: readonly RateCardVersion[],
  name: string,
  options: PublishOptions,
  output: Output,
): Promise<string | undefined> {
  const published = versions.filter(({ status }) => status === 'published')
  const draft = versions.find(({ version }) => version === name)
  if (draft === undefined) return undefined
  print(output, options.json, overrideLines(draft, published))
  const next = overriddenSuccessor(draft, published)
  if (next === undefined || options.overrideNext === true) return undefined
  const isEnded = options.untilNext === true || (await askForEnd(draft, next, options, output))
  if (!isEnded) return undefined
  print(output, options.json, [
    `${name} ends where ${next.version} begins: it applies before ${next.validFrom}.`,
    ...overrideLines({ ...draft, validTo: next.validFrom }, published),
  ])
  return next.validFrom
}

function overrideLines(draft: RateCardVersion, published: readonly RateCardVersion[]): string[] {
  const changes = versionChanges(published, [...published, draft])
  return changeLines(changes.filter(({ before }) => before !== undefined))
}

/** Throws a Refusal if the answer is neither yes nor no. */
async function askForEnd(
  draft: RateCardVersion,
  next: RateCardVersion,
  options: PublishOptions,
  output: Output,
): Promise<boolean> {
  const begins = `${next.version}, which begins on ${next.validFrom}`
  if (options.yes === true)
    throw new Refusal(
      `not published: ${draft.version} would override ${begins}: add --until-next to end it there, or --override-next`,
    )
  const isEnded = await askYesOrNo(
    output,
    options,
    `End ${draft.version} on ${next.validFrom}, so that it does not override ${begins}?`,
  )
  if (isEnded === undefined) throw new Refusal(`not published: ${draft.version} stays a draft`)
  return isEnded
}

/** "demo@2 applies instead of demo@1 from 2026-12-01 on". */
export function changeLines(changes: readonly VersionChange[]): string[] {
  return changes.map(({ before, after, ...period }) => {
    const when = periodText(period)
    if (after === undefined) return `No version applies ${when}, where ${before} does now.`
    return before === undefined
      ? `${after} applies ${when}, where no version does now.`
      : `${after} applies instead of ${before} ${when}.`
  })
}
