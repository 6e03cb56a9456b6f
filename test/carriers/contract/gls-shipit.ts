/** GLS ShipIT: the expected judgements. Sources of the fixtures: the specifications of ShipIT Farm and Track And Trace V1. */
import { type CarrierContract, WRONG } from './contract.ts'

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
    err_500_second_track404: ['unknown', 'GLS lists a parcel only after the end of its day.'],
    err_nosuch_second_track404: [
      'unknown',
      'After an unconfirmed send, an unknown id may be a cancelled parcel.',
      WRONG,
    ],
    headers_400_nosuch: ['refused UNKNOWN_PARCEL', 'The id does not exist, and nothing was sent before.'],
    headers_args_only: ['unknown', 'INVALID_FIELD_VALUE without the message for an unknown id.'],
    lower_both_trackID: ['cancelled now', 'The id has another spelling.', WRONG],
    lower_result: ['cancelled now', 'The result has another spelling.'],
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
    track_karrio_ErrorResponse: ['unknown', 'E_404_01: GLS does not list the parcel.'],
    track_karrio_TrackingResponse: [
      'scanned 2024-10-07T08:46:14.000Z',
      'The earliest event after the handover.',
    ],
  },
}
