/**
 * A generated rate book of the size of a large broker's: 10 carriers with 6 products each, 250 zones, 60 weight
 * breaks, 900,000 prices. Seeded, so all runs have the same prices.
 */

import type {
  CountryGroupRow,
  LaneRow,
  PriceRow,
  ProductTerms,
  RateCardContent,
  RateCardImport,
  SurchargeRow,
  TransitRow,
} from '../../src/core/rating/rate-card.ts'

export const SIZE = { carriers: 10, productsPerCarrier: 6, zones: 250, breaks: 60 } as const

export type BookSize = { readonly [Name in keyof typeof SIZE]: number }

const COUNTRIES = 'NL BE LU DE FR AT CH IT ES PT IE GB DK SE NO FI PL CZ SK HU SI HR RO BG GR'.split(' ')

/** A random generator of whole numbers below `below` (mulberry32). */
export function seeded(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296) * below)
  }
}

/** The book as one card; prices rise with weight and zone. Half of the products serve each lane. */
export function generatedCard(seed = 1, size: BookSize = SIZE): RateCardImport {
  const next = seeded(seed)
  const carriers = Array.from({ length: size.carriers }, (_, index) => ({
    code: `carrier-${index}`,
    name: `Carrier ${index}`,
    connector: 'sandbox',
  }))
  const products = carriers.flatMap(({ code }, carrier) =>
    Array.from({ length: size.productsPerCarrier }, (_, index) => productOf(code, carrier, index)),
  )
  const content: RateCardContent = {
    products,
    countryGroups: countryGroups(),
    lanes: lanes(size),
    prices: products.flatMap((product) => pricesOf(product, next, size)),
    palletClasses: [],
    sizeClasses: [],
    minimumWeights: [],
    areas: areas(),
    areaTransit: [{ carrierCode: '*', areaClass: 'REMOTE', extraMinDays: 1, extraMaxDays: 2 }],
    surcharges: carriers.flatMap(({ code }) => surchargesOf(code)),
    insuranceBands: [],
    insurance: carriers.map(({ code }) => ({
      carrierCode: code,
      freeCoverCents: 10_000,
      rateBps: 60,
      minimumCents: 250,
      maxValueCents: 1_000_000,
    })),
    transit: products.flatMap((product) => transitOf(product, size)),
    laneTransit: [],
    priceTerms: [],
    services: [],
    vatRates: [],
  }
  const fuel = carriers.map(({ code }) => ({
    carrierCode: code,
    code: 'FUEL',
    validFrom: '2026-01-01',
    rateBps: 1250,
  }))
  return { content, carriers, fuel, capitals: [] }
}

const LARGE_CM = 175
const SMALL_CM = 20

/** The card with limits on length that let it offer this number of products for parcels of 21 to 175 cm. */
export function offering(card: RateCardImport, options: number): RateCardImport {
  const products = card.content.products.map((product, index) => ({
    ...product,
    maxLengthCm: index < options ? LARGE_CM : SMALL_CM,
  }))
  return { ...card, content: { ...card.content, products } }
}

function productOf(carrierCode: string, carrier: number, index: number): ProductTerms {
  return {
    productId: 1000 + carrier * 100 + index,
    carrierCode,
    name: `Product ${index}`,
    serviceLevel: 'economy',
    zoneChart: '',
    areaList: '',
    parcelType: 'NONDOC',
    pricingBasis: index % 2 === 0 ? 'shipment' : 'parcel',
    volumetricDivisor: index % 3 === 0 ? 5000 : 6000,
    weightStepGrams: 500,
    maxUnitGrams: 70_000,
    // Half of the products are for small parcels only, so that 30 of 60 are offered.
    maxLengthCm: index < 3 ? 175 : 35,
    maxLengthPlusGirthCm: 300,
    scope: 'any',
    recipient: 'any',
    maxInsuredCents: 1_000_000,
  }
}

function countryGroups(): CountryGroupRow[] {
  return [...COUNTRIES.map((country) => ({ country, group: country })), { country: '*', group: 'REST' }].map(
    (row) => ({ zoneChart: '', ...row }),
  )
}

function lanes({ zones }: BookSize): LaneRow[] {
  const groups = [...COUNTRIES, 'REST']
  return groups.flatMap((fromGroup, from) =>
    groups.map((toGroup, to) => ({
      zoneChart: '',
      fromGroup,
      toGroup,
      zone: (from * groups.length + to) % zones,
    })),
  )
}

function pricesOf(
  { productId }: ProductTerms,
  next: (below: number) => number,
  { zones, breaks }: BookSize,
): PriceRow[] {
  const rows: PriceRow[] = []
  for (let zone = 0; zone < zones; zone++) {
    let priceCents = 400 + zone * 10 + next(200)
    for (let band = 0; band < breaks; band++) {
      rows.push({
        productId,
        zone,
        unit: 'KG',
        overGrams: band * 1000,
        upToGrams: (band + 1) * 1000,
        priceCents,
      })
      priceCents += 10 + next(60)
    }
  }
  return rows
}

function transitOf({ productId }: ProductTerms, { zones }: BookSize): TransitRow[] {
  return Array.from({ length: zones }, (_, zone) => ({ productId, zone, minDays: 1, maxDays: 3 }))
}

function areas(): RateCardContent['areas'] {
  return COUNTRIES.flatMap((country) =>
    Array.from({ length: 40 }, (_, index) => ({
      areaList: '',
      country,
      from: String(1000 + index * 200),
      to: String(1050 + index * 200),
      areaClass: 'REMOTE' as const,
    })),
  )
}

function surchargesOf(carrierCode: string): SurchargeRow[] {
  const row = (code: string, rest: Partial<SurchargeRow>): SurchargeRow => ({
    carrierCode,
    code,
    name: code,
    reason: code,
    phase: 'accessorial',
    method: 'flat',
    amount: 100,
    minimumCents: 0,
    per: 'shipment',
    trigger: 'always',
    fuelable: true,
    excludes: [],
    validFrom: '2026-01-01',
    ...rest,
  })
  return [
    row('RESIDENTIAL', { trigger: 'recipient=individual' }),
    row('REMOTE', { trigger: 'to_area=REMOTE', method: 'per_kg', amount: 30, minimumCents: 1500 }),
    row('OVERSIZE', { trigger: 'longest_cm>100|girth_cm>250', per: 'unit', amount: 2000 }),
    row('HEAVY', { trigger: 'piece_kg>25', per: 'unit', amount: 500 }),
    row('FUEL', { phase: 'percent', method: 'fuel', fuelable: false }),
    row('TOLL', { phase: 'fixed', per: 'unit', amount: 21, fuelable: false }),
  ]
}
