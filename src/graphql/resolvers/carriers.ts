/** The query `carriers`, and a carrier's products. */
import type { CarrierResolvers, QueryResolvers } from '../generated.ts'

/** `Query.carriers`. */
export const carrierQueries: Required<Pick<QueryResolvers, 'carriers'>> = {
  carriers: (_root, _arguments, { ports }) =>
    ports.reference.rateBook().carriers.map(({ code, name }) => ({ id: code, name })),
}

/** The fields of `Carrier` that are looked up. */
export const carrierFields: Required<Pick<CarrierResolvers, 'products'>> = {
  products: ({ id }, _arguments, { loaders }) => loaders.productsOf.load(id),
}
