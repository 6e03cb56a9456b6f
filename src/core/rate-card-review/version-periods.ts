/**
 * The periods in which the versions of a card apply, and what changes if a version is published or withdrawn. On each
 * day, the published version with the highest number that is valid applies. See docs/rate-cards.md#versions.
 */
import { isInForce } from '../validity.ts'

/** A published version. Days are 'YYYY-MM-DD'; `validTo` is the first day on which it is no longer valid. */
export type DatedVersion = {
  readonly version: string
  readonly versionNo: number
  readonly validFrom: string
  readonly validTo: string | null
}

/** From `from`, inclusive, to `to`, exclusive. */
export type VersionChange = {
  readonly from: string
  /** Undefined: no end. */
  readonly to: string | undefined
  /** The name of the version that applies; undefined if none does. */
  readonly before: string | undefined
  readonly after: string | undefined
}

/** The periods in which another version applies after a change than before, in order. */
export function versionChanges(
  before: readonly DatedVersion[],
  after: readonly DatedVersion[],
): VersionChange[] {
  const dated = [...before, ...after]
  const days = [
    ...new Set(dated.flatMap(({ validFrom, validTo }) => [validFrom, validTo ?? validFrom])),
  ].sort()
  const changes: VersionChange[] = []
  days.forEach((from, index) => {
    const pair = { before: versionOf(before, from), after: versionOf(after, from) }
    if (pair.before === pair.after) return
    const to = days[index + 1]
    const last = changes.at(-1)
    const isContinued = last?.to === from && last.before === pair.before && last.after === pair.after
    if (isContinued) changes[changes.length - 1] = { ...last, to }
    else changes.push({ from, to, ...pair })
  })
  return changes
}

function versionOf(versions: readonly DatedVersion[], day: string): string | undefined {
  let newest: DatedVersion | undefined
  for (const version of versions)
    if (isInForce(version, day) && version.versionNo > (newest?.versionNo ?? 0)) newest = version
  return newest?.version
}

/** The periods that end after a day, without the part before it. */
export function changesSince(changes: readonly VersionChange[], day: string): VersionChange[] {
  return changes
    .filter(({ to }) => to === undefined || to > day)
    .map((change) => ({ ...change, from: change.from > day ? change.from : day }))
}

/** The periods in which a version does not apply although it is valid, because a newer one does. */
export function overriddenPeriods(
  version: DatedVersion,
  published: readonly DatedVersion[],
): VersionChange[] {
  return versionChanges(
    [version],
    [version, ...published.filter((other) => other.versionNo > version.versionNo)],
  ).filter(({ before }) => before === version.version)
}

/**
 * The first published version that begins after `draft` and that `draft` would override. A correction of the current
 * prices has a higher number than next year's prices, and would replace them too.
 */
export function overriddenSuccessor<Version extends DatedVersion>(
  draft: DatedVersion,
  published: readonly Version[],
): Version | undefined {
  const overridden = new Set(
    versionChanges(published, [...published, draft])
      .filter(({ after }) => after === draft.version)
      .map(({ before }) => before),
  )
  const successors = published.filter(
    ({ version, validFrom }) => validFrom > draft.validFrom && overridden.has(version),
  )
  return successors.sort((a, b) => (a.validFrom < b.validFrom ? -1 : 1))[0]
}

const DAY_MS = 86_400_000

/** "from 2026-12-05 to 2026-12-31", both inclusive, or "from 2026-12-05 on". */
export function periodText({ from, to }: Pick<VersionChange, 'from' | 'to'>): string {
  if (to === undefined) return `from ${from} on`
  const lastDay = new Date(Date.parse(to) - DAY_MS).toISOString().slice(0, 10)
  return `from ${from} to ${lastDay}`
}
