/** All scenarios, in the order in which they run. */
import type { Scenario } from '../scenario.ts'
import { demoSecrets } from './demo-secrets.ts'
import { errorEcho } from './error-echo.ts'
import { errorMasking } from './error-masking.ts'
import { readinessFlood, unknownKeys } from './floods.ts'
import { hangUps } from './hang-ups.ts'
import { databaseCrowd, heavyCrowd, heavyEstimates, heavyQueries } from './heavy-requests.ts'
import { forgottenLimits, slidingLimit } from './limits.ts'
import { lockOut } from './lock-out.ts'
import { oddRequests } from './odd-requests.ts'
import { ownCarrierAccess } from './own-carrier-access.ts'
import { slowKeyedBodies, slowSignedBodies } from './slow-bodies.ts'
import { unboundedResponses, unboundedResponsesAtOnce } from './unbounded-responses.ts'
import { trickledResponses, unreadResponses, unreadResponsesFewPlaces } from './unread-responses.ts'

export const SCENARIOS: readonly Scenario[] = [
  unboundedResponses,
  unboundedResponsesAtOnce,
  errorMasking,
  errorEcho,
  slowSignedBodies,
  slowKeyedBodies,
  heavyEstimates,
  heavyQueries,
  heavyCrowd,
  databaseCrowd,
  unreadResponses,
  unreadResponsesFewPlaces,
  trickledResponses,
  readinessFlood,
  unknownKeys,
  forgottenLimits,
  slidingLimit,
  lockOut,
  ownCarrierAccess,
  oddRequests,
  hangUps,
  demoSecrets,
]
