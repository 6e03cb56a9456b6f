/** Resolvers for gateways of Apollo Federation. See docs/graphql-federation.md. */
import { GraphQLError } from 'graphql'
import { isJsonObject } from '../../core/input.ts'
import { isShipmentId } from '../../core/shipments/shipment.ts'
import { type Context, LINES_PER_TURN } from '../context.ts'
import type { QueryResolvers, ResolversParentTypes, Scalars } from '../generated.ts'
import { catalogueOf } from '../loaders.ts'
import { presentShipment } from '../presenters/shipments.ts'

type Entity = ResolversParentTypes['_Entity']

export const federationQueries: Required<Pick<QueryResolvers, '_entities' | '_service'>> = {
  _service: () => ({}),
  _entities: async (_root, { representations }, context) => {
    const entities = await Promise.all(
      representations.map((representation) => loadEntity(representation, context)),
    )
    const inTurns = entities.length > LINES_PER_TURN
    return entities.map((entity) => {
      if (entity === null) return null
      if (entity instanceof GraphQLError) return Promise.reject(entity)
      return inTurns ? context.pause().then(() => entity) : entity
    })
  },
}

type Load = (id: string, context: Context) => Promise<Entity | undefined>

const LOADERS: ReadonlyMap<unknown, Load> = new Map<Entity['__typename'], Load>([
  [
    'Shipment',
    async (id, { loaders }) => {
      const shipment = isShipmentId(id) ? await loaders.shipment.load(id) : undefined
      return shipment && { __typename: 'Shipment', ...presentShipment(shipment) }
    },
  ],
  [
    'Carrier',
    async (id, context) => {
      const carrier = catalogueOf(context).carriers.get(id)
      return carrier && { __typename: 'Carrier', ...carrier }
    },
  ],
  [
    'Product',
    async (id, context) => {
      const product = catalogueOf(context).products.get(id)
      return product && { __typename: 'Product', ...product }
    },
  ],
])

/** Returns null if there is no such entity, and an error if the representation is invalid. */
async function loadEntity(
  representation: Scalars['_Any']['input'],
  context: Context,
): Promise<Entity | GraphQLError | null> {
  if (!isJsonObject(representation)) return invalid('a representation must be an object')
  const { __typename, id, ...rest } = representation
  const load = LOADERS.get(__typename)
  if (load === undefined) return invalid(`"__typename" must be ${[...LOADERS.keys()].join(', ')}`)
  if (typeof id !== 'string' && !Number.isSafeInteger(id)) return invalid('"id" must be text')
  if (Object.keys(rest).length > 0) return invalid('the key of an entity is "id"; leave out all other fields')
  return (await load(String(id), context)) ?? null
}

/** Not `badInput`, which sets the HTTP status of the whole response. */
function invalid(message: string): GraphQLError {
  return new GraphQLError(`Invalid representation: ${message}`, { extensions: { code: 'BAD_USER_INPUT' } })
}
