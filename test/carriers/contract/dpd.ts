/** DPD: the expected judgements. No recorded reply of getOrderStatus is public, so there are no fixtures yet. */
import type { CarrierContract } from './contract.ts'

export const dpd: CarrierContract = {
  calls: {
    track: /^GET \/api\/v1\/getOrderStatus\/[^/]+\/null$/,
  },
  judgements: {},
}
