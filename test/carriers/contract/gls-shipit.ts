/**
 * GLS ShipIT: the expected judgements. Sources of the fixtures: the REST documentation 5.0.11, and the specifications
 * of ShipIT Farm and Track And Trace V1.
 */
import type { CarrierContract } from './contract.ts'

export const glsShipit: CarrierContract = {
  calls: {
    token: /^POST \/oauth2\/v2\/token$/,
    cancel: /^POST \/shipit-farm\/v1\/backend\/rs\/shipments\/cancel\/[^/]+$/,
    track: /^GET \/track-and-trace-v1\/tracking\/simple\/references\/[^/]+$/,
  },
  judgements: {
    err_401_apigee: ['unknown', 'A 401 concerns the credentials.'],
    err_429_apigee: ['unknown', 'A 429 concerns the quota.'],
    err_490: ['unknown', 'Status 490: the backend is switched off.'],
    err_500_first: ['unknown', 'A fault of GLS; nothing was sent before.'],
    err_500_second_preadvice: ['unknown', 'GLS still announces the parcel after a second call.'],
    err_500_second_track404: [
      'unknown',
      'The end of day may be ahead, so a parcel that exists is not listed yet either.',
    ],
    err_nosuch_second_track404: [
      'cancelled already',
      'An earlier request was sent, ShipIT no longer has the TrackID, and tracking does not list it (D131).',
    ],
    headers_400_nosuch: ['refused UNKNOWN_PARCEL', 'The id does not exist, and nothing was sent before.'],
    headers_args_only: ['unknown', 'INVALID_FIELD_VALUE without the message for an unknown id.'],
    lower_both_trackID: ['cancelled now', 'The id has another spelling.'],
    lower_result: ['cancelled now', 'The result has another spelling.'],
    manual_access_denied: ['unknown', 'A fault of the account, not of the parcel.'],
    manual_cancelled: ['cancelled now', 'GLS cancelled the parcel.'],
    manual_mandatory_parameter: ['unknown', 'A fault of the request.'],
    manual_no_such_parcel: ['refused UNKNOWN_PARCEL', 'The id does not exist, and nothing was sent before.'],
    manual_pending: ['cancelled accepted', 'GLS scheduled the cancellation.'],
    manual_scanned: ['refused SCANNED', 'GLS has scanned the parcel.'],
    parcel_number_asked: ['cancelled now', 'GLS answers with the TrackID of the parcel.'],
    second_500_after_end_of_day: [
      'cancelled already',
      'GLS transmits every parcel within 4 days, so a parcel that is not listed after 5 is cancelled (D131).',
    ],
    second_500_before_end_of_day: [
      'unknown',
      'The end of day may be ahead, so a parcel that exists is not listed yet either.',
    ],
    second_no_such_parcel_announced: ['unknown', 'Tracking lists the parcel, which contradicts ShipIT.'],
    second_no_such_parcel_tracking_down: [
      'unknown',
      'Without a lookup, the parcel may be cancelled or unknown.',
    ],
    spec_ERROR: ['unknown', 'GLS documents no reasons for ERROR.'],
    spec_SCANNED: ['refused SCANNED', 'GLS has scanned the parcel.'],
    spec_string: ['unknown', 'An undocumented result.'],
    track_200WithErrors_36301917596: ['announced', 'Both events precede the handover.'],
    track_200WithErrors_none: ['unknown', 'E_404_01: GLS does not list the parcel.'],
    track_200WithLinks_42249028960: [
      'scanned 2025-02-10T14:11:12.000Z',
      'The earliest event after the handover.',
    ],
    track_200WithoutErrors_36301917596: ['announced', 'Both events precede the handover.'],
    track_reference_of_two_parcels: ['unknown', 'The reference is not the number of one parcel.'],
    track_karrio_ErrorResponse: ['unknown', 'E_404_01: GLS does not list the parcel.'],
    track_karrio_TrackingResponse: [
      'scanned 2024-10-07T08:46:14.000Z',
      'The earliest event after the handover.',
    ],
    pending_gzip: ['cancelled accepted', 'GLS has scheduled the cancellation.'],
    result_in_list: ['unknown', 'The result is in a list, which GLS does not document.'],
    cancelled_with_error_header: ['unknown', 'ShipIT reports errors in this header.'],
    no_such_parcel_german: ['unknown', 'The text is not the one that GLS documents.'],
    second_500_track_cancelled: ['cancelled already', 'Tracking shows the cancellation.'],
    second_500_internal_error_track404: [
      'unknown',
      'The 500 names an internal error, so it is not the one for a second call.',
    ],
  },
}
