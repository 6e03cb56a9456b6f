import { beforeEach, describe, expect, test, vi } from 'vitest'
import { bookShipment } from '../../../src/operations/book-shipment.ts'
import { cancelShipment } from '../../../src/operations/cancel-shipment.ts'
import { createDraftShipment } from '../../../src/operations/create-draft-shipment.ts'
import { fakePorts, shipment } from '../fake-ports.ts'
import { openInstance } from '../instance.ts'

const ports = fakePorts()
const { ask } = openInstance({ ports })
beforeEach(() => {
  ports.calls.length = 0
})

const ROUTE = 'from: { country: "NL" }, to: { country: "ES" }'

describe('mutations', () => {
  const PROBLEM_FIELDS = '... on Problem { code message retryable }'
  const notFound = {
    kind: 'ShipmentNotFound',
    code: 'NOT_FOUND',
    message: 'Shipment not found',
    retryable: false,
  } as const
  const shipmentFields = { id: 'demo-booked', state: 'BOOKED' }

  test('return every outcome of a cancellation', async () => {
    const query = `mutation { cancelShipment(input: { shipmentId: "demo-booked" }) { __typename ${PROBLEM_FIELDS}
      ... on ShipmentCancelled { message alreadyCancelled carrierNotified labelMustBeDestroyed shipment { id state } }
      ... on ShipmentNotCancelled { refusalCode carrierReason shipment { id state } }
      ... on CancellationPending { message retryAfterSeconds shipment { id state } } } }`
    const shipmentId = 'demo-booked'
    const outcomes = [
      [
        {
          kind: 'ShipmentCancelled',
          shipmentId,
          message: 'done',
          alreadyCancelled: false,
          carrierNotified: false,
          labelMustBeDestroyed: true,
        },
        {
          message: 'done',
          alreadyCancelled: false,
          carrierNotified: false,
          labelMustBeDestroyed: true,
          shipment: shipmentFields,
        },
      ],
      [
        {
          kind: 'ShipmentNotCancelled',
          shipmentId,
          code: 'CARRIER_REFUSED',
          message: 'refused: scanned',
          retryable: false,
          refusal: { code: 'SCANNED', reason: 'scanned' },
        },
        {
          code: 'CARRIER_REFUSED',
          message: 'refused: scanned',
          retryable: false,
          refusalCode: 'SCANNED',
          carrierReason: 'scanned',
          shipment: shipmentFields,
        },
      ],
      [
        {
          kind: 'ShipmentNotCancelled',
          shipmentId,
          code: 'ALREADY_IN_TRANSIT',
          message: 'late',
          retryable: false,
        },
        {
          code: 'ALREADY_IN_TRANSIT',
          message: 'late',
          retryable: false,
          refusalCode: null,
          carrierReason: null,
          shipment: shipmentFields,
        },
      ],
      [
        {
          kind: 'ShipmentNotCancelled',
          shipmentId,
          code: 'CARRIER_UNAVAILABLE',
          message: 'later',
          retryable: true,
        },
        {
          code: 'CARRIER_UNAVAILABLE',
          message: 'later',
          retryable: true,
          refusalCode: null,
          carrierReason: null,
          shipment: shipmentFields,
        },
      ],
      [
        {
          kind: 'CancellationPending',
          shipmentId,
          code: 'CARRIER_UNREACHABLE',
          message: 'repeat',
          retryable: true,
          retryAfterSeconds: 5,
        },
        {
          ...{ message: 'repeat', retryAfterSeconds: 5 },
          shipment: shipmentFields,
        },
      ],
      [notFound, { code: 'NOT_FOUND', message: 'Shipment not found', retryable: false }],
    ] as const
    for (const [outcome, shown] of outcomes) {
      vi.mocked(cancelShipment).mockResolvedValueOnce(outcome)
      const { data, errors } = await ask(query)
      expect(errors).toEqual([])
      expect(data).toEqual({ cancelShipment: { __typename: outcome.kind, ...shown } })
    }
    expect(vi.mocked(cancelShipment).mock.lastCall?.slice(1, 3)).toMatchObject([
      { accountId: 'demo' },
      'demo-booked',
    ])
  })

  test('of an archived shipment return its outcome, without the shipment', async () => {
    const outcome = {
      ...({ kind: 'ShipmentCancelled', shipmentId: 'archived', message: 'done' } as const),
      ...{ alreadyCancelled: true, carrierNotified: true, labelMustBeDestroyed: false },
    } as const
    const cancel = (fields: string) => {
      vi.mocked(cancelShipment).mockResolvedValueOnce(outcome)
      return ask(
        `mutation { cancelShipment(input: { shipmentId: "archived" }) { ... on ShipmentCancelled { ${fields} } } }`,
      )
    }
    expect(await cancel('message alreadyCancelled')).toMatchObject({
      data: { cancelShipment: { message: 'done', alreadyCancelled: true } },
      errors: [],
    })
    expect((await cancel('message shipment { id }')).errors).toMatchObject([
      {
        message: 'The shipment has been archived and cannot be read; request the outcome without `shipment`',
        extensions: { code: 'SHIPMENT_ARCHIVED' },
      },
    ])
  })

  test('return every outcome of a booking', async () => {
    const query = `mutation { bookShipment(input: { shipmentId: "demo-booked" }) { __typename ${PROBLEM_FIELDS}
      ... on ShipmentBooked { alreadyBooked shipment { id state trackingNumber } }
      ... on ShipmentNotBooked { shipment { id } carrierRefusalCode carrierReason } } }`
    const shipmentId = 'demo-booked'
    const withoutRefusal = {
      shipment: { id: 'demo-booked' },
      carrierRefusalCode: null,
      carrierReason: null,
    }
    const outcomes = [
      [
        { kind: 'ShipmentBooked', shipmentId, carrierRef: 'RP123', alreadyBooked: true },
        { alreadyBooked: true, shipment: { ...shipmentFields, trackingNumber: 'RP123' } },
      ],
      [
        { kind: 'ShipmentNotBooked', shipmentId, code: 'NOT_BOOKABLE', message: 'no', retryable: false },
        { code: 'NOT_BOOKABLE', message: 'no', retryable: false, ...withoutRefusal },
      ],
      [
        {
          kind: 'ShipmentNotBooked',
          shipmentId,
          code: 'CARRIER_REFUSED',
          message: 'no',
          retryable: false,
          refusal: { code: 'CLOSED', message: 'Depot closed' },
        },
        {
          ...{ code: 'CARRIER_REFUSED', message: 'no', retryable: false, shipment: { id: 'demo-booked' } },
          ...{ carrierRefusalCode: 'CLOSED', carrierReason: 'Depot closed' },
        },
      ],
      [
        {
          kind: 'ShipmentNotBooked',
          shipmentId,
          code: 'CARRIER_UNAVAILABLE',
          message: 'no',
          retryable: true,
        },
        { code: 'CARRIER_UNAVAILABLE', message: 'no', retryable: true, ...withoutRefusal },
      ],
      [notFound, { code: 'NOT_FOUND', message: 'Shipment not found', retryable: false }],
    ] as const
    for (const [outcome, shown] of outcomes) {
      vi.mocked(bookShipment).mockResolvedValueOnce(outcome)
      const { data, errors } = await ask(query)
      expect(errors).toEqual([])
      expect(data).toEqual({ bookShipment: { __typename: outcome.kind, ...shown } })
    }
  })

  test('return every outcome of creating a draft', async () => {
    const query = `mutation { createDraftShipment(input: { preferredShippingOption: 1201, rates: { ${ROUTE}, parcels: { boxes: [] } } }) {
      __typename ${PROBLEM_FIELDS} ... on InputProblem { fields { path } }
      ... on OptionNotAvailable { declined { product { id } code limit actual unit } }
      ... on DraftShipmentCreated { shipment { id state } } } }`
    const draft = shipment({ shipmentId: 'new', state: 'draft' })
    vi.mocked(createDraftShipment).mockResolvedValueOnce({
      kind: 'DraftShipmentCreated',
      shipmentId: 'new',
      shipment: draft,
      alreadyCreated: false,
    })
    expect((await ask(query)).data).toEqual({
      createDraftShipment: { __typename: 'DraftShipmentCreated', shipment: { id: 'new', state: 'DRAFT' } },
    })
    // The operation returns the shipment, so it is not loaded.
    expect(ports.calls).toEqual([])
    expect(vi.mocked(createDraftShipment).mock.lastCall?.[2].preferredShippingOption).toBe('1201')

    vi.mocked(createDraftShipment).mockResolvedValueOnce({
      kind: 'OptionNotAvailable',
      code: 'OPTION_NOT_AVAILABLE',
      message: 'There is no such shipping option',
      retryable: false,
    })
    expect((await ask(query)).data).toMatchObject({
      createDraftShipment: {
        ...{ __typename: 'OptionNotAvailable', code: 'OPTION_NOT_AVAILABLE', declined: null },
      },
    })

    const product = {
      productId: 1201,
      productName: 'Classic',
      carrierCode: 'rondeel',
      carrierName: 'Rondeel',
    }
    const decline = {
      code: 'OVER_WEIGHT',
      measure: 'unit weight',
      limit: 31_500,
      actual: 60_000,
    } as const
    vi.mocked(createDraftShipment).mockResolvedValueOnce({
      kind: 'OptionNotAvailable',
      code: 'OPTION_NOT_AVAILABLE',
      message: 'Rondeel Classic is not offered',
      retryable: false,
      declined: { product, decline },
    })
    expect((await ask(query)).data).toMatchObject({
      createDraftShipment: {
        declined: {
          ...{ product: { id: '1201' }, code: 'OVER_WEIGHT' },
          ...{ limit: '31.5', actual: '60', unit: 'KILOGRAM' },
        },
      },
    })

    vi.mocked(createDraftShipment).mockResolvedValueOnce({
      kind: 'InputProblem',
      code: 'INVALID_INPUT',
      message: 'The request was not accepted',
      retryable: false,
      fields: [{ path: ['rates', 'parcels', 0, 'height'], code: 'REQUIRED', message: 'required' }],
    })
    expect((await ask(query)).data).toMatchObject({
      createDraftShipment: {
        __typename: 'InputProblem',
        fields: [{ path: ['rates', 'parcels', 'boxes', '0', 'heightCm'] }],
      },
    })
  })

  test('load the shipment only if it is selected', async () => {
    vi.mocked(cancelShipment).mockResolvedValueOnce(notFound)
    await ask('mutation { cancelShipment(input: { shipmentId: "x" }) { __typename } }')
    expect(ports.calls).toEqual([])
  })
})
