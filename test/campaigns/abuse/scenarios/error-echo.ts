/**
 * Large faulty requests: the answer must not be a multiple of the request, and the log must not count them as
 * errors.
 */
import { faultyBody, unknownFields } from '../requests/faulty-bodies.ts'
import { REST } from '../requests/rest-bodies.ts'
import type { Scenario } from '../scenario.ts'

const MAX_ANSWER = 64 * 1024

/** Up to 242 KB of faulty input. */
export const errorEcho: Scenario = {
  name: 'error-echo',
  rule: 'An answer to a faulty request stays under 64 KB, and the log reports no error for such a request.',
  async attack(stage) {
    const key = stage.newKey()
    const bodies = [
      // Longer than in other scenarios, but without text that is slow to search.
      { label: 'the report: 242 KB with 51 unknown fields', body: plainEcho() },
      unknownFields(120, 1_000)(stage.dice),
      ...Array.from({ length: stage.short ? 4 : 30 }, () => faultyBody(stage.dice, 8_000)),
    ]
    for (const { label, body } of bodies) {
      if (!stage.goesOn()) return
      const { bytes } = await stage.send({ label, path: '/graphql', key, body })
      if (bytes > MAX_ANSWER)
        stage.violate('an answer above 64 KB to a faulty request', `${label}: ${bytes} bytes`)
    }
    for (const path of [REST.rates, REST.estimate]) {
      const { bytes } = await stage.send({
        label: 'long values at the REST door',
        path,
        key,
        body: restFaults(),
      })
      if (bytes > MAX_ANSWER)
        stage.violate('an answer above 64 KB to a faulty request', `REST: ${bytes} bytes`)
    }
    for (const line of stage.errorLines())
      stage.violate('an error line in the log for a fault of the caller', line)
  },
}

function plainEcho(): string {
  const fields = Object.fromEntries(Array.from({ length: 51 }, (_unused, n) => [`f${n}`, n]))
  return JSON.stringify({
    query: 'query($i:RatesInput!){rates(input:$i){__typename}}',
    variables: { i: { ...fields, x: 'y'.repeat(240_000) } },
  })
}

function restFaults(): string {
  const long = 'z'.repeat(1_000)
  const wrong = { type: long, weight: long, length: long, width: long, height: long, count: long }
  return JSON.stringify({
    ...{ fromCountry: long, toCountry: long, recipientType: long, totalValue: long, insured: long },
    parcels: Array.from({ length: 15 }, () => wrong),
    contentItems: Array.from({ length: 15 }, () => ({
      description: 1,
      numberOfItems: long,
      cost: long,
      tariff: long,
    })),
  })
}
