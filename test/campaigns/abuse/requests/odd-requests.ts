/** Requests that are wrong or strange outside of fields: headers, nesting, characters, bytes. */
import type { Dice } from '../../../support/random/seeded-dice.ts'
import { rawRequest } from '../raw-client.ts'
import { REST } from './rest-bodies.ts'

/** A request as bytes. `refused`: a 2xx would be a violation. */
export type OddRequest = { readonly label: string; readonly bytes: Buffer; readonly refused: boolean }

const MAX_BODY = 250 * 1024
/** A document may have 500 selections, so anything deeper exceeds the limits. */
const MAX_DEPTH = 500

function post(key: string, label: string, path: string, body: string | Buffer, refused: boolean): OddRequest {
  const headers = [`X-PP-API: ${key}`, 'Content-Type: application/json', 'Connection: close']
  return { label, bytes: rawRequest(`POST ${path}`, headers, body), refused }
}

/** Duplicate headers, and too many headers. */
export function oddHeaders(dice: Dice, key: string): OddRequest {
  const query = '{"query":"{__typename}"}'
  const common = ['Content-Type: application/json', 'Connection: close']
  const many = Array<string>(dice.int(2_000, 2_300)).fill(dice.pick(['A:', 'A: ', 'b:']))
  const headers = dice.pick<{ label: string; lines: string[]; refused?: boolean }>([
    { label: 'two Host headers', lines: [`X-PP-API: ${key}`, dice.pick(['Host: other', 'host: waybill'])] },
    { label: 'a second X-PP-API behind many headers', lines: [`X-PP-API: ${key}`, ...many, 'x-pp-api: a@b'] },
    { label: 'a second X-PP-API before many headers', lines: ['X-PP-API: a@b', ...many, `X-PP-API: ${key}`] },
    { label: 'X-PP-API twice', lines: [`X-PP-API: ${key}`, `X-PP-API: ${key}`] },
    // With one X-PP-API, both success and refusal are correct.
    {
      label: '5,000 headers',
      lines: [`X-PP-API: ${key}`, ...Array<string>(5_000).fill('A:')],
      refused: false,
    },
  ])
  return {
    label: headers.label,
    bytes: rawRequest('POST /graphql', [...common, ...headers.lines], query),
    refused: headers.refused ?? true,
  }
}

/** Lists, objects, selections and types, nested far deeper than any schema. */
export function deepDocument(dice: Dice, key: string): OddRequest {
  const depth = dice.pick([20, 400, 900, 990, 1_500, 20_000])
  const around = (open: string, close: string, inner: string): string =>
    `${open.repeat(depth)}${inner}${close.repeat(depth)}`
  const query = dice.pick([
    `{classify(description:${around('[', ']', '"a"')}){code}}`,
    `{classify(description:${around('[', '', '')}`,
    `{rates(input:${around('{a:', '}', '1')}){__typename}}`,
    `{${around('carriers{', '}', 'id')}}`,
    around('{', '}', 'carriers{id}'),
    `query($a:${around('[', ']', 'Int')}){__typename}`,
    `{${around('...{', '}', '__typename')}}`,
    `{carriers{${around('...on Carrier{', '}', 'id')}}}`,
  ])
  return post(
    key,
    `${depth} deep: ${query.slice(0, 40)}`,
    '/graphql',
    JSON.stringify({ query }),
    depth > MAX_DEPTH,
  )
}

/** JSON that nests a hundred thousand levels deep, as a body or within one. */
export function deepJson(dice: Dice, key: string): OddRequest {
  const depth = dice.pick([100, 5_000, 100_000])
  const nested = dice.pick([
    `${'['.repeat(depth)}${']'.repeat(depth)}`,
    `${'{"a":'.repeat(Math.min(depth, 40_000))}1${'}'.repeat(Math.min(depth, 40_000))}`,
    '['.repeat(depth),
  ])
  const query = 'query($i:RatesInput!){rates(input:$i){__typename}}'
  const [path, body] = dice.pick([
    [REST.rates, nested],
    [REST.rates, `{"parcels":${nested}}`],
    [REST.estimate, `{"contentItems":[${nested}]}`],
    ['/graphql', nested],
    ['/graphql', `{"query":"${query}","variables":{"i":${nested}}}`],
    ['/graphql', `{"query":"{__typename}","extensions":${nested}}`],
    ['/graphql', `{"query":${nested}}`],
  ] as const)
  return post(key, `JSON ${depth} deep`, path, body.slice(0, MAX_BODY), false)
}

/** Characters and names with a special meaning. */
export function oddText(dice: Dice, key: string): OddRequest {
  const text = dice.pick([
    '"\\ud800"',
    '"\\udfff\\ud800"',
    '"\\u0000"',
    '"\\u202e\\u2066"',
    '1e999',
    '-0',
    '{"__proto__":{"a":1}}',
    '{"constructor":{"prototype":{"a":1}}}',
    '{"toString":1,"valueOf":null,"length":1e9}',
    '{"then":1,"toJSON":1}',
    `"${'\\u0301'.repeat(2_000)}"`,
    `"${'9'.repeat(5_000)}"`,
  ])
  const name = dice.pick(['__proto__', 'constructor', 'parcels', 'fromCountry', 'contentItems', 'toString'])
  const [path, body] = dice.pick([
    [REST.rates, `{"${name}":${text}}`],
    [REST.rates, `{"fromCountry":${text},"toCountry":${text},"parcels":[${text}],"${name}":${text}}`],
    [
      REST.estimate,
      `{"fromCountry":"NL","toCountry":"US","contentItems":[{"description":${text},"cost":${text},"numberOfItems":${text}}]}`,
    ],
    [
      '/graphql',
      `{"query":"query($d:String!){classify(description:$d){... on HsCandidates { candidates { hsCode } }}}","variables":{"d":${text}}}`,
    ],
    ['/graphql', `{"query":"{__typename}","variables":${text},"operationName":${text}}`],
    ['/graphql', `{"query":"query(${'$'}__proto__:Int){__typename}","variables":{"${name}":${text}}}`],
  ] as const)
  return post(key, `odd text ${text.slice(0, 40)}`, path, body, false)
}

/** A body of random bytes. */
export function randomBody(dice: Dice, key: string): OddRequest {
  const bytes = Buffer.from(Array.from({ length: dice.int(0, 2_000) }, () => dice.int(0, 255)))
  const body = dice.chance(0.5) ? bytes : Buffer.concat([Buffer.from('{"query":"'), bytes, Buffer.from('"}')])
  return post(key, 'random bytes', dice.pick([REST.rates, REST.estimate, '/graphql']), body, false)
}
