/** Expensive and cheap requests of the overload campaign. `key` is a value of X-PP-API. */
import { diceOf } from '../../support/random/seeded-dice.ts'
import { REST, restEstimate, restRates } from '../abuse/requests/rest-bodies.ts'
import { type Request, SERIAL } from './client.ts'

export function headersOf(key: string): Record<string, string> {
  return { 'content-type': 'application/json', 'x-pp-api': key }
}

export function ratesBatch(port: number, key: string): Request {
  const query = `query($i:[RatesInput!]!){ratesBatch(inputs:$i){...on RatesBatch{results{...on RateQuote{rateCardVersions options{
    product{id name carrier{id name}} price{amount currency} badges breakdown{kind name amount{amount}}}}}}}}`
  const inputs = Array.from({ length: 30 }, (_unused, index) => ({
    from: { country: 'NL' },
    to: { country: ['ES', 'US', 'BE', 'FR'][index % 4] },
    parcels: {
      boxes: [1, 2, 3].map((n) => ({
        ...{ count: 1, weightKg: `${n + index}.5` },
        ...{ lengthCm: 30 + n, widthCm: 20, heightCm: 10 + n },
      })),
    },
  }))
  const body = JSON.stringify({ query, variables: { i: inputs } })
  return { port, method: 'POST', path: '/graphql', headers: headersOf(key), body }
}

/** Its descriptions differ in each request, because the service remembers the codes of recent descriptions. */
export function estimate(port: number, key: string, items = 60): Request {
  const body = restEstimate(diceOf(2), items, false).replaceAll('"description":"', `$&${SERIAL} `)
  return { port, method: 'POST', path: REST.estimate, headers: headersOf(key), body }
}

export function smallRates(port: number, key: string): Request {
  const body = restRates(diceOf(1), 1)
  return { port, method: 'POST', path: REST.rates, headers: headersOf(key), body }
}
