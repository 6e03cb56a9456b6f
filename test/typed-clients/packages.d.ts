/** What the test uses of packages that are not installed when types are checked. */
declare module '@genql/cli' {
  export function generate(config: {
    readonly schema: string
    readonly output: string
    readonly scalarTypes: Readonly<Record<string, string>>
  }): Promise<void>
}

declare module '@gql.tada/internal' {
  export function outputIntrospectionFile(
    introspection: import('graphql').IntrospectionQuery,
    options: { readonly fileType: '.ts'; readonly shouldPreprocess: boolean },
  ): string
}

declare module 'openapi-typescript' {
  const openapiTS: (document: string) => Promise<readonly unknown[]>
  export default openapiTS
  export function astToString(nodes: readonly unknown[]): string
}
