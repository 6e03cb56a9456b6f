/**
 * The lanes of a card's zone charts: each pair of groups once, between groups that the chart has. '=' to '=' is
 * the lane within one country.
 */
import type { RateCardContent } from '../rate-card.ts'
import { SAME_COUNTRY } from '../zone.ts'
import { type CardIndex, isGroup, listText } from './card-index.ts'
import { type Reports, reportDuplicates } from './findings.ts'

/** Checks lanes, and warns of groups that no lane names. */
export function checkLanes(
  { lanes, countryGroups }: RateCardContent,
  index: CardIndex,
  reports: Reports,
): void {
  const { fault } = reports
  const said = new Set<string>()
  lanes.forEach((lane, row) => {
    const { zoneChart, fromGroup, toGroup } = lane
    if ((fromGroup === SAME_COUNTRY) !== (toGroup === SAME_COUNTRY)) {
      const found = `${fromGroup} to ${toGroup}`
      const expected = `${SAME_COUNTRY} at both ends of the lane within one country, or at none`
      const field = fromGroup === SAME_COUNTRY ? 'toGroup' : 'fromGroup'
      fault('lanes', 'half domestic', { index: row, field, expected, found })
    }
    const chart = index.charts.get(zoneChart)
    // A chart without any group is said at its product.
    if (chart === undefined || chart.groups.size === 0) return
    for (const field of ['fromGroup', 'toGroup'] as const) {
      const group = lane[field]
      const cause = `${zoneChart} ${group}`
      if (isGroup(chart, group) || said.has(cause)) continue
      said.add(cause)
      const expected = `a group that a country has in ${listText('zone chart', zoneChart)}`
      fault('lanes', 'unknown group', { index: row, field, expected, found: group })
    }
  })
  reportDuplicates(
    fault,
    'lanes',
    lanes,
    ({ zoneChart, fromGroup, toGroup }) => `${zoneChart} ${fromGroup} to ${toGroup}`.trimStart(),
    'one row for each lane of a chart',
  )
  warnOfIdleGroups({ lanes, countryGroups }, reports)
}

/** A group that is in no lane is not served beyond its own country. */
function warnOfIdleGroups(
  { lanes, countryGroups }: Pick<RateCardContent, 'lanes' | 'countryGroups'>,
  { warn }: Reports,
): void {
  const key = (chart: string, group: string): string => JSON.stringify([chart, group])
  const named = new Set<string>()
  const international = new Set<string>()
  for (const { zoneChart, fromGroup, toGroup } of lanes) {
    named.add(key(zoneChart, fromGroup)).add(key(zoneChart, toGroup))
    if (fromGroup !== SAME_COUNTRY) international.add(zoneChart)
  }
  countryGroups.forEach(({ zoneChart, group }, row) => {
    // A chart of domestic lanes alone has groups only to say which countries it serves.
    if (!international.has(zoneChart) || named.has(key(zoneChart, group))) return
    named.add(key(zoneChart, group))
    const expected = `a lane from or to the group in ${listText('zone chart', zoneChart)}`
    warn('countryGroups', 'idle group', { index: row, field: 'group', expected, found: `none for ${group}` })
  })
}
