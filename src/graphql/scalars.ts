/**
 * The scalars of the schema. They only settle the wire type: whether a figure, an instant or a country makes
 * sense is for core to say, which names every fault of a request at once and by its path. A scalar that
 * refused them would end the request at the first one.
 */
import { GraphQLError, GraphQLScalarType, Kind, type ValueNode } from 'graphql'

/** Exact decimals: text in and out; a number is taken over as its text, never rounded. */
export const Decimal = new GraphQLScalarType<string, string>({
  name: 'Decimal',
  serialize: (value) => textOf('Decimal', value),
  parseValue: (value) => (typeof value === 'number' ? String(value) : textOf('Decimal', value)),
  parseLiteral: (node) => {
    // The literal's own characters: 1.10 stays "1.10" and 12345678901234567.89 keeps its digits.
    if (node.kind === Kind.INT || node.kind === Kind.FLOAT) return node.value
    return literalText('Decimal', node)
  },
})

/** Instants as ISO 8601 text. */
export const DateTime = textScalar('DateTime')

/** ISO 3166-1 alpha-2 codes as text. */
export const CountryCode = textScalar('CountryCode')

function textScalar(name: string): GraphQLScalarType<string, string> {
  return new GraphQLScalarType<string, string>({
    name,
    serialize: (value) => textOf(name, value),
    parseValue: (value) => textOf(name, value),
    parseLiteral: (node) => literalText(name, node),
  })
}

function textOf(name: string, value: unknown): string {
  if (typeof value === 'string') return value
  throw new GraphQLError(`${name} must be text`)
}

function literalText(name: string, node: ValueNode): string {
  if (node.kind === Kind.STRING) return node.value
  throw new GraphQLError(`${name} must be text`, { nodes: node })
}
