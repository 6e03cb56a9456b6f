/** DHL Parcel DE: the expected judgements. Sources of the fixtures: DHL's own PHP SDKs and the specification 2.1.13. */
import type { CarrierContract } from './contract.ts'

export const dhlParcelDe: CarrierContract = {
  calls: {
    cancel: /^DELETE \/parcel\/de\/shipping\/v2\/orders$/,
    orders: /^GET \/parcel\/de\/shipping\/v2\/orders$/,
    manifests: /^GET \/parcel\/de\/shipping\/v2\/manifests$/,
    track: /^GET \/track\/shipments$/,
  },
  judgements: {
    '1st_orders_present': [
      'unknown',
      'The order exists, so the deletion did not find it for another reason, such as the user group.',
    ],
    '2nd_orders_absent_404': [
      'cancelled already',
      'The order lookup does not find the order, and an earlier send may have deleted it.',
    ],
    '2nd_orders_absent_recorded': [
      'cancelled already',
      'The order lookup does not find the order, and an earlier send may have deleted it.',
    ],
    '2nd_orders_absent_tracking_other_number': ['unknown', 'Tracking replied about another parcel.'],
    '2nd_orders_absent_tracking_scan': ['refused SCANNED', 'Tracking has a scan of this parcel.'],
    '2nd_orders_present': [
      'unknown',
      'The order exists, so the deletion did not find it for another reason, such as the user group.',
    ],
    '2nd_spec_orders_absent': [
      'cancelled already',
      'The text of the specification, and the order lookup does not find the order.',
    ],
    err_401: ['unknown', 'A 401 concerns the credentials.'],
    err_401_rfc: ['unknown', 'A 401 concerns the credentials.'],
    multiShipmentError: [
      'refused UNKNOWN_PARCEL',
      'The item of this number has the title UnknownShipmentNumber.',
    ],
    multiShipmentPartialSuccess: [
      'cancelled now',
      'The item of this number has code 200; the other item is another order.',
    ],
    multiShipmentSuccess: ['cancelled now', 'The item of this number has code 200.'],
    singleShipmentError: [
      'refused UNKNOWN_PARCEL',
      'The item has the title UnknownShipmentNumber, and nothing was sent before.',
    ],
    singleShipmentError_2nd_track404: [
      'unknown',
      '`GET /orders` is unavailable, and a 404 of tracking is weak evidence.',
    ],
    singleShipmentError_2nd_trackscan: ['refused SCANNED', 'Tracking has a scan of this parcel.'],
    spec_item400_notfound: [
      'refused UNKNOWN_PARCEL',
      'The item has code 400 and the text for an unknown number, and nothing was sent before.',
    ],
    spec_item400_notfound_2nd: [
      'unknown',
      '`GET /orders` is unavailable, and a 404 of tracking is weak evidence.',
    ],
    track_00340434292135100056: ['announced', 'The only event is pre-transit.'],
    'track_1-254346763_1': ['unknown', 'Another service of DHL, with events that are not listed.'],
    track_3SHM00001165430: ['unknown', 'A parcel of another division (parcel-nl).'],
    track_423475729485: ['scanned 2019-08-29T16:43:00.000Z', 'The earliest event in transit.'],
    track_JJD000390006060575288: ['scanned 2019-08-05T16:19:00.000Z', 'The earliest event in transit.'],
    track_JJD000390011492126828: ['scanned 2019-08-05T15:46:00.000Z', 'The earliest event in transit.'],
    track_JJD000390011782495500: ['scanned 2019-08-30T02:05:00.000Z', 'The earliest event in transit.'],
    track_bad_input: ['unknown', 'The lookup failed.'],
    track_unauthorized: ['unknown', 'A 401 concerns the credentials.'],
    zeros_18digits_2nd_tracking_says_transit: [
      'refused SCANNED',
      'Tracking has a scan of this parcel, under its number with leading zeros.',
    ],
    '207_manifested': ['refused WINDOW_CLOSED', 'The item of this number is manifested.'],
    item_200_unknown_title: ['unknown', 'The title contradicts the code.'],
    unknown_number_german: [
      'refused UNKNOWN_PARCEL',
      'The text is unlisted, and the order lookup does not find the order.',
    ],
    '2nd_orders_404_of_gateway': ['unknown', 'A 404 of a gateway is about the URL.'],
    '2nd_orders_present_status_field': ['unknown', 'The order exists, so the user group is wrong.'],
    '429_retry_after': ['unknown', 'A 429 concerns the quota.'],
    number_as_json_number: ['cancelled now', 'All digits of the number are read.'],
    '200_none_of_one_cancelled': ['unknown', 'The summary says that nothing was deleted.'],
    '409_being_processed': ['unknown', 'DHL documents no 409; the reply is about another request.'],
    '422_invalid_header': ['unknown', 'DHL documents no 422; the reply is about the request.'],
  },
}
