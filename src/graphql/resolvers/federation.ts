/** Resolvers for gateways of Apollo Federation. See docs/graphql-federation.md. */
import { GraphQLError } from 'graphql'
import { isJsonObject } from '../../core/input.ts'
import { isShipmentId } from '../../core/shipments/shipment.ts'
import type { Context } from '../context.ts'
import { MAX_LISTED_ERRORS, moreErrors } from '../errors.ts'
import type { QueryResolvers, ResolversParentTypes, Scalars } from '../generated.ts'
import { catalogueOf } from '../loaders.ts'
import { presentShipment } from '../presenters/shipments.ts'

type Entity = ResolversParentTypes['_Entity']

export const federationQueries: Required<Pick<QueryResolvers, '_entities' | '_service'>> = {
  _service: () => ({}),
  _entities: async (_root, { representations }, context) => {
    const keys = representations.map(readKey)
    const loaded = new Map<string, Promise<Entity | null>>()
    const load = (key: Key): Promise<Entity | null> => {
      const name = `${key.typename} ${key.id}`
      const entity = loaded.get(name) ?? key.load(key.id, context)
      loaded.set(name, entity)
      return entity
    }
    const entities = await Promise.all(keys.map((key) => (typeof key === 'string' ? null : load(key))))
    const refuse = refuseFew(keys.filter((key) => typeof key === 'string').length)
    return entities.map((entity, index) => {
      const key = keys[index]
      return typeof key === 'string' ? refuse(key) : entity
    })
  },
}

/** Returns null if there is no such entity. */
type Load = (id: string, context: Context) => Promise<Entity | null>

const LOADERS: ReadonlyMap<unknown, Load> = new Map<Entity['__typename'], Load>([
  [
    'Shipment',
    async (id, { loaders }) => {
      const shipment = isShipmentId(id) ? await loaders.shipment.load(id) : undefined
      return shipment === undefined ? null : { __typename: 'Shipment', ...presentShipment(shipment) }
    },
  ],
  [
    'Carrier',
    async (id, context) => {
      const carrier = catalogueOf(context).carriers.get(id)
      return carrier === undefined ? null : { __typename: 'Carrier', ...carrier }
    },
  ],
  [
    'Product',
    async (id, context) => {
      const product = catalogueOf(context).products.get(id)
      return product === undefined ? null : { __typename: 'Product', ...product }
    },
  ],
])

type Key = { readonly typename: unknown; readonly id: string; readonly load: Load }

/** Returns the reason if the representation is invalid. */
function readKey(representation: Scalars['_Any']['input']): Key | string {
  if (!isJsonObject(representation)) return 'a representation must be an object'
  const { __typename, id, ...rest } = representation
  const load = LOADERS.get(__typename)
  if (load === undefined) return `"__typename" must be ${[...LOADERS.keys()].join(', ')}`
  if (typeof id !== 'string' && !Number.isSafeInteger(id)) return '"id" must be a string'
  if (Object.keys(rest).length > 0) return 'the key of an entity is "id"; leave out all other fields'
  return { typename: __typename, id: String(id), load }
}

/**
 * Returns a function that returns an error for each of `count` invalid representations. An error takes much longer than
 * anything else about it, and a response lists at most ten. If there are more, the last one says how many, and later
 * invalid representations are null without an error.
 */
function refuseFew(count: number): (reason: string) => null {
  let refused = 0
  return (reason) => {
    refused++
    if (refused > MAX_LISTED_ERRORS) return null
    const isLast = refused === MAX_LISTED_ERRORS && count > MAX_LISTED_ERRORS
    const message = isLast ? moreErrors(count - refused + 1) : `Invalid representation: ${reason}`
    // graphql-js reports the entries of a list that are errors, but the generated types do not include them.
    return invalid(message) as unknown as null
  }
}

/** Not `badInput`, which sets the HTTP status of the whole response. */
function invalid(message: string): GraphQLError {
  return new GraphQLError(message, { extensions: { code: 'BAD_USER_INPUT' } })
}
