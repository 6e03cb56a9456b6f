/** The list of examples beside the editor: titles of groups, and of the examples in them. */
import { EXAMPLES, type Example } from './examples.ts'

export type NamedExample = Example & { readonly name: string }

/** Operation names by group, in the order of the list. */
const GROUPS: Readonly<Record<string, readonly string[]>> = {
  'Shipping rates': ['Rates', 'RatesExplained', 'RatesWithServices', 'RatesBatch'],
  'Duties and taxes': [
    'Duties',
    'DutiesExplained',
    'LandedCost',
    'CustomsCoverage',
    'Classify',
    'CustomsDeclaration',
    'SaveEstimate',
  ],
  Shipments: ['Shipments', 'CreateDraft', 'Book', 'Cancel', 'CancelSlowly'],
  Carriers: ['Carriers'],
}

export type ExampleGroup = { readonly title: string; readonly examples: readonly NamedExample[] }

/** Examples that are in no group come last, as "More". */
export function groupedExamples(): readonly ExampleGroup[] {
  const named = EXAMPLES.map((example) => ({ ...example, operation: operationOf(example) }))
  const grouped = new Set(Object.values(GROUPS).flat())
  const more = named.map(({ operation }) => operation).filter((operation) => !grouped.has(operation))
  return Object.entries({ ...GROUPS, More: more })
    .map(([title, operations]) => ({
      title,
      examples: operations.flatMap((operation) =>
        named
          .filter((example) => example.operation === operation)
          .map(({ query, variables }) => ({ name: words(operation), query, variables })),
      ),
    }))
    .filter(({ examples }) => examples.length > 0)
}

function operationOf({ query }: Example): string {
  return /(?:query|mutation) (\w+)/.exec(query)?.[1] ?? ''
}

/** "RatesExplained" becomes "Rates explained". */
function words(name: string): string {
  return name.replace(/(?<=.)[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
}
