/** Configures `npm run codegen`, which generates types and resolver signatures from the hand-written schema. */
import type { CodegenConfig } from '@graphql-codegen/cli'

// Mappers replace the types that resolvers return, if fields are calculated or loaded only when selected. The compiler
// still checks the other fields of these types.

/** An outcome whose `shipment` is loaded by id. */
const withShipmentId = "Omit<{T}, 'shipment'> & { readonly shipmentId: string }"

/** Fields that are functions, called by graphql-js when selected. */
const lazyFields = (...fields: readonly string[]) =>
  `Omit<{T}, ${fields.map((field) => `'${field}'`).join(' | ')}> & { ${fields
    .map((field) => `readonly ${field}: () => Pick<{T}, '${field}'>['${field}']`)
    .join('; ')} }`

/** A field that is an asynchronous function. */
const asyncField = (field: string) =>
  `Omit<{T}, '${field}'> & { readonly ${field}: () => Promise<Pick<{T}, '${field}'>['${field}']> }`

/** Lists whose entries are presented in turns; see presentInTurns in src/graphql/context.ts. */
const listsInTurns = (...lists: readonly string[]) =>
  `Omit<{T}, ${lists.map((list) => `'${list}'`).join(' | ')}> & { ${lists
    .map((list) => {
      const entry = `Pick<{T}, '${list}'>['${list}'][number]`
      return `readonly ${list}: () => readonly (${entry} | Promise<${entry}>)[]`
    })
    .join('; ')} }`

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
          Date: { input: 'string', output: 'string' },
          DateTime: { input: 'string', output: 'string' },
          CountryCode: { input: 'string', output: 'string' },
          _Any: { input: 'unknown', output: 'unknown' },
          federation__FieldSet: { input: 'string', output: 'string' },
          link__Import: { input: 'string', output: 'string' },
        },
        enumsAsTypes: true,
        immutableTypes: true,
        importExtension: '.ts',
        resolversNonOptionalTypename: { unionMember: true },
        mappers: {
          RateQuote: lazyFields('declined').replace('{T}', listsInTurns('options')),
          RatesBatch: listsInTurns('results'),
          RateOption: lazyFields('badges', 'breakdown', 'chargeable'),
          PriceLine: lazyFields('rule'),
          DutiesEstimate: asyncField('underOtherScheme').replace('{T}', listsInTurns('taxes', 'items')),
          OtherSchemeEstimate: listsInTurns('taxes'),
          TaxLine: lazyFields(
            ...['ratePercent', 'description', 'basis', 'rateRange', 'formula', 'rule', 'quotas', 'items'],
          ),
          ItemEstimate: lazyFields('contentItem', 'classification', 'total', 'taxes'),
          TaxedItem: lazyFields('contentItem'),
          ItemTax: lazyFields('line'),
          Classification: asyncField('secondOpinion'),
          HsAlternative: asyncField('estimate'),
          AlternativeEstimate: listsInTurns('taxes'),
          LandedCost: lazyFields('declined').replace('{T}', listsInTurns('options')),
          Carrier: "Omit<{T}, 'products'>",
          // server.ts adds the resolver of `sdl`.
          _Service: "Omit<{T}, 'sdl'>",
          Shipment:
            "Omit<{T}, 'carrier' | 'product' | 'parcels' | 'contentItems' | 'priceValidUntil' | 'cancelAttempts' | 'pendingCancelAttempt' | 'retryAfterSeconds'> & { readonly carrierCode: string; readonly productId: number; readonly rateCardVersion: { readonly code: string; readonly versionNo: number } | undefined; readonly isCancelRequested: boolean }",
          ShipmentConnection: asyncField('totalCount'),
          ShipmentCancelled: withShipmentId,
          ShipmentNotCancelled: withShipmentId,
          CancellationPending: "Omit<{T}, 'shipment' | 'parcels'> & { readonly shipmentId: string }",
          DraftShipmentCreated: withShipmentId,
          ShipmentBooked: withShipmentId,
          ShipmentNotBooked: withShipmentId,
          DraftPriceExpired: withShipmentId,
        },
      },
    },
  },
}
export default config
