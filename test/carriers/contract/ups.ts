/**
 * UPS: the expected judgements. Sources of the fixtures: UPS-API/api-documentation, its issues, and recorded traffic of
 * clients.
 */
import type { CarrierContract } from './contract.ts'

export const ups: CarrierContract = {
  calls: {
    token: /^POST \/security\/v1\/oauth\/token$/,
    cancel: /^DELETE \/api\/shipments\/v2409\/void\/cancel\/[^/]+$/,
    track: /^GET \/api\/track\/v1\/details\/[^/]+$/,
  },
  judgements: {
    err_10401: ['unknown', 'A 401 concerns the credentials.'],
    err_190100: ['refused UNKNOWN_PARCEL', 'UPS lists 190100 as an invalid shipment id.'],
    err_190101: ['refused WINDOW_CLOSED', 'UPS lists 190101 as the end of the time for voiding.'],
    err_190103: ['refused SCANNED', 'UPS lists 190103 as a completed pick-up.'],
    err_190104: ['refused NOT_CANCELLABLE', 'UPS lists 190104: return shipments cannot be voided.'],
    err_190119: ['cancelled now', 'UPS lists 190119: the void succeeded, only the pick-up order remains.'],
    err_190121: ['refused NOT_CANCELLABLE', 'An error about the parcel: no package was voided.'],
    err_190122: ['refused NOT_CANCELLABLE', 'An error about the parcel: invalid packages.'],
    err_20001: ['unknown', '20001 is a general failure of UPS.'],
    err_400_unwrapped: [
      'unknown',
      'The errors are not in `response`, so the body does not have the official shape.',
    ],
    singular_one_not_voided: ['unknown', 'One package is not voided (spelling of recorded replies).'],
    spec_plural_all_voided: ['cancelled now', 'The response, the summary and the only package have code 1.'],
    spec_plural_one_not_voided: ['unknown', 'One package is not voided (spelling of the specification).'],
    track_label: ['announced', 'Status code 003: UPS has the label data and no package.'],
    track_spec_example: ['unknown', 'The reply is about another number.'],
    track_tw0001: ['unknown', 'UPS sends TW0001 for new labels and for mistyped numbers.'],
    track_voided_VP_type_M: ['cancelled', 'Manifest code VP: the shipment is voided.'],
    void_190102_cassette: [
      'refused WINDOW_CLOSED',
      'On the first send, 190102 means an unknown number or the end of the time for voiding.',
    ],
    void_190102_cassette_2nd_send: [
      'refused WINDOW_CLOSED',
      'The operation looks the parcel up before it trusts a refusal of a repeated send.',
    ],
    void_cie_xd_issue63: ['unknown', 'The codes of the test host contain `&#xD;`, so they are unreadable.'],
    void_partial_already_asrx: ['unknown', 'The summary reports a partial void.'],
    void_with_errors: ['unknown', 'The void succeeded, and an error beside it says that it is too late.'],
    void_with_alert_190119: [
      'cancelled now',
      'The alert repeats that the void succeeded; only the pick-up order remains.',
    ],
    void_plural_gzip: ['cancelled now', 'All packages are voided, now or before.'],
    html_with_200: ['unknown', 'The body is not JSON.'],
    void_with_202: ['unknown', 'UPS documents no 202 for a void.'],
    empty_204: ['unknown', 'UPS documents no 204 for a void.'],
    token_renewed: ['cancelled now', 'The repeat with a new token voids the shipment.'],
    '429_with_date': ['unknown', 'A 429 concerns the quota.'],
    errors_as_object: ['unknown', 'UPS sends its errors as a list.'],
    '190117_and_190101': ['unknown', '"Already voided" and "too late" contradict each other.'],
    '190001': ['unknown', '190001 passes without a correction.'],
    '190108': ['refused NOT_CANCELLABLE', 'An error about the parcel: its pick-up cannot be cancelled.'],
    partially_voided_list_all_voided: ['unknown', 'The summary says that other packages are live.'],
    track_void_then_pick_up: [
      'scanned 2026-11-21T05:30:00.000Z',
      'A scan counts more than an earlier void. Its time is the GMT one.',
    ],
  },
}
