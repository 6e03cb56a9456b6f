import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { checkRatesRequest, type RatesInput } from '../../../src/core/rating/request.ts'
import { parcelInput } from '../../support/rates/demo-rate-book.ts'

function faultsOf(input: RatesInput): string[] {
  const result = checkRatesRequest(input)
  return 'kind' in result ? result.fields.map(({ path, message }) => `${path.join('.')}: ${message}`) : []
}
const parcel = { type: 'NONDOC', weight: 5, length: 40, width: 30, height: 20, count: 1 }
const withParcel = (overrides: object): string[] =>
  faultsOf(parcelInput({ parcels: [{ ...parcel, ...overrides }] }))

describe('a rates request', () => {
  test('is read in grams and centimetres, with countries in capitals', () => {
    expect(checkRatesRequest(parcelInput({ to: { country: 'es', zipcode: ' 28013 ', city: null } }))).toEqual(
      {
        from: { country: 'NL' },
        to: { country: 'ES', zipcode: '28013' },
        parcelType: 'NONDOC',
        parcels: [{ weightGrams: 5000, lengthCm: 40, widthCm: 30, heightCm: 20, count: 1, stackable: false }],
        recipient: 'business',
      },
    )
  })

  test('has weights to the gram, also of documents, only from a door that passes them', () => {
    const rows = (row: object) => {
      const request = checkRatesRequest(parcelInput({ parcels: [{ ...parcel, ...row }] }))
      return 'kind' in request ? request.fields : request.parcels
    }
    expect(rows({ weight: undefined, exactWeight: '0.075' })).toMatchObject([{ weightGrams: 75 }])
    expect(rows({ type: 'DOC', exactWeight: '0.075' })).toMatchObject([{ weightGrams: 75, lengthCm: 0 }])
    expect(rows({ type: 'DOC', weight: 0.075 })).toMatchObject([{ weightGrams: 0 }])
    expect(rows({ weight: 0.075 })).toMatchObject([
      { path: ['parcels', 0, 'weight'], message: 'must be a number with at most 1 decimal' },
    ])
    expect(rows({ exactWeight: '0.0005' })).toMatchObject([
      { path: ['parcels', 0, 'weight'], message: 'must be a number with at most 3 decimals' },
    ])
    expect(rows({ type: 'DOC', exactWeight: 0 })).toMatchObject([
      { path: ['parcels', 0, 'weight'], message: 'must be greater than zero' },
    ])
  })

  test('has the shape and the packaging of a parcel, if they are stated', () => {
    const stated = { shape: 'TUBE', packaging: 'CRATE' }
    expect(checkRatesRequest(parcelInput({ parcels: [{ ...parcel, ...stated }] }))).toMatchObject({
      parcels: [stated],
    })
    expect(withParcel({ shape: 'BALL', packaging: 'crate' })).toEqual([
      'parcels.0.shape: must be one of RECTANGULAR, TUBE, ROLL, IRREGULAR',
      'parcels.0.packaging: must be one of ENVELOPE, BOX, CRATE, PALLET, EURO_PALLET, MESH_BOX',
    ])
  })

  test('has the freight class of a unit in tenths, if it is stated', () => {
    const classOf = (freightClass: unknown) =>
      checkRatesRequest(parcelInput({ parcels: [{ ...parcel, freightClass }] }))
    expect(classOf('77.5')).toMatchObject({ parcels: [{ freightClassTenths: 775 }] })
    expect(classOf(500)).toMatchObject({ parcels: [{ freightClassTenths: 5000 }] })
    expect(classOf(undefined)).not.toHaveProperty('parcels.0.freightClassTenths')
    expect(withParcel({ freightClass: '75' })).toEqual([
      'parcels.0.freightClass: must be one of 50, 55, 60, 65, 70, 77.5, 85, 92.5, 100, 110, 125, 150, 175, 200, 250, 300, 400, 500',
    ])
    expect(withParcel({ freightClass: '77.55' })).toHaveLength(1)
    expect(withParcel({ freightClass: '0' })).toHaveLength(1)
  })

  test('has the shipping date', () => {
    expect(checkRatesRequest(parcelInput({ shippingDate: '2026-12-24' }))).toMatchObject({
      shippingDate: '2026-12-24',
    })
    expect(faultsOf(parcelInput({ shippingDate: '2026-12-32' }))).toEqual([
      'shippingDate: must be a day such as 2026-11-21',
    ])
    expect(faultsOf(parcelInput({ shippingDate: 20261224 }))).toEqual([
      'shippingDate: must be a day such as 2026-11-21',
    ])
  })

  test('accepts numbers as text', () => {
    const quoted = [{ type: 'NONDOC', weight: '5.0', length: '40', width: '30', height: '20', count: '1' }]
    expect(checkRatesRequest(parcelInput({ parcels: quoted }))).toEqual(checkRatesRequest(parcelInput()))
  })

  test('reports every fault at once, by path', () => {
    expect(
      faultsOf({
        from: {},
        to: { country: 'XX' },
        parcels: [{ type: 'NONDOC', count: 1.5 }],
        recipientType: 'firm',
      }),
    ).toEqual([
      'parcels.0.weight: required for NONDOC',
      'parcels.0.length: required for NONDOC',
      'parcels.0.width: required for NONDOC',
      'parcels.0.height: required for NONDOC',
      'parcels.0.count: must be a whole number',
      'from.country: required',
      'to.country: must be an ISO 3166-1 alpha-2 country code',
      'recipientType: must be one of individual, business',
    ])
  })

  test.each([
    [{ weight: 1.25 }, 'parcels.0.weight: must be a number with at most 1 decimal'],
    [{ weight: '1.50' }, 'parcels.0.weight: must be a number with at most 1 decimal'],
    [{ weight: '0x1F' }, 'parcels.0.weight: must be a number with at most 1 decimal'],
    [{ weight: Number.POSITIVE_INFINITY }, 'parcels.0.weight: must be at most 1000000'],
    [{ weight: 0 }, 'parcels.0.weight: must be greater than zero'],
    [{ weight: -1 }, 'parcels.0.weight: must be greater than zero'],
    [{ weight: true }, 'parcels.0.weight: must be a number'],
    [{ length: 1e21 }, 'parcels.0.length: must be at most 100000'],
    [{ length: '40.0' }, 'parcels.0.length: must be a whole number'],
    [{ count: 1000 }, 'parcels.0.count: must be at most 999'],
    [{ type: 'BOX' }, 'parcels.0.type: must be one of NONDOC, DOC, PALLET'],
    [{ type: null }, 'parcels.0.type: required'],
  ])('rejects a parcel with %j', (overrides, fault) => expect(withParcel(overrides)).toEqual([fault]))

  test('needs only a count for documents, and ignores their measures', () => {
    const input = parcelInput({ parcels: [{ type: 'DOC', count: 2, weight: 'heavy', length: -1 }] })
    expect(checkRatesRequest(input)).toMatchObject({
      parcelType: 'DOC',
      parcels: [{ count: 2, weightGrams: 0 }],
    })
  })

  test('needs `stackable` and a recipient type for pallets', () => {
    const { recipientType: _, ...input } = parcelInput({ parcels: [{ ...parcel, type: 'PALLET' }] })
    expect(faultsOf(input)).toEqual([
      'parcels.0.stackable: required for PALLET',
      'recipientType: required for PALLET',
    ])
  })

  test('rejects booleans as text', () => {
    expect(withParcel({ type: 'PALLET', stackable: 'true' })).toEqual([
      'parcels.0.stackable: must be true or false',
    ])
    expect(faultsOf(parcelInput({ insured: 'yes' }))).toEqual(['insured: must be true or false'])
  })

  test('defaults to an individual recipient', () => {
    const { recipientType: _, ...input } = parcelInput()
    expect(checkRatesRequest(input)).toMatchObject({ recipient: 'individual' })
  })

  test('rejects several parcel types, and names them', () => {
    const parcels = [parcel, { type: 'DOC', count: 1 }]
    expect(faultsOf(parcelInput({ parcels }))).toEqual([
      'parcels: must all have the same type, found NONDOC and DOC',
    ])
  })

  test('needs a recipient type if any row is a pallet', async () => {
    const { recipientType: _, ...input } = parcelInput()
    const pallet = { ...parcel, type: 'PALLET', stackable: true }
    for (const parcels of [
      [parcel, pallet],
      [pallet, parcel],
      [...Array(99).fill(parcel), pallet],
    ])
      expect(faultsOf({ ...input, parcels })).toContain('recipientType: required for PALLET')
  })

  test.each(['ıs', 'ſe', 'N', 'NLD', ' NL', 'xx'])('rejects %j as a country', (country) => {
    expect(faultsOf(parcelInput({ to: { country } }))).toEqual([
      'to.country: must be an ISO 3166-1 alpha-2 country code',
    ])
  })

  test('is limited to 99 rows and 999 units', () => {
    expect(faultsOf(parcelInput({ parcels: Array(100).fill(parcel) }))).toEqual([
      'parcels: must have at most 99 entries',
    ])
    const rows = Array(2).fill({ ...parcel, count: 500 })
    expect(faultsOf(parcelInput({ parcels: rows }))).toEqual([
      'parcels: must have at most 999 units in total',
    ])
    expect(faultsOf(parcelInput({ parcels: [{ ...parcel, count: 999 }] }))).toEqual([])
  })

  test.each([
    [undefined, 'parcels: required'],
    [{}, 'parcels: must be a list'],
    [[], 'parcels: must have at least one entry'],
    [[null], 'parcels.0: must be an object'],
    [['x'], 'parcels.0: must be an object'],
  ])('rejects parcels %j', (parcels, fault) => expect(faultsOf(parcelInput({ parcels }))).toEqual([fault]))

  test('needs a value if insured, and ignores a value otherwise', () => {
    expect(faultsOf(parcelInput({ insured: true }))).toEqual(['totalValue: required when insured is true'])
    expect(checkRatesRequest(parcelInput({ totalValue: 100 }))).toEqual(checkRatesRequest(parcelInput()))
    expect(checkRatesRequest(parcelInput({ insured: true, totalValue: '99.95' }))).toMatchObject({
      insuredValueCents: 9995,
    })
    expect(faultsOf(parcelInput({ totalValue: 1.005 }))).toEqual([
      'totalValue: must be a number with at most 2 decimals',
    ])
  })

  test('rejects texts that are too long or contain control characters', () => {
    const nul = parcelInput({ to: { country: 'ES', city: 'Ma\u0000drid', zipcode: 'x'.repeat(501) } })
    expect(faultsOf(nul)).toEqual([
      'to.zipcode: must have at most 500 characters',
      'to.city: must not contain control characters',
    ])
    expect(faultsOf(parcelInput({ to: { country: 'ES', city: '\ud800' } }))).toEqual([
      'to.city: must be well-formed Unicode',
    ])
    expect(faultsOf(parcelInput({ to: { country: 'ES', city: 'Ma\u0085drid' } }))).toHaveLength(1)
    expect(faultsOf(parcelInput({ to: { country: 'ES', city: '🚚'.repeat(500) } }))).toEqual([])
    expect(faultsOf(parcelInput({ to: { country: 'ES', zipcode: 28013 } }))).toEqual([
      'to.zipcode: must be a string',
    ])
  })

  test('accepts an instant or a day as `asOf`', () => {
    expect(checkRatesRequest(parcelInput({ asOf: '2026-11-20T23:30:00-02:00' }))).toMatchObject({
      date: '2026-11-21',
    })
    for (const asOf of ['yesterday', '2026-13-01', '2026-02-30', 5, '2026-11-20T23:30'])
      expect(faultsOf(parcelInput({ asOf }))).toHaveLength(1)
  })

  test('never makes the validation throw', () => {
    fc.assert(
      fc.property(fc.anything(), fc.anything(), fc.anything(), (parcels, country, rest) => {
        const input = {
          from: { country },
          to: { country: rest, zipcode: parcels },
          parcels,
          insured: rest,
          totalValue: rest,
        }
        expect(checkRatesRequest(input)).toBeTypeOf('object')
      }),
    )
  })
})
