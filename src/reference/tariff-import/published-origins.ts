/**
 * The geographical areas of TARIC and of the tariff of the United Kingdom. Decided here: everybody is ALL, a country
 * is itself, any other area is a group of origins under the jurisdiction and the number it publishes the group with
 * ("EU-2020", "GB-2020"), since the two give one number to different members. Only groups whose members are beyond
 * doubt come with them; the others an operator loads, or their measures concern nobody.
 */
import type { OriginGroupRow } from '../../core/customs/reference/measure-rows.ts'

/** Erga omnes, and all third countries. */
const EVERYBODY = ['1011', '1008', '1000']

/** Areas that are written in letters of their own. Source: the list of geographical areas of TARIC. */
const COUNTRIES: Readonly<Record<string, string>> = { XS: 'RS' }

const EUROPEAN_UNION = 'AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK'

const MEMBERS: Readonly<Record<string, string>> = {
  'EU-1013': EUROPEAN_UNION,
  'GB-1013': EUROPEAN_UNION,
  // The European Economic Area without the Union.
  'EU-2012': 'IS LI NO',
}

/** The area as a measure of a jurisdiction names it; undefined when it is written in no way that is known. */
export function readArea(text: string, jurisdiction: string): string | undefined {
  const area = text.trim().toUpperCase()
  if (EVERYBODY.includes(area) || area === 'ALL' || /^ERGA OMNES/.test(area)) return 'ALL'
  if (/^[A-Z]{2}$/.test(area)) return COUNTRIES[area] ?? area
  return /^[A-Z0-9]{4}$/.test(area) ? `${jurisdiction}-${area}` : undefined
}

/** The areas of a list, which different editions separate differently; undefined when one of them is unknown. */
export function readAreas(text: string, jurisdiction: string): readonly string[] | undefined {
  const areas = text.split(/[|,;\s]+/).filter((area) => area !== '')
  const read = areas.map((area) => readArea(area, jurisdiction))
  return read.includes(undefined) ? undefined : [...new Set(read as string[])]
}

/** True for a group of origins. */
export function isGroup(area: string): boolean {
  return /-[A-Z0-9]{4}$/.test(area)
}

/** The members of these groups, as far as they are known; `unknown` are the groups without. */
export function membersOf(
  dataSet: string,
  groups: Iterable<string>,
): { readonly rows: readonly OriginGroupRow[]; readonly unknown: readonly string[] } {
  const rows: OriginGroupRow[] = []
  const unknown: string[] = []
  for (const originGroup of groups) {
    const members = MEMBERS[originGroup]
    if (members === undefined) unknown.push(originGroup)
    else for (const country of members.split(' ')) rows.push({ dataSet, originGroup, country })
  }
  return { rows, unknown }
}
