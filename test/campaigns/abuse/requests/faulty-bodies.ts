/**
 * Faulty GraphQL bodies whose error messages would repeat the input: long values, long names, many errors,
 * and texts that resemble the suggestions that production removes from messages.
 */
import type { Dice } from '../../../support/random/seeded-dice.ts'
import type { GraphQLBody, GraphQLMaker } from './graphql-bodies.ts'

const MAX_BODY = 240 * 1024

/** A text that is slow to search with a backtracking expression. */
function searched(dice: Dice, length: number): string {
  const unit = dice.pick([
    'Did you mean ',
    'Did you mean ?',
    ' Did you mean',
    'Did you mean "a", or "b"? ',
    '? Did you mean ',
    'Did you mean \n',
    'did you mean ',
    'Did you mean Did you mean or ',
  ])
  const end = dice.pick(['', ' ', '\n', 'x', '?!', '??\n', '.'])
  return unit.repeat(Math.ceil(length / unit.length)).slice(0, length) + end
}

function body(label: string, query: string, variables: object = {}): GraphQLBody {
  return { label, body: JSON.stringify({ query, variables }) }
}

/** Many unknown fields besides one long value: each error repeats the whole input. */
export function unknownFields(fields: number, length: number): GraphQLMaker {
  return (dice) => {
    const many = Object.fromEntries(Array.from({ length: fields }, (_unused, n) => [`f${n}`, 1]))
    const variables = { i: { ...many, x: searched(dice, length) } }
    return body(
      `${fields} unknown fields beside ${length} characters`,
      'query($i:RatesInput!){rates(input:$i){__typename}}',
      variables,
    )
  }
}

/** A long text in place of an enum value, a number or a country. */
export function wrongValues(length: number): GraphQLMaker {
  return (dice) => {
    const text = searched(dice, length)
    const parcels = dice.pick([
      { boxes: [{ type: text, count: 1 }] },
      { documents: [{ count: text }] },
      { boxes: [{ count: 1, weightKg: { text } }], documents: [] },
    ])
    const input = {
      from: { country: dice.pick([text, 'NL']) },
      to: { country: text, [text.slice(0, 100)]: 1 },
      parcels,
    }
    return body(
      `wrong values of ${length} characters`,
      'query($i:RatesInput!){rates(input:$i){__typename}}',
      { i: input },
    )
  }
}

/** The same as literals in the document. */
export function wrongLiterals(length: number): GraphQLMaker {
  return (dice) => {
    const text = JSON.stringify(searched(dice, length))
    const query = dice.pick([
      `{classify(description:1,first:${text}){... on HsCandidates { candidates { hsCode } }}}`,
      `{shipments(first:${text}){edges{cursor}}}`,
      `{shipments(filter:{states:${text},ids:${text}},last:${text},before:${text}){edges{cursor}}}`,
      `{carriers @include(if:${text}){id}}`,
      `query($a:Int=${text}){classify(description:"a",first:$a){... on HsCandidates { candidates { hsCode } }}}`,
      `{rates(input:{from:${text}}){__typename}}`,
    ])
    return body(`a wrong literal of ${length} characters`, query)
  }
}

/** Names that do not exist: long ones, and many of them. */
export function unknownNames(count: number, length: number): GraphQLMaker {
  return (dice) => {
    const name = (n: number): string =>
      `${dice.pick(['carriers', 'x', 'Didyoumean'])}${'y'.repeat(length)}${n}`
    const names = Array.from({ length: count }, (_unused, n) => name(n))
    const query = dice.pick([
      `{${names.join(' ')}}`,
      `{carriers{${names.join(' ')}}}`,
      `{${names.map((name) => `...${name}`).join(' ')}}`,
      `{carriers{id ${names.map((name) => `@${name}`).join(' ')}}}`,
      `{classify(${names.map((name) => `${name}:1`).join(' ')}){code}}`,
      `query(${names.map((name) => `$${name}:${name}`).join()}){__typename}`,
    ])
    return body(`${count} unknown names of ${length} characters`, query)
  }
}

/** One error value in a list of many. */
export function manyWrongItems(items: number, length: number): GraphQLMaker {
  return (dice) => {
    const inputs = Array.from({ length: items }, () => ({ from: searched(dice, length) }))
    return body(
      `${items} wrong items of ${length} characters`,
      'query($i:[RatesInput!]!){ratesBatch(inputs:$i){__typename}}',
      { i: inputs },
    )
  }
}

/** An operation name that the document does not contain. */
export function unknownOperation(length: number): GraphQLMaker {
  return (dice) => ({
    label: `an unknown operation of ${length} characters`,
    body: JSON.stringify({
      query: 'query A{__typename} query B{__typename}',
      operationName: searched(dice, length),
    }),
  })
}

/** Faulty bodies of every kind with sizes from the dice, at most about `largest` bytes. */
export function faultyBody(dice: Dice, largest: number): GraphQLBody {
  const length = dice.int(Math.floor(largest / 4), Math.min(largest, MAX_BODY - 4_096))
  const makers: readonly GraphQLMaker[] = [
    unknownFields(dice.int(1, 120), length),
    wrongValues(Math.floor(length / 3)),
    wrongLiterals(length),
    unknownNames(dice.int(1, 60), Math.floor(length / 80)),
    manyWrongItems(50, Math.floor(length / 60)),
    unknownOperation(length),
  ]
  return dice.pick(makers)(dice)
}
