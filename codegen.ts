import type { CodegenConfig } from '@graphql-codegen/cli'

/** A type whose fields named here are loaded when they are asked for; its other fields stay checked one by one. */
const ofShipment = "Omit<{T}, 'shipment'> & { readonly shipmentId: string }"

/** A type with fields that are worked out when they are asked for: graphql-js calls a property that is a function. */
const lazy = (...fields: readonly string[]) =>
  `Omit<{T}, ${fields.map((field) => `'${field}'`).join(' | ')}> & { ${fields
    .map((field) => `readonly ${field}: () => Pick<{T}, '${field}'>['${field}']`)
    .join('; ')} }`

/** A type with a field that is looked up, or waits for its turn, when it is asked for. */
const loaded = (field: string) =>
  `Omit<{T}, '${field}'> & { readonly ${field}: () => Promise<Pick<{T}, '${field}'>['${field}']> }`

/** A type with lists whose entries are presented in turns, once they are asked for. */
const later = (...lists: readonly string[]) =>
  `Omit<{T}, ${lists.map((list) => `'${list}'`).join(' | ')}> & { ${lists
    .map((list) => {
      const entry = `Pick<{T}, '${list}'>['${list}'][number]`
      return `readonly ${list}: () => readonly (${entry} | Promise<${entry}>)[]`
    })
    .join('; ')} }`

/** Types and resolver signatures from the hand-written schema; `npm run codegen` after a schema change. */
const config: CodegenConfig = {
  schema: 'schema/**/*.graphql',
  generates: {
    'src/graphql/generated.ts': {
      plugins: ['typescript', 'typescript-resolvers'],
      config: {
        contextType: './context.ts#Context',
        useTypeImports: true,
        strictScalars: true,
        scalars: {
          Decimal: { input: 'string', output: 'string' },
          DateTime: { input: 'string', output: 'string' },
          CountryCode: { input: 'string', output: 'string' },
        },
        enumsAsTypes: true,
        immutableTypes: true,
        importExtension: '.ts',
        resolversNonOptionalTypename: { unionMember: true },
        mappers: {
          RateQuote: later('options'),
          RateOption: lazy('chargeable'),
          PriceLine: lazy('rule'),
          DutiesEstimate: later('taxes', 'items'),
          TaxLine: lazy('rate', 'description', 'formula', 'measure'),
          ItemEstimate: lazy('estimate', 'taxes'),
          Classification: loaded('secondOpinion'),
          HsAlternative: loaded('outcome'),
          AlternativeOutcome: later('taxes'),
          LandedCost: later('options'),
          Carrier: "Omit<{T}, 'products'>",
          Shipment:
            "Omit<{T}, 'carrier' | 'product' | 'cancellations'> & { readonly carrierCode: string; readonly productId: number }",
          ShipmentCancelled: ofShipment,
          ShipmentNotCancelled: ofShipment,
          CancellationPending: ofShipment,
          DraftShipmentCreated: ofShipment,
          ShipmentBooked: ofShipment,
          ShipmentNotBooked: ofShipment,
        },
      },
    },
  },
}
export default config
