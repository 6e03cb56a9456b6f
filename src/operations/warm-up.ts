/**
 * Operation: prices and estimates a few requests before the service is ready, so that the code that most requests run
 * is compiled, the indexes of the reference data are built, and the calendars are read. The results are discarded.
 */
import type { DutiesInput } from '../core/customs/request.ts'
import type { RatesInput } from '../core/rating/request.ts'
import { datesOfOption } from './delivery-dates.ts'
import { estimateDuties } from './estimate-duties.ts'
import type { Ports } from './ports/ports.ts'
import { quoteRates } from './quote-rates.ts'

/** About 40 ms in total on an unoccupied processor, most of them in the first rounds. */
const ROUNDS = 30
/** On a busy machine, being ready matters more. */
const LONGEST_MS = 500

const PARCELS: RatesInput = {
  from: { country: 'NL' },
  to: { country: 'ES' },
  parcels: [
    { type: 'NONDOC', weight: '5.0', length: 40, width: 30, height: 20, count: 1 },
    { type: 'NONDOC', weight: '12.5', length: 60, width: 40, height: 40, count: 2 },
  ],
  recipientType: 'business',
}

const GOODS: DutiesInput = {
  from: { country: 'US' },
  to: { country: 'NL' },
  contentItems: [
    // With codes, so no classifier is called. That of an operator may use the network.
    { description: "men's cotton t-shirt", numberOfItems: 5, cost: 40, tariff: '610910' },
    { description: 'ceramic coffee mug', numberOfItems: 2, cost: 12.5, tariff: '691200' },
  ],
}

/** An account that does not exist has no contract, and sees what is offered to everyone. */
const NOBODY = { accountId: '', countAverages: true }

/**
 * Returns the number of rounds. A fault of the data is not reported here, but to the caller whose request it concerns.
 */
export async function warmUp(
  ports: Pick<Ports, 'reference' | 'calendar' | 'classifier' | 'clock' | 'monotonicMs'>,
): Promise<number> {
  const endsAt = ports.monotonicMs() + LONGEST_MS
  let rounds = 0
  try {
    while (rounds < ROUNDS && ports.monotonicMs() < endsAt) {
      const quoted = quoteRates(ports, NOBODY, PARCELS)
      if (quoted.kind === 'RateQuote') for (const option of quoted.options) datesOfOption(ports, option)
      await estimateDuties(ports, NOBODY, GOODS)
      rounds += 1
    }
  } catch {
    // The same request of a caller fails with an error that names it.
  }
  return rounds
}
