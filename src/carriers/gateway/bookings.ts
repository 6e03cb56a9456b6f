/**
 * The gateway's calls about bookings: books a shipment, and looks a booking up by the shipment's id.
 * See docs/cancellation.md#states-of-a-shipment.
 */
import type { BookingLookup, CarrierBookAnswer } from '../../core/shipments/booking.ts'
import type { CarrierGateway } from '../../operations/ports/carriers.ts'
import { unknown } from '../connectors/judgement.ts'
import { checkedBookAnswer, cleanText, NOT_CONFIGURED, usableBooking } from './answers.ts'
import type { Run } from './calls.ts'
import type { Carriers } from './channels.ts'

const NO_BOOKING: BookingLookup = { kind: 'none' }

const CANNOT_BOOK: CarrierBookAnswer = {
  kind: 'refused',
  code: 'NOT_OFFERED',
  message: 'shipments are not booked with this carrier through this service',
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
      const answer = await run({
        ...{ kind: 'command', purpose: 'book', carrierCode, accountId, subject: shipmentId, limitMs, by },
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
        ...{
          kind: 'lookup',
          purpose: 'findBooking',
          carrierCode,
          accountId,
          subject: shipmentId,
          limitMs,
          by,
        },
        send: async (signal) =>
          usableBooking(await calls.find(shipmentId, signal), (number) =>
            carriers.trackingNumberFault?.(carrierCode, number),
          ),
      })
      return answer.kind === 'unknown' ? unknown(cleanText(answer.cause)) : answer
    },
  }
}
