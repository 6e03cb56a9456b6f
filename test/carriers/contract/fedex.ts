/**
 * FedEx: the expected judgements. Sources of the fixtures: the Ship and Track specifications, and fixtures of clients.
 */
import type { CarrierContract } from './contract.ts'

export const fedex: CarrierContract = {
  calls: {
    token: /^POST \/oauth\/token$/,
    cancel: /^PUT \/ship\/v1\/shipments\/cancel$/,
    track: /^POST \/track\/v1\/trackingnumbers$/,
  },
  judgements: {
    err_200_DELETED: ['cancelled already', 'The error code means that the shipment is already deleted.'],
    err_400_CANCELSHIPMENT_TRACKINGNUMBER_DELETED: [
      'cancelled already',
      'The error code means that the shipment is already deleted.',
    ],
    err_400_INVALID_INPUT_EXCEPTION: [
      'unknown',
      'The general code for a malformed request does not concern the parcel.',
    ],
    err_400_MASTERTRACKINGID_TRACKINGNUMBER_CANCELLED: [
      'cancelled already',
      'The error code means that the shipment is already cancelled.',
    ],
    err_400_SHIPMENT_ACCOUNTNUMBER_INVALID: ['unknown', 'The account number in the settings is wrong.'],
    err_400_SHIPMENT_CANCELEDWITHOUTPICKUP_FAILURE: [
      'refused NOT_CANCELLABLE',
      'FedEx lists this code as a refusal.',
    ],
    err_400_SHIPMENT_CANCELEDWITHOUTPICKUP_SUCCESS: [
      'cancelled now',
      'FedEx reports this success as an error.',
    ],
    err_400_SHIPPER_ACCOUNT_REQUIRED: ['unknown', 'The code concerns the account number in the settings.'],
    err_400_TRACKINGNUMBER_NOT_FOUND: [
      'refused UNKNOWN_PARCEL',
      'FedEx does not know the number, and no earlier send can have deleted the shipment.',
    ],
    err_422_INVALID_INPUT_EXCEPTION: [
      'unknown',
      'The general code for a malformed request does not concern the parcel.',
    ],
    err_429: ['unknown', 'A 429 concerns the quota.'],
    spec_200_history_only: [
      'unknown',
      '`cancelledShipment: false` is settled by a lookup, and tracking is unavailable.',
    ],
    spec_200_true: ['cancelled now', '`cancelledShipment: true` without errors.'],
    spec_400: ['unknown', 'The user is not authorized, so the reply does not concern the parcel.'],
    spec_404: ['unknown', 'A 404 is settled by a lookup, and tracking is unavailable.'],
    spec_500: ['unknown', 'A fault of FedEx.'],
    track_InconsistentDateTimeResponse: [
      'scanned 2024-08-15T00:00:00.000Z',
      'The earliest event of a parcel in the hands of FedEx.',
    ],
    track_TrackingResponse: ['unknown', 'The result is about another number.'],
    track_notfound: ['unknown', 'A new label takes up to a day to appear.'],
    track_spec_400: ['unknown', 'The lookup failed.'],
    track_spec_401: ['unknown', 'A 401 concerns the credentials.'],
    track_spec_404: ['unknown', 'FedEx sends NOT.FOUND.ERROR for a resource, which may be the URL.'],
    track_spec_500: ['unknown', 'A fault of FedEx.'],
    track_spec_503: ['unknown', 'A fault of FedEx.'],
    true_as_text: ['unknown', 'The confirmation is not a boolean.'],
    true_with_202: ['unknown', 'FedEx documents no 202.'],
    true_with_errors_object: ['unknown', 'The errors contradict the confirmation.'],
    '404_track_cancelled': ['cancelled already', 'Tracking shows the cancellation.'],
    '422_track_picked_up': ['refused SCANNED', 'Tracking has a pick-up.'],
    false_with_history_2nd_track_label: [
      'unknown',
      '`cancelledHistory` says that the shipment was deleted, perhaps by the first send.',
    ],
    '503_html_retry_after': ['unknown', 'A gateway page.'],
    '401_then_token_429': [
      'not sent',
      'FedEx rejected the request with 401, and without a token it cannot be repeated.',
    ],
    deleted_and_closed: ['unknown', '"Already deleted" and "closed" contradict each other.'],
    not_found_localised: ['refused UNKNOWN_PARCEL', 'The code is known; its text does not matter.'],
  },
}
