/** Ports for the tests of the REST door. Each throws a given error, or an error that it must not be used. */

import { type Ports, SYSTEM_EFFECTS } from '../../../src/operations/ports/ports.ts'
import { openInFlight } from '../../../src/operations/ports/work.ts'
import { checkoutTokens } from '../../../src/store/accounts/checkout-tokens.ts'
import { secretMatcher } from '../../../src/store/accounts/credentials.ts'
import { DRAFT_TERMS } from './draft-terms.ts'
import { estimatePorts } from './memory-estimates.ts'
import { OPTION_TOKEN_PORTS } from './option-token-ports.ts'

/** Errors by port. */
export type PortFaults = { readonly [Name in keyof Ports]?: () => Error }

/** Ports that throw on use, with the given error if any. The clock is fixed. */
export function portsWithout(faults: PortFaults): Ports {
  const refusing = <Port extends object>(name: keyof Ports): Port =>
    new Proxy({} as Port, {
      get: () => () => {
        throw faults[name]?.() ?? new Error(`the port ${name} was not to be used`)
      },
    })
  return {
    ...SYSTEM_EFFECTS,
    inFlight: openInFlight(),
    clock: () => new Date('2026-03-02T10:00:00Z'),
    reportFault: () => {},
    alert: () => {},
    reference: refusing('reference'),
    calendar: refusing('calendar'),
    classifier: refusing('classifier'),
    descriptionWords: refusing('descriptionWords'),
    credentials: refusing('credentials'),
    secrets: secretMatcher,
    checkoutTokens,
    draftTerms: DRAFT_TERMS,
    ...estimatePorts(Date.now),
    estimates: refusing('estimates'),
    ...OPTION_TOKEN_PORTS,
    shipments: refusing('shipments'),
    recovery: refusing('recovery'),
    tracking: refusing('tracking'),
    webhookLog: refusing('webhookLog'),
    carriers: refusing('carriers'),
  }
}
