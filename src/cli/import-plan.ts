/**
 * What an import would do, before anything is written: under which name, building on what, against which version
 * it is compared. Decided here: what it changes is told against the newest published version; it says nothing
 * new if it is the same as that one, or as the newest of all.
 */
import type { Kysely } from 'kysely'
import { isUnchanged } from '../core/rating/card-difference.ts'
import type { CardAudience } from '../core/rating/rate-card.ts'
import type { Database } from '../store/database.ts'
import { listFuelRates } from '../store/fuel.ts'
import { listRateCards, type RateCardVersion, type VersionName } from '../store/rate-card-versions.ts'
import { warningLines } from './card-faults.ts'
import { newsLines, sharedNews } from './card-news.ts'
import { checkCard, type LoadedCard, readCardVersion, readPricesOn } from './card-source.ts'
import { inForceOn, newestPublished } from './card-standing.ts'
import { differenceBetween, differenceLines, differenceValue } from './difference-report.ts'
import { counted, Misuse, Refusal } from './output.ts'

/** What the command line says of the card to be. */
export type PlanOptions = {
  readonly code: string
  readonly name?: string
  readonly validFrom: string
  readonly validTo?: string
  readonly contractOnly?: boolean
  readonly base?: VersionName
}

/** What an import comes to before anything is written. */
export type ImportPlan = {
  readonly loaded: LoadedCard
  readonly head: { readonly name: string; readonly audience: CardAudience }
  /** The version a price list builds on. */
  readonly base?: string
  /** The version that says the same already: the newest published one, or else the newest. */
  readonly same?: RateCardVersion
  /** What the version it follows says; absent for the first one. */
  readonly followed?: LoadedCard
  readonly news: readonly string[]
}

/**
 * Plans an import: `files` is what was read of a folder or zip, else `path` is a price list. Throws CardFaults, a
 * Refusal, or Misuse where a new card has no name.
 */
export async function planImport(
  db: Kysely<Database>,
  path: string,
  files: LoadedCard | undefined,
  options: PlanOptions,
): Promise<ImportPlan> {
  const versions = await listRateCards(db, options.code)
  const head = headOf(versions, options)
  const fuelInForce = await listFuelRates(db)
  const base = files === undefined ? await readBase(db, versions, options) : undefined
  const loaded = files ?? checkCard(readPricesOn(base!, path), fuelInForce)
  const read = (version: RateCardVersion | undefined): Promise<LoadedCard> | undefined =>
    version === undefined ? undefined : readCardVersion(db, version)
  const published = newestPublished(versions)
  const followed = await read(published)
  const newsTo = (known: LoadedCard | undefined): string[] =>
    sharedNews(loaded.card, known?.card, fuelInForce)
  const isSame = (version: RateCardVersion | undefined, card: LoadedCard | undefined): boolean =>
    version !== undefined &&
    card !== undefined &&
    hasSameHead(version, head, options) &&
    newsTo(card).length === 0 &&
    isUnchanged(differenceBetween(card, loaded))
  const [newest] = versions
  const same = isSame(published, followed)
    ? published
    : newest !== published && isSame(newest, await read(newest))
      ? newest
      : undefined
  return {
    loaded,
    head,
    ...(base !== undefined && { base: base.name }),
    ...(same !== undefined && { same }),
    ...(followed !== undefined && { followed }),
    news: followed === undefined ? [] : newsTo(followed),
  }
}

/** A card keeps its name and its audience unless it is told otherwise. */
function headOf(
  [newest, ...older]: readonly RateCardVersion[],
  { code: card, name, contractOnly }: PlanOptions,
): ImportPlan['head'] {
  const kept = name ?? newest?.name
  if (kept === undefined)
    throw new Misuse(`there is no rate card ${card} yet: --name gives a new one its name`)
  const audience = contractOnly === true ? 'contract' : (newest?.audience ?? 'everyone')
  const wasSold = newest !== undefined && [newest, ...older].some(({ status }) => status !== 'draft')
  if (wasSold && newest.audience !== audience)
    throw new Refusal(`${card} was published for everyone: contracts alone need another card`)
  return { name: kept, audience }
}

function hasSameHead(
  newest: RateCardVersion,
  { name, audience }: ImportPlan['head'],
  { validFrom, validTo }: PlanOptions,
): boolean {
  const isNamedSo = newest.name === name && newest.audience === audience
  return isNamedSo && newest.validFrom === validFrom && newest.validTo === (validTo ?? null)
}

async function readBase(
  db: Kysely<Database>,
  versions: readonly RateCardVersion[],
  { code: card, base, validFrom }: PlanOptions,
): Promise<LoadedCard> {
  const version = base ?? inForceOn(versions, validFrom) ?? newestPublished(versions) ?? versions[0]
  if (version === undefined)
    throw new Refusal(`there is no version of ${card} that a price list could build on: --base names one`)
  return readCardVersion(db, version)
}

/** What a plan says to people and, as fields of the JSON document, to programs. */
export function describePlan(
  { loaded, followed, base, news, same, head }: ImportPlan,
  changes: number,
): { readonly lines: readonly string[]; readonly value: object } {
  const difference = followed && differenceBetween(followed, loaded)
  const { products, prices } = loaded.card.content
  const size = `${counted(products.length, 'product')}, ${counted(prices.length, 'price')}`
  return {
    lines: [
      ...warningLines(loaded.warnings),
      ...(base === undefined ? [] : [`The prices build on ${base}.`]),
      ...(difference === undefined
        ? [`No version of "${head.name}" is published yet. This one has ${size}.`]
        : differenceLines(difference, changes)),
      ...newsLines(news),
    ],
    value: {
      ...(base !== undefined && { base }),
      ...(same !== undefined && { same: same.version }),
      warnings: loaded.warnings,
      difference: difference === undefined ? null : differenceValue(difference, changes),
      news,
    },
  }
}
