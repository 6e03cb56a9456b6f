/** Configures `npm run codegen`, which generates types and resolver signatures from the hand-written schema. */
import type { CodegenConfig } from '@graphql-codegen/cli'

// Mappers replace the types that resolvers return, if fields are calculated or loaded only when selected: `parent` names
// the type of what these fields are calculated from, and the fields. The compiler still checks the other fields.

/** An outcome whose `shipment` is loaded by id. */
const withShipmentId = "Omit<{T}, 'shipment'> & { readonly shipmentId: string }"

const parent = (type: string, ...fields: readonly string[]) =>
  `Omit<{T}, ${fields.map((field) => `'${field}'`).join(' | ')}> & import('./presenters/parents.ts').${type}`

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
          RateQuote: parent('QuoteParent', 'options', 'declined'),
          RateOption: parent(
            'OptionParent',
            ...[
              'token',
              'breakdown',
              'chargeable',
              'priceIn',
              'availableServices',
              'pickupDate',
              'earliestDelivery',
              'latestDelivery',
            ],
          ),
          PriceLine: parent('PriceLineParent', 'rule'),
          AvailableService: parent('ServiceParent', 'priceIn'),
          DutiesEstimate: parent(
            'EstimateParent',
            ...['taxes', 'items', 'reliability', 'range', 'restrictions', 'underOtherScheme'],
          ),
          OtherSchemeEstimate: parent('VariantParent', 'taxes'),
          AlternativeEstimate: parent('VariantParent', 'taxes'),
          TaxLine: parent(
            'TaxLineParent',
            ...[
              'ratePercent',
              'summary',
              'description',
              'reliability',
              'basis',
              'rateRange',
              'formula',
              'rule',
              'quotas',
              'items',
            ],
          ),
          TaxedItem: parent('TaxedItemParent', 'contentItem'),
          ItemEstimate: parent('ItemParent', 'contentItem', 'classification', 'total', 'taxes'),
          ItemTax: parent('ItemTaxParent', 'line'),
          Classification: parent('ClassificationParent', 'secondOpinion', 'alternatives', 'openQuestions'),
          HsCandidates: parent('CandidatesParent', 'questions'),
          HsAlternative: parent('AlternativeParent', 'estimate'),
          LandedCostOption: parent('LandedOptionParent', 'range'),
          LandedCost: parent('LandedCostParent', 'options', 'restrictions', 'declined'),
          Carrier: "Omit<{T}, 'products'>",
          // server.ts adds the resolver of `sdl`.
          _Service: "Omit<{T}, 'sdl'>",
          Shipment:
            "Omit<{T}, 'carrier' | 'product' | 'parcels' | 'contentItems' | 'priceValidUntil' | 'trackingEvents' | 'cancelAttempts' | 'pendingCancelAttempt'> & { readonly carrierCode: string; readonly productId: number; readonly rateCardVersion: { readonly code: string; readonly versionNo: number } | undefined; readonly cancelRequestedAt: string | undefined }",
          WebhookEndpoint: "Omit<{T}, 'deliveries'>",
          ShipmentConnection: parent('ConnectionParent', 'totalCount'),
          ShipmentCancelled: withShipmentId,
          ShipmentNotCancelled: withShipmentId,
          CancellationPending: "Omit<{T}, 'shipment' | 'parcels'> & { readonly shipmentId: string }",
          DraftShipmentCreated: withShipmentId,
          OptionExpired: parent('ExpiredParent', 'currentToken', 'currentPriceIn'),
          ShipmentBooked: withShipmentId,
          ShipmentNotBooked: withShipmentId,
          DraftPriceExpired: withShipmentId,
        },
      },
    },
  },
}
export default config
