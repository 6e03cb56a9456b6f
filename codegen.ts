import type { CodegenConfig } from '@graphql-codegen/cli'

/** A type whose fields named here are loaded when they are asked for; its other fields stay checked one by one. */
const ofShipment = "Omit<{T}, 'shipment'> & { readonly shipmentId: string }"

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
