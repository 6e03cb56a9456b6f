/** Valid documents over the stored shipments: known expensive shapes, and random ones from a seed. */
import fc from 'fast-check'
import type { GraphQLSchema } from 'graphql'
import { type RandomDocument, randomDocument } from '../../graphql/random-document.ts'
import type { Stored } from './stored.ts'

export type CostDocument = RandomDocument & { readonly label: string }

export function fixedDocuments({ large, long, small }: Stored): readonly CostDocument[] {
  const [one = ''] = large
  const deep = 'contentItems { description quantities { unit amount } }'
  const repeated = (count: number, inner: string): CostDocument =>
    entities(`${count} times the same, ${inner}`, Array(count).fill(one), inner)
  return [
    repeated(100, 'contentItems { quantities { unit amount } }'),
    repeated(1_000, 'contentItems { quantities { unit amount } }'),
    repeated(1_000, 'state'),
    repeated(200, 'contentItems { count }'),
    repeated(30, `contentItems { ${aliases(10, 'description')} }`),
    entities('all large, count', large, 'contentItems { count }'),
    entities('100 large, description', large.slice(0, 100), 'contentItems { description }'),
    entities('40 large, everything', large.slice(0, 40), `parcels { count lengthCm } ${deep}`),
    entities('200 large, parcels', large.slice(0, 200), 'parcels { count weight { kilograms } }'),
    entities('all long', long, 'contentItems { description count value { amount } }'),
    entities('all small', small, `parcels { count } ${deep}`),
    entities(
      'unknown ones',
      small.map((id) => `${id}-unknown`),
      deep,
    ),
    lists(1, `nodes { parcels { count } ${deep} }`),
    lists(10, `nodes { id ${deep} } edges { node { contentItems { count } } }`),
    lists(10, 'nodes { id state trackingNumbers cancelAttempts { sends } product { name } }'),
    {
      ...{ label: '1,000 invalid representations', query: ENTITIES.replace('INNER', 'id') },
      variables: { r: Array(1_000).fill({ __typename: 'Shipment' }) },
    },
    {
      label: 'a cancelled draft with its contents, often',
      query: `mutation Cancel($id: ID!) { cancelShipment(input: { shipmentId: $id }) {
        ... on ShipmentCancelled { shipment { ${aliases(12, deep)} } } } }`,
      variables: { id: one },
    },
  ]
}

export function randomDocuments(
  schema: GraphQLSchema,
  { large, long, small }: Stored,
  seed: number,
  numRuns: number,
): readonly CostDocument[] {
  const lengths = [1, 5, 20, 50, 100, 300]
  const keys = [large, long, small].flatMap((ids) =>
    lengths.map((length) => ({ representations: keysOf(ids.slice(0, length)) })),
  )
  const same = lengths.map((length) => ({ representations: keysOf(Array(length).fill(large[0])) }))
  const roots = [
    { field: 'shipment', variables: { id: 'ID!' }, values: [large, long, small].map(([id]) => ({ id })) },
    { field: 'shipments', variables: { first: 'Int' }, values: [1, 5, 20, 100].map((first) => ({ first })) },
    { field: '_entities', variables: { representations: '[_Any!]!' }, values: [...keys, ...same] },
  ]
  return fc
    .sample(randomDocument(schema, roots), { seed, numRuns })
    .map((document, index) => ({ label: `random ${index}: ${document.query}`, ...document }))
}

const ENTITIES = `query Entities($r: [_Any!]!) { _entities(representations: $r) { ... on Shipment { INNER } } }`

function entities(label: string, ids: readonly string[], inner: string): CostDocument {
  return { label, query: ENTITIES.replace('INNER', inner), variables: { r: keysOf(ids) } }
}

function keysOf(ids: readonly (string | undefined)[]): readonly object[] {
  return ids.map((id) => ({ __typename: 'Shipment', id }))
}

function lists(roots: number, inner: string): CostDocument {
  const fields = Array.from({ length: roots }, (_, index) => `a${index}: shipments(first: 100) { ${inner} }`)
  return {
    label: `${roots} lists of 100, ${inner}`,
    query: `query Lists { ${fields.join(' ')} }`,
    variables: {},
  }
}

function aliases(count: number, field: string): string {
  return Array.from({ length: count }, (_, index) => `a${index}: ${field}`).join(' ')
}
