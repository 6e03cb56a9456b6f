/**
 * Whether a document may run: the limits first, which are cheap, then the rules of graphql-js, and last the one that
 * compares fields with each other, whose work the limits and the other rules bound. Apollo would run all rules in one
 * pass and the limits among them.
 */
import {
  type DocumentNode,
  type GraphQLError,
  type GraphQLSchema,
  NoSchemaIntrospectionCustomRule,
  OverlappingFieldsCanBeMergedRule,
  specifiedRules,
  validate,
} from 'graphql'
import { LISTED_ERRORS } from './errors.ts'
import { checkLimits } from './guards.ts'

const CHEAP_RULES = specifiedRules.filter((rule) => rule !== OverlappingFieldsCanBeMergedRule)
/** One place is left for the note of graphql-js that there are more. */
const OPTIONS = { maxErrors: LISTED_ERRORS - 1 }

/** Checks documents against a schema; a document that Apollo still has is checked once. */
export function documentCheck({ introspection }: { readonly introspection: boolean }) {
  const rules = introspection ? CHEAP_RULES : [...CHEAP_RULES, NoSchemaIntrospectionCustomRule]
  const checked = new WeakMap<DocumentNode, readonly GraphQLError[]>()
  return (schema: GraphQLSchema, document: DocumentNode): readonly GraphQLError[] => {
    const known = checked.get(document)
    if (known !== undefined) return known
    const found = faultsOf(schema, document, rules)
    checked.set(document, found)
    return found
  }
}

function faultsOf(
  schema: GraphQLSchema,
  document: DocumentNode,
  rules: typeof specifiedRules,
): readonly GraphQLError[] {
  const excesses = checkLimits(schema, document)
  if (excesses.length > 0) return excesses
  const faults = validate(schema, document, rules, OPTIONS)
  if (faults.length > 0) return faults
  return validate(schema, document, [OverlappingFieldsCanBeMergedRule], OPTIONS)
}
