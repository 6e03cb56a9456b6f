/**
 * The parts that a connector file gets. A file sends requests only through Waybill: it declares them in a call, or uses
 * `send` of a conversation. So Waybill knows whether anything may have left. See docs/connectors.md.
 */
import type { ConnectorDefinition } from './definition.ts'
import { definitionFaults } from './definition-faults.ts'

export { isJsonObject } from '../../../core/input.ts'
export type { BookingLookup, CarrierBookAnswer } from '../../../core/shipments/booking.ts'
export type { CarrierCancelAnswer } from '../../../core/shipments/cancellation.ts'
export type { RefusalCode, Shipment } from '../../../core/shipments/shipment.ts'
export type { CarrierTrackAnswer } from '../../../core/shipments/tracking.ts'
export type { BatchParcel, CancelRequest, CheckAnswer, ManyTracked, TrackingLimits } from '../../connector.ts'
export { basicAuthorization, type HttpReply, listAt, textAt, valueAt } from '../../http-exchange.ts'
export { readOAuthToken } from '../../token-source.ts'
export {
  ACCEPTED,
  credentialFault,
  hasContent,
  orUnknown,
  type Refused,
  refused,
  reportsError,
  slowRepeatMs,
  type Unknown,
  unknown,
  unknownReply,
  unlistedError,
} from '../judgement.ts'
export {
  type EventMeaning,
  type Existence,
  type NoData,
  type ParcelEvent,
  parcelStateOf,
  refusedAsScanned,
  utcTime,
} from '../parcel-history.ts'
export type * from './definition.ts'
export { API_VERSION } from './definition.ts'
export { type XmlElement, xmlAt, xmlListAt, xmlOf, xmlTextAt } from './xml.ts'

/** The fields of a definition that are wrong. */
export class DefinitionError extends Error {
  readonly faults: readonly string[]
  constructor(faults: readonly string[]) {
    super(`the definition of a connector is refused:\n  ${faults.join('\n  ')}`)
    this.faults = faults
  }
}

/** Returns the definition. Throws a DefinitionError that names each faulty field. */
export function defineConnector(definition: ConnectorDefinition): ConnectorDefinition {
  const faults = definitionFaults(definition)
  if (faults.length > 0) throw new DefinitionError(faults)
  return definition
}
