/** The contracts of all carriers. The compiler reports an error if a connector has none. */
import type { ConnectorName } from '../../../src/core/connector-names.ts'
import type { CarrierContract } from './contract.ts'
import { dhlExpress } from './dhl-express.ts'
import { dhlParcelDe } from './dhl-parcel-de.ts'
import { dpd } from './dpd.ts'
import { fedex } from './fedex.ts'
import { glsShipit } from './gls-shipit.ts'
import { ups } from './ups.ts'

export const CONTRACTS: Readonly<Record<Exclude<ConnectorName, 'sandbox'>, CarrierContract>> = {
  ups,
  fedex,
  'dhl-parcel-de': dhlParcelDe,
  'gls-shipit': glsShipit,
  'dhl-express': dhlExpress,
  dpd,
}
