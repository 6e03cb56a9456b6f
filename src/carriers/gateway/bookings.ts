/**
 * The gateway's calls about bookings: books a shipment, and looks a booking up by the shipment's id.
 * See docs/cancellation.md#states-of-a-shipment.
 */

import { servicesWithoutInput } from '../../core/rating/service-inputs.ts'
import type { BookingLookup, BookingNotOffered } from '../../core/shipments/booking.ts'
import type { Shipment } from '../../core/shipments/shipment.ts'
import type { CarrierGateway } from '../../operations/ports/carriers.ts'
import type { ConnectorBookings } from '../connector.ts'
import { unknown } from '../connectors/judgement.ts'
import { checkedBookAnswer, cleanText, NOT_CONFIGURED, usableBooking } from './answers.ts'
import type { Run } from './calls.ts'
import type { Carriers } from './channels.ts'

const NO_BOOKING: BookingLookup = { kind: 'none' }

const CANNOT_BOOK: BookingNotOffered = { kind: 'not_offered', code: 'NOT_OFFERED' }

/**
 * Undefined if the connector passes on all services of the shipment. Drafts of a former version may have services
 * without their input, which a carrier cannot be told.
 */
function refuseServices(
  { services: passedOn }: ConnectorBookings,
  shipment: Shipment,
): BookingNotOffered | undefined {
  const incomplete = servicesWithoutInput(shipment)
  const { services = [] } = shipment
  const others = services.filter((service) => passedOn?.has(service) !== true || incomplete.includes(service))
  return others.length === 0
    ? undefined
    : { kind: 'not_offered', code: 'SERVICE_NOT_OFFERED', services: others }
}

export function bookings(
  carriers: Carriers,
  run: Run,
  limitMs: number,
): Pick<CarrierGateway, 'book' | 'findBooking'> {
  return {
    async book(accountId, shipment, by = 'caller') {
      const { carrierCode, shipmentId } = shipment
      const connector = carriers.connectorOf(carrierCode, accountId)
      if (connector === undefined) return NOT_CONFIGURED
      const { bookings: calls } = connector
      if (calls === undefined) return CANNOT_BOOK
      const refused = refuseServices(calls, shipment)
      if (refused !== undefined) return refused
      const answer = await run({
        kind: 'command',
        purpose: 'book',
        carrierCode,
        accountId,
        subject: shipmentId,
        limitMs,
        by,
        send: async (signal) =>
          usableBooking(await calls.book(shipment, signal), (number) =>
            carriers.trackingNumberFault?.(carrierCode, number),
          ),
      })
      return checkedBookAnswer(answer)
    },
    async findBooking({ accountId, carrierCode, shipmentId }, by = 'caller') {
      if (carriers.books?.(carrierCode) === false) return NO_BOOKING
      const connector = carriers.connectorOf(carrierCode, accountId)
      if (connector === undefined) return NOT_CONFIGURED
      const { bookings: calls } = connector
      if (calls === undefined) return NO_BOOKING
      const answer = await run({
        kind: 'lookup',
        purpose: 'findBooking',
        carrierCode,
        accountId,
        subject: shipmentId,
        limitMs,
        by,
        send: async (signal) =>
          usableBooking(await calls.find(shipmentId, signal), (number) =>
            carriers.trackingNumberFault?.(carrierCode, number),
          ),
      })
      return answer.kind === 'unknown' ? unknown(cleanText(answer.cause)) : answer
    },
  }
}
