/**
 * DPD: the expected judgements. No recorded reply of getOrderStatus is public: the fixtures are built from the schema
 * on cloud.dpd.com, and from a public client that was tested with production.
 */
import type { CarrierContract } from './contract.ts'

export const dpd: CarrierContract = {
  calls: {
    track: /^GET \/api\/v1\/getOrderStatus\/[^/]+\/null$/,
  },
  judgements: {
    accepted: ['unknown', '"Parcel handed to DPD" is reached, so DPD may have the parcel (D133).'],
    accepted_not_reached: ['cancelled released', 'The parcel is not handed to DPD yet (D133).'],
    accepted_on_the_road: ['refused SCANNED', 'A later milestone is reached.'],
    call_limit: ['unknown', 'A limit of the account.'],
    data_transmitted: ['announced', 'DPD has the data of the parcel only.'],
    partner_credentials: ['unknown', 'A fault of the credentials.'],
    sdk_flat_delivered: ['scanned 2024-01-16T12:00:00.000Z', 'Delivered; without the wrapper OrderStatus.'],
    start: ['unknown', 'No source says whether DPD sends START before it has the parcel.'],
    announced_gzip: ['cancelled released', 'DPD has the data of the parcel only.'],
    acknowledged_with_errors: ['unknown', 'An error stands beside the state.'],
    last_status_as_list: ['unknown', 'The last state is not an object.'],
    unlisted_milestone_reached: ['unknown', 'A milestone is reached that is not listed.'],
    '403_html': ['unknown', 'A firewall page.'],
  },
}
