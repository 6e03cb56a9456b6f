/** DHL Express: the expected judgements. Sources of the fixtures: the MyDHL specification 3.1.1 and a client. */
import type { CarrierContract } from './contract.ts'

export const dhlExpress: CarrierContract = {
  calls: {
    track: /^GET \/shipments\/[^/]+\/tracking$/,
    image: /^GET \/shipments\/[^/]+\/get-image$/,
  },
  judgements: {
    karrio_delivered: ['unknown', 'The status is not Success, so the shape is not the official one.'],
    no_events: ['cancelled released', 'DHL has a record of the shipment and no checkpoint.'],
    no_events_piece_scanned: ['refused SCANNED', 'A piece was picked up.'],
    spec_400_Invalid_parameter: ['unknown', 'The lookup failed.'],
    spec_404_No_data_found: ['unknown', 'DHL has no data, because the label is new or the number wrong.'],
    pieces_none_scanned: [
      'cancelled released',
      'Neither the shipment nor one of its pieces has a checkpoint.',
    ],
    pieces_one_missing: ['unknown', 'DHL lists two of three pieces.'],
    track_offset: [
      'scanned 2020-06-10T04:06:00.000Z',
      'The checkpoint is at 13:06 with an offset of +09:00.',
    ],
    fresh_label_404: ['unknown', 'A new label has no data yet, and DHL has no image of its waybill either.'],
    '404_html': ['unknown', 'A gateway page.'],
    checkpoint_SM: ['unknown', 'The checkpoint is not listed.'],
    pick_up_offset_11: ['refused SCANNED', 'The parcel was picked up.'],
  },
}
