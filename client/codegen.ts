/**
 * Generates client/src/generated.ts from the schema and client/documents. Run by `npm run codegen` in the main folder.
 */
import type { CodegenConfig } from '../tools/codegen.ts'
import { codegenScalars } from './src/scalars.ts'

const config: CodegenConfig = {
  schema: 'schema',
  documents: 'client/documents',
  generates: {
    'client/src/generated.ts': {
      plugins: ['typescript', 'typescript-operations', './client/tools/documents-plugin.mjs'],
      config: {
        scalars: codegenScalars,
        // Scalars of federation occur in no document.
        defaultScalarType: 'unknown',
        enumsAsTypes: true,
        immutableTypes: true,
        avoidOptionals: { field: true, inputValue: false, object: false, defaultValue: false },
        onlyOperationTypes: true,
        // The documents select `__typename` where a caller needs it.
        skipTypename: true,
        // So that callers with `exactOptionalPropertyTypes` may pass undefined.
        inputMaybeValue: 'T | null | undefined',
        useTypeImports: true,
      },
    },
  },
}
export default config
