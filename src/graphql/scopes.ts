/**
 * Which fields an API key may ask for. Root fields need scopes. A publishable key, which anybody can read in a page,
 * may not select fields that show the terms of contracts and rate cards. Checked before an operation is executed; what
 * it selects is found once per document. See docs/browser-keys.md#what-a-page-sees and docs/operations.md#scopes.
 */
import {
  type DocumentNode,
  type FieldNode,
  GraphQLError,
  type GraphQLSchema,
  type OperationDefinitionNode,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql'
import { lackOf } from '../operations/identify-caller.ts'
import type { Caller } from '../operations/ports/caller.ts'
import type { Scope } from '../operations/ports/key-rules.ts'
import type { MutationResolvers, QueryResolvers } from './generated.ts'
import { fragmentsIn } from './guards.ts'

/** The scopes that a root field needs, all of them. The compiler reports a field without an entry. */
const FIELD_SCOPES: Readonly<Record<keyof QueryResolvers | keyof MutationResolvers, readonly Scope[]>> = {
  rates: ['rates'],
  ratesBatch: ['rates'],
  carriers: [],
  carrier: [],
  product: [],
  dutiesEstimate: ['duties'],
  classify: ['duties'],
  customsCoverage: ['duties'],
  customsDeclaration: ['duties'],
  keptEstimate: ['duties'],
  sellerRegistrations: ['duties'],
  saveEstimate: ['duties'],
  landedCost: ['rates', 'duties'],
  shipment: ['shipments:read'],
  shipments: ['shipments:read'],
  webhookEndpoints: ['webhooks'],
  webhookEndpoint: ['webhooks'],
  _service: [],
  // The representations may be those of shipments.
  _entities: ['shipments:read'],
  createDraftShipment: ['shipments:write'],
  bookShipment: ['shipments:write'],
  cancelShipment: ['cancel'],
  replayWebhook: ['webhooks'],
  // A page gets prices with the token that the caller could ask for itself.
  createCheckoutToken: ['rates'],
}

const SCOPES_BY_FIELD: ReadonlyMap<string, readonly Scope[]> = new Map(Object.entries(FIELD_SCOPES))

/**
 * Not for publishable keys. `rule` has the figures of the card. `chargeable` has the volumetric weight, and with it the
 * divisor, which a contract can change. A declaration has the names and addresses of people.
 */
const SECRET_FIELDS: ReadonlySet<string> = new Set([
  'PriceLine.rule',
  'RateOption.chargeable',
  'Query.customsDeclaration',
  'Query.keptEstimate',
  'Query.sellerRegistrations',
  'Mutation.saveEstimate',
  'Mutation.createCheckoutToken',
])

/** What an operation selects. */
type Usage = {
  readonly roots: readonly FieldNode[]
  /** The first secret field. */
  readonly secret: { readonly name: string; readonly node: FieldNode } | undefined
}

export type FindForbidden = (
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  caller: Caller,
) => readonly GraphQLError[]

/** The returned function lists what the caller's key may not ask for. It expects valid documents. */
export function createFindForbidden(): FindForbidden {
  const usages = new WeakMap<OperationDefinitionNode, Usage>()
  return (schema, document, operation, { scopes, page }) => {
    if (scopes === undefined && page === undefined) return []
    const usage = usages.get(operation) ?? usageOf(schema, document, operation)
    usages.set(operation, usage)
    const rootType = operation.operation === 'mutation' ? 'Mutation' : 'Query'
    const errors = usage.roots.flatMap((node) => {
      const field = `${rootType}.${node.name.value}`
      const missing = (SCOPES_BY_FIELD.get(node.name.value) ?? []).filter(
        (scope) => scopes?.has(scope) === false,
      )
      return missing.map((scope) =>
        forbidden(`${lackOf(scope)}, which ${field} needs`, { scope, field }, node),
      )
    })
    const { secret } = usage
    if (page === undefined || secret === undefined) return errors
    const message = `${secret.name} is not available to publishable keys`
    return [...errors, forbidden(message, { field: secret.name }, secret.node)]
  }
}

function forbidden(
  message: string,
  about: { readonly scope?: Scope; readonly field: string },
  node: FieldNode,
): GraphQLError {
  return new GraphQLError(message, { nodes: node, extensions: { code: 'FORBIDDEN', ...about } })
}

/** Visits the operation, and each fragment that it uses once. */
function usageOf(schema: GraphQLSchema, document: DocumentNode, operation: OperationDefinitionNode): Usage {
  const fragments = fragmentsIn(document)
  const roots: FieldNode[] = []
  let secret: Usage['secret']
  const seen = new Set<string>()
  const pending: Parameters<typeof visit>[0][] = [operation]
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    const types = new TypeInfo(schema)
    visit(
      node,
      visitWithTypeInfo(types, {
        Field: (field) => {
          const parent = types.getParentType()
          if (parent === schema.getQueryType() || parent === schema.getMutationType()) roots.push(field)
          const name = `${parent?.name}.${field.name.value}`
          if (SECRET_FIELDS.has(name)) secret ??= { name, node: field }
        },
        FragmentSpread: ({ name: { value } }) => {
          const fragment = fragments.get(value)
          if (fragment === undefined || seen.has(value)) return
          seen.add(value)
          pending.push(fragment)
        },
      }),
    )
  }
  return { roots, secret }
}
