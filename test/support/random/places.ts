/**
 * Random zone charts and area lists with nested or disjoint postal ranges and with cities, and random places near their
 * bounds. There are few countries, so that requests match the lists.
 */
import { normalisePostalCode, postalInterval } from '../../../src/core/place.ts'
import type {
  AreaClass,
  AreaRow,
  CapitalRow,
  CountryGroupRow,
  LaneRow,
  PlaceRange,
} from '../../../src/core/rating/rate-card.ts'
import { type Dice, withoutUndefined } from './seeded-dice.ts'

/** The countries in random cards. */
export const CARD_COUNTRIES = ['NL', 'ES', 'FR', 'GB', 'IE', 'US', 'PT', 'SG'] as const

/** Countries in requests that cards cover only with '*'. */
export const OTHER_COUNTRIES = ['BE', 'JP', 'XK', 'MT'] as const

/** Bounds of postal ranges: codes, prefixes, districts. */
const RANGE_ENDS: Readonly<Record<string, readonly string[]>> = {
  NL: ['1', '10', '17', '1790', '1797', '1799', '88', '8899', '9', '9160'],
  ES: ['07', '071', '28', '28013', '35', '35000', '35999', '38', '38000', '38999', '51', '52'],
  FR: ['20', '200', '20000', '20999', '75', '75001', '971', '976', '984', '988'],
  GB: ['BT', 'EC1A', 'EC1Y', 'KW', 'KW1', 'KW10', 'PA20', 'PA78', 'PO3', 'PO30', 'PO41', 'SW1A'],
  IE: ['A', 'A94', 'D', 'D02', 'D6W', 'F9', 'K'],
  US: ['006', '009', '20001', '200', '967', '968', '995', '999', '99501'],
  PT: ['11', '1100', '1199', '90', '94', '95', '9500', '99'],
  SG: [],
}

/** The first city is the capital. */
export const CITIES: Readonly<Record<string, readonly string[]>> = {
  NL: ['Amsterdam', 'Den Burg', 'Oost-Vlieland'],
  ES: ['Madrid', 'Las Palmas', 'Málaga'],
  FR: ['Paris', 'Ajaccio', "L'Île-Rousse"],
  GB: ['London', 'Belfast', 'Saint Helier'],
  IE: ['Dublin', 'Cork', 'Dún Laoghaire'],
  US: ['Washington', 'Juneau', 'San Juan'],
  PT: ['Lisbon', 'Funchal', 'Horta'],
  SG: ['Singapore', 'Jurong East'],
}

/** Capitals of most countries, with or without a postal code, which may be within a range. */
export function randomCapitals(dice: Dice): readonly CapitalRow[] {
  return CARD_COUNTRIES.filter(() => dice.chance(0.85)).map((country) => {
    const ends = RANGE_ENDS[country] ?? []
    const usual: Readonly<Record<string, string>> = {
      NL: '1012',
      ES: '28013',
      FR: '75001',
      GB: 'SW1A',
      IE: 'D02',
    }
    const postalCode =
      ends.length === 0 || dice.chance(0.15)
        ? ''
        : dice.chance(0.5)
          ? dice.pick(ends)
          : (usual[country] ?? '')
    return { country, city: CITIES[country]?.[0] ?? '', postalCode }
  })
}

/** Postal ranges and cities of a country. Ranges are nested or disjoint. */
function randomParts(dice: Dice, country: string): readonly PlaceRange[] {
  const ends = RANGE_ENDS[country] ?? []
  const ranges: PlaceRange[] = []
  const intervals: (readonly [number, number])[] = []
  const attempts = ends.length === 0 || dice.chance(0.35) ? 0 : dice.int(1, 7)
  for (let attempt = 0; attempt < attempts; attempt++) {
    const from = dice.pick(ends)
    const to = dice.pick([undefined, from, dice.pick(ends), dice.pick(ends)])
    const [first, last] = postalInterval(country, from, to ?? from)
    const fits = intervals.every(
      ([a, b]) =>
        last < a ||
        first > b ||
        (first >= a && last <= b && !(first === a && last === b)) ||
        (first <= a && last >= b && !(first === a && last === b)),
    )
    if (first > last || !fits) continue
    intervals.push([first, last])
    ranges.push(withoutUndefined({ country, from, to }))
  }
  const cities = dice.chance(0.35) ? dice.some(CITIES[country] ?? [], 1, 2) : []
  return [...ranges, ...cities.map((city) => ({ country, city }))]
}

