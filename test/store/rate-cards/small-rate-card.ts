/** A small rate card that uses every field, and helpers to import and publish it. */
import type { Kysely } from 'kysely'
import type { RateCardContent, RateCardImport } from '../../../src/core/rating/rate-card.ts'
import type { Database } from '../../../src/store/database/database.ts'
import {
  importRateCard,
  type NewRateCard,
  publishRateCard,
  type VersionName,
} from '../../../src/store/rate-cards/versions.ts'

/** Two products, `productId` and `productId + 1`. Every optional field is present in one row and absent in another. */
export function smallCard(productId = 9001, carrierCode = 'heron'): RateCardImport {
  return {
    content: contentOf(productId, carrierCode),
    carriers: [{ code: carrierCode, name: 'Heron', connector: 'sandbox' }],
    capitals: [{ country: 'NL', city: 'Amsterdam', postalCode: '1012' }],
    fuel: [{ carrierCode, code: 'DIESEL', validFrom: '2026-01-01', rateBps: 1200 }],
  }
}

function contentOf(productId: number, carrierCode: string): RateCardContent {
  const groupage = productId + 1
  return {
    products: [
      {
        productId,
        carrierCode,
        name: 'Heron Letter',
        serviceLevel: 'express',
        parcelType: 'DOC',
        pricingBasis: 'parcel',
        zoneChart: '',
        areaList: '',
        weightStepGrams: 500,
        documentGrams: 500,
        scope: 'any',
        recipient: 'any',
      },
      {
        productId: groupage,
        carrierCode,
        name: 'Heron Freight',
        serviceLevel: 'economy',
        parcelType: 'PALLET',
        pricingBasis: 'per-100kg',
        zoneChart: 'road',
        areaList: 'road',
        zones: [1, 2],
        volumetricDivisor: 5000,
        kilogramsPerCubicMetre: 333,
        kilogramsPerLoadingMetre: 1850,
        weightStepGrams: 1000,
        heavyOverGrams: 50_000,
        heavyStepGrams: 5000,
        minBilledUnitGrams: 10_000,
        shipmentStepGrams: 10_000,
        minBilledShipmentGrams: 45_000,
        maxUnitGrams: 1_000_000,
        maxLengthCm: 240,
        maxWidthCm: 120,
        maxHeightCm: 220,
        maxLengthPlusGirthCm: 900,
        maxShipmentGrams: 5_000_000,
        maxUnits: 6,
        scope: 'international',
        fromCountries: ['NL', 'BE'],
        recipient: 'business',
        maxInsuredCents: 5_000_000,
        pickupDays: [1, 3, 6],
        cutOffMinutes: 930,
      },
    ],
    countryGroups: [
      { zoneChart: '', country: '*', group: 'ALL' },
      { zoneChart: 'road', country: 'NL', group: 'HOME' },
      { zoneChart: 'road', country: 'ES', group: 'SOUTH' },
      { zoneChart: 'road', country: 'ES', from: '35000', to: '35999', group: 'FAR' },
      { zoneChart: 'road', country: 'ES', city: 'Ceuta', group: 'FAR' },
    ],
    lanes: [
      { zoneChart: '', fromGroup: '=', toGroup: '=', zone: 0 },
      { zoneChart: '', fromGroup: 'ALL', toGroup: 'ALL', zone: 1 },
      { zoneChart: 'road', fromGroup: 'HOME', toGroup: 'SOUTH', zone: 1 },
      { zoneChart: 'road', fromGroup: 'HOME', toGroup: 'FAR', zone: 2 },
    ],
    prices: [
      { productId, zone: 0, unit: 'KG', overGrams: 0, upToGrams: 500, priceCents: 400 },
      { productId, zone: 1, unit: 'KG', overGrams: 0, upToGrams: 500, priceCents: 900 },
      {
        productId,
        zone: 1,
        unit: 'KG',
        overGrams: 500,
        upToGrams: 5000,
        priceCents: 900,
        stepGrams: 500,
        stepCents: 75,
        stepTenths: 5,
      },
      { productId: groupage, zone: 1, unit: 'KG', overGrams: 0, upToGrams: 50_000, priceCents: 4500 },
      {
        productId: groupage,
        zone: 1,
        unit: 'PER100KG',
        overGrams: 50_000,
        upToGrams: 5_000_000,
        priceCents: 8000,
      },
      {
        productId: groupage,
        zone: 2,
        unit: 'PALLET',
        palletClass: 'EURO',
        overGrams: 0,
        upToGrams: 0,
        priceCents: 31_000,
      },
    ],
    palletClasses: [
      {
        carrierCode,
        palletClass: 'EURO',
        longSideCm: 120,
        shortSideCm: 80,
        maxHeightCm: 220,
        maxGrams: 750_000,
        spaces: 1,
      },
    ],
    areas: [
      { areaList: 'road', country: 'ES', from: '07000', to: '07999', areaClass: 'ISLAND' },
      { areaList: 'road', country: 'ES', city: 'Melilla', areaClass: 'OVERSEAS' },
    ],
    areaTransit: [{ carrierCode: '*', areaClass: 'ISLAND', extraMinDays: 1, extraMaxDays: 3 }],
    surcharges: [
      {
        carrierCode,
        code: 'FUEL',
        name: 'Fuel',
        reason: 'Fuel',
        phase: 'percent',
        method: 'fuel',
        amount: 0,
        minimumCents: 0,
        per: 'shipment',
        trigger: 'always',
        fuelable: false,
        excludes: [],
        validFrom: '2026-01-01',
      },
      {
        carrierCode,
        code: 'BIG',
        name: 'Oversize',
        reason: 'Longer than a lorry is wide',
        phase: 'accessorial',
        method: 'per_kg',
        amount: 20,
        minimumCents: 1500,
        maximumCents: 56_000,
        per: 'unit',
        trigger: 'longest_cm>200',
        fuelable: true,
        excludes: ['FUEL'],
        products: [groupage],
        validFrom: '2026-01-01',
        validTo: '2027-01-01',
      },
    ],
    services: [
      {
        carrierCode,
        service: 'ADULT_SIGNATURE',
        name: 'Signature of an adult',
        method: 'formula',
        amount: 0,
        minimumCents: 0,
        per: 'unit',
        formula: 'max(4, 0.10 * billed_kg)',
        fuelable: true,
        products: [groupage],
        fromCountries: ['NL'],
        toCountries: ['ES', 'PT'],
        zones: [1, 2],
        minShipmentGrams: 1000,
        maxShipmentGrams: 750_000,
        maxUnitGrams: 25_000,
        condition: 'kg <= 20',
        requires: ['APPOINTMENT'],
        excludes: ['SIGNATURE'],
      },
      {
        carrierCode,
        service: 'APPOINTMENT',
        name: 'Appointment',
        method: 'per_kg',
        amount: 25,
        minimumCents: 1250,
        maximumCents: 9000,
        per: 'shipment',
        fuelable: false,
        requires: [],
        excludes: [],
      },
    ],
    insurance: [
      {
        carrierCode,
        freeCoverCents: 10_000,
        freeCoverPer: 'unit',
        rateBps: 0,
        minimumCents: 300,
        maxValueCents: 5_000_000,
      },
    ],
    insuranceBands: [
      { carrierCode, overCents: 0, upToCents: 100_000, priceCents: 500 },
      {
        carrierCode,
        overCents: 100_000,
        upToCents: 5_000_000,
        priceCents: 500,
        valueStepCents: 50_000,
        stepPriceCents: 350,
      },
    ],
    transit: [
      { productId, zone: 0, minDays: 1, maxDays: 1 },
      { productId, zone: 1, minDays: 1, maxDays: 2 },
      { productId: groupage, zone: 1, minDays: 3, maxDays: 5 },
      { productId: groupage, zone: 2, minDays: 7, maxDays: 12 },
    ],
    laneTransit: [{ productId: groupage, fromGroup: 'HOME', toGroup: 'FAR', minDays: 9, maxDays: 14 }],
    priceTerms: [
      { currency: 'EUR', vatIncluded: false, roundToCents: 1, rateDays: 31, percentagesTogether: true },
    ],
    vatRates: [{ zoneChart: '', zone: 1, rateBps: 810 }],
  }
}

/** The small card with the fields that an import needs. */
export function newCard(overrides: Partial<NewRateCard> = {}): NewRateCard {
  return {
    code: 'heron',
    name: 'Heron 2026',
    audience: 'everyone',
    validFrom: '2026-01-01',
    card: smallCard(),
    ...overrides,
  }
}

/** Imports and publishes a card. */
export async function sell(db: Kysely<Database>, card: NewRateCard): Promise<VersionName> {
  const version = await importRateCard(db, card)
  await publishRateCard(db, version)
  return version
}
