/** The scenarios of the crash campaign by name; the names are in README.md too. */
import { dayClose } from './day-close.ts'
import { delayedPacket } from './delayed-packet.ts'
import { lostTail } from './lost-tail.ts'
import { partialRefusal } from './partial-refusal.ts'
import { refusedPort, tokenOutage } from './refused-requests.ts'
import type { CrashScenario } from './scenario.ts'
import { slowLookups } from './slow-lookups.ts'

export const SCENARIOS: Readonly<Record<string, CrashScenario>> = {
  'partial refusal': partialRefusal,
  'token outage 503': tokenOutage(503),
  'token outage hanging': tokenOutage('hanging'),
  'token outage 401': tokenOutage(401),
  'refused port': refusedPort,
  'day close': dayClose,
  'delayed packet': delayedPacket,
  'slow lookups': slowLookups,
  'lost tail': lostTail,
}
