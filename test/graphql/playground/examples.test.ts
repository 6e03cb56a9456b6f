import { buildSchema, getVariableValues, type OperationDefinitionNode, parse, validate } from 'graphql'
import { describe, expect, test } from 'vitest'
import { checkText } from '../../../src/graphql/document-text.ts'
import { checkLimits } from '../../../src/graphql/guards.ts'
import { EXAMPLES } from '../../../src/graphql/playground/examples.ts'
import { readSchemaText } from '../../../src/graphql/schema-files.ts'

const schema = buildSchema(readSchemaText())
const roots = [schema.getQueryType(), schema.getMutationType()].flatMap((type) =>
  Object.keys(type?.getFields() ?? {}),
)

describe('the playground’s examples', () => {
  for (const { query, variables } of EXAMPLES) {
    const document = parse(query)
    const operation = document.definitions[0] as OperationDefinitionNode
    test(`${operation.name?.value} fits the schema and its variables`, () => {
      expect(checkText(query)).toEqual([])
      expect(checkLimits(schema, document)).toEqual([])
      expect(validate(schema, document)).toEqual([])
      expect(getVariableValues(schema, operation.variableDefinitions ?? [], variables).errors).toBeUndefined()
    })
  }

  test('show every operation except lookups by id, those for gateways, checkout tokens and webhooks', () => {
    const shown = EXAMPLES.map(({ query }) => /\{\s*(\w+)/.exec(query)?.[1])
    // An operator adds the endpoints of webhooks.
    const WEBHOOKS = ['webhookEndpoint', 'webhookEndpoints', 'replayWebhook']
    // A checkout token is for a publishable key, which the operator creates.
    const others = [
      'shipment',
      'carrier',
      'product',
      'keptEstimate',
      'sellerRegistrations',
      '_service',
      '_entities',
      'createCheckoutToken',
      ...WEBHOOKS,
    ]
    expect(new Set([...shown, ...others])).toEqual(new Set(roots))
  })
})