const GROUPS = ['G1', 'G2', 'G3'] as const
const PART_GROUPS = ['G1', 'G2', 'G3', 'GX', 'GY'] as const

export function randomGroups(dice: Dice, zoneChart: string): readonly CountryGroupRow[] {
  const rows = CARD_COUNTRIES.flatMap((country) => [
    ...(dice.chance(0.9) ? [{ zoneChart, country, group: dice.pick(GROUPS) }] : []),
    ...(dice.chance(0.6) ? randomParts(dice, country) : []).map((part) => ({
      ...part,
      zoneChart,
      group: dice.pick(PART_GROUPS),
    })),
  ])
  return dice.chance(0.8) ? [...rows, { zoneChart, country: '*', group: dice.pick(GROUPS) }] : rows
}

/** The lanes of a zone chart: most pairs of its groups, and usually the lane within one country. */
export function randomLanes(
  dice: Dice,
  zoneChart: string,
  groups: readonly string[],
  zones: readonly number[],
): readonly LaneRow[] {
  const pairs = groups.flatMap((fromGroup) => groups.map((toGroup) => ({ fromGroup, toGroup })))
  const density = dice.pick([0.8, 1, 1])
  const rows = pairs
    .filter(() => dice.chance(density))
    .map((pair) => ({ ...pair, zoneChart, zone: dice.pick(zones) }))
  const within = { zoneChart, fromGroup: '=', toGroup: '=', zone: dice.pick(zones) }
  return rows.length === 0 || dice.chance(0.75) ? [within, ...rows] : rows
}

const AREA_CLASSES: readonly AreaClass[] = ['NORMAL', 'REMOTE', 'ISLAND', 'OVERSEAS']

/** An area list. A row can cover a whole country. */
export function randomAreas(dice: Dice, areaList: string): readonly AreaRow[] {
  return CARD_COUNTRIES.flatMap((country) =>
    [
      ...(dice.chance(0.08) ? [{ country }] : []),
      ...(dice.chance(0.7) ? randomParts(dice, country) : []),
    ].map((part) => ({
      ...part,
      areaList,
      areaClass: dice.pick(AREA_CLASSES),
    })),
  )
}

/** A place in a country: near the bound of a range, in a city, or with neither. */
export function randomPlace(
  dice: Dice,
  country: string,
): { country: string; zipcode?: string; city?: string } {
  const zipcode = dice.maybe(0.6, () => randomCode(dice, country))
  const city = dice.maybe(zipcode === undefined ? 0.6 : 0.25, () => randomCity(dice, country))
  return withoutUndefined({ country, zipcode, city })
}

function randomCode(dice: Dice, country: string): string {
  const ends = RANGE_ENDS[country] ?? []
  if (ends.length === 0 || dice.chance(0.05))
    return dice.pick(['---', '1000', 'X1', '0', 'ABC 123', '018956'])
  const end = dice.pick(ends)
  const code = dice.pick<() => string>([
    () => end,
    () => `${end}0`,
    () => `${end}99`,
    () => end.slice(0, -1) || end,
    () => neighbour(end, 1),
    () => neighbour(end, -1),
    () => (country === 'GB' ? `${end} 1AA` : `${end}00`),
    () => (country === 'GB' ? `${end}1AA` : end.padEnd(5, '0')),
    () => normalisePostalCode(country, end) || end,
  ])()
  const dressed = dice.pick<() => string>([
    () => code,
    () => code,
    () => code.toLowerCase(),
    () => ` ${code} `,
    () => (country === 'NL' ? `${code} ab` : code),
    () => (country === 'PT' ? `${code}-123` : code),
    () => (country === 'ES' || country === 'FR' ? `${country}-${code}` : code),
  ])()
  return dressed.trim()
}

/** The next or previous code. Leading zeros are kept. */
function neighbour(code: string, by: number): string {
  const [, head = '', digits = ''] = /^(.*?)(\d*)$/.exec(code) ?? []
  if (digits === '') return code
  const next = Number(digits) + by
  return next < 0 ? code : head + String(next).padStart(digits.length, '0')
}

function randomCity(dice: Dice, country: string): string {
  const city = dice.pick([...(CITIES[country] ?? []), 'Somewhere'])
  return dice.pick<() => string>([
    () => city,
    () => city.toUpperCase(),
    () => city.normalize('NFD').replace(/\p{M}/gu, ''),
    () => city.replace(/[^\p{L}]/gu, ' '),
    () => city.normalize('NFD'),
  ])()
}
