/** Thousands of malformed and strange requests. Each gets a proper answer or a closed connection. */
import { malformedRequest, seeded } from '../../../http/malformed-requests.ts'
import { GOOD_HEADER } from '../../../http/test-socket.ts'
import { talk } from '../raw-client.ts'
import {
  deepDocument,
  deepJson,
  type OddRequest,
  oddHeaders,
  oddText,
  randomBody,
} from '../requests/odd-requests.ts'
import { inParallel, type Scenario, type Stage } from '../scenario.ts'

const AT_ONCE = 8
/** Below the limit of a key per minute. */
const REQUESTS_PER_KEY = 500

/** All kinds, in a seeded order. */
export const oddRequests: Scenario = {
  name: 'odd-requests',
  rule: 'No request, however malformed, is answered with a 5xx or logged as an error of the service.',
  async attack(stage) {
    const times = stage.short ? 250 : 6_000
    const random = seeded(stage.dice.int(0, 2 ** 30))
    let key = stage.newKey()
    await inParallel(stage, { times, atOnce: AT_ONCE }, async (n) => {
      if (n % REQUESTS_PER_KEY === REQUESTS_PER_KEY - 1) key = stage.newKey()
      // Each kind at least once, then random ones.
      const makers = [oddHeaders, deepDocument, deepJson, oddText, randomBody, malformed(random)]
      const maker = n < 2 * makers.length ? makers[n % makers.length] : stage.dice.pick(makers)
      if (maker !== undefined) await exchange(stage, maker(stage.dice, key))
    })
    for (const line of stage.errorLines())
      stage.violate('an error line in the log for a fault of the caller', line)
  },
}

function malformed(random: () => number) {
  return (_dice: unknown, key: string): OddRequest => {
    const made = malformedRequest(random).toString('latin1').replace(GOOD_HEADER, key)
    return { label: `malformed: ${made.slice(0, 60)}`, bytes: Buffer.from(made, 'latin1'), refused: false }
  }
}

async function exchange(stage: Stage, { label, bytes, refused }: OddRequest): Promise<void> {
  const answers = await talk(stage.port, bytes, { half: true })
  for (const answer of answers) {
    stage.judge(label, answer)
    if (refused && answer.status >= 200 && answer.status < 300)
      stage.violate(`served instead of refused: ${label.split(':')[0]}`, answer.body.slice(0, 100))
    if (answer.body !== '' && !isJson(answer.body))
      stage.violate('an answer that is not JSON', `${label}: ${answer.body}`)
  }
  if (answers.length === 0) stage.note('closed without an answer', 1)
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
