/**
 * Lints the GraphQL schema in `npm run check`. Biome lints everything else. All rules of graphql-eslint for schemas are
 * on, except those that are turned off here with a reason.
 */
import plugin from '@graphql-eslint/eslint-plugin'

export default [
  {
    files: ['schema/*.graphql'],
    plugins: { '@graphql-eslint': plugin },
    languageOptions: {
      parser: plugin.parser,
      parserOptions: { graphQLConfig: { schema: 'schema/*.graphql' } },
    },
    rules: {
      ...plugin.configs['flat/schema-all'].rules,
      ...plugin.configs['flat/schema-relay'].rules,
      '@graphql-eslint/require-description': [
        'error',
        {
          ...{ types: true, rootField: true, DirectiveDefinition: true, EnumValueDefinition: true },
          ...{ FieldDefinition: true, InputValueDefinition: true },
        },
      ],
      '@graphql-eslint/input-name': [
        'error',
        { checkInputType: true, caseSensitiveInputType: false, checkMutations: true, checkQueries: false },
      ],
      // Lists that are not paged have no edges. There is no Node interface (docs/graphql.md#caching).
      '@graphql-eslint/relay-edge-types': [
        'error',
        { withEdgeSuffix: true, shouldImplementNode: false, listTypeCanWrapOnlyEdgeType: false },
      ],
      // The default also disallows mutations.
      '@graphql-eslint/no-root-type': ['error', { disallow: ['subscription'] }],

      // Definitions and fields are in the order in which a reader needs them.
      '@graphql-eslint/alphabetize': 'off',
      // Types have block descriptions, fields have inline descriptions. The rule requires one style for both.
      '@graphql-eslint/description-style': 'off',
      // Only objects that have an identity have an id (docs/graphql.md#caching).
      '@graphql-eslint/strict-id-in-types': 'off',
      // Root fields that can fail return a union with their problems.
      '@graphql-eslint/require-nullable-result-in-root': 'off',
    },
  },
  {
    files: ['schema/federation.graphql'],
    // Apollo Federation prescribes the names.
    rules: { '@graphql-eslint/naming-convention': 'off' },
  },
]
