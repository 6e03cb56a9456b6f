/** What gateway.test.ts uses of the packages in this folder, which are not installed when types are checked. */
declare module '@apollo/composition' {
  import type { DocumentNode } from 'graphql'

  export function composeServices(
    subgraphs: { readonly name: string; readonly typeDefs: DocumentNode; readonly url: string }[],
  ): {
    readonly supergraphSdl?: string | undefined
    readonly errors?: readonly { readonly message: string }[] | undefined
  }
}

declare module '@theguild/federation-composition' {
  export { composeServices } from '@apollo/composition'
}

declare module '@graphql-hive/gateway-runtime' {
  export type Gateway = {
    fetch(url: string, options: RequestInit): Promise<Response>
    [Symbol.asyncDispose](): PromiseLike<void>
  }

  export function createGatewayRuntime(options: {
    readonly supergraph: string | undefined
    readonly logging: boolean
    readonly maskedErrors: boolean
    readonly propagateHeaders: {
      fromClientToSubgraphs(context: { readonly request: Request }): Readonly<Record<string, string>>
    }
  }): Gateway
}
