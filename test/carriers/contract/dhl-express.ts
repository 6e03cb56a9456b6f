/** DHL Express: the expected judgements. Sources of the fixtures: the MyDHL specification 3.1.1 and a client. */
import { type CarrierContract, WRONG } from './contract.ts'

export const dhlExpress: CarrierContract = {
  calls: {
    track: /^GET \/shipments\/[^/]+\/tracking$/,
  },
  judgements: {
    karrio_delivered: ['unknown', 'The status is not Success, so the shape is not the official one.'],
    no_events: ['cancelled released', 'DHL has a record of the shipment and no checkpoint.'],
    no_events_piece_scanned: ['refused SCANNED', 'A piece was picked up.', WRONG],
    spec_400_Invalid_parameter: ['unknown', 'The lookup failed.'],
    spec_404_No_data_found: ['unknown', 'DHL sends a 404 for unscanned labels and for wrong numbers.'],
  },
}
