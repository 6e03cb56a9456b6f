/** What the playground's tabs have in common. */

/** A tab: a document and its variables. */
export type Example = { readonly query: string; readonly variables: Readonly<Record<string, unknown>> }

/** An amount in full. */
export const MONEY = '{ amount currency }'

/** Within the EU. */
export const ROUTE = {
  from: { country: 'NL', zipcode: '1012 JS', city: 'Amsterdam' },
  to: { country: 'ES', zipcode: '28013', city: 'Madrid' },
}

/** A parcel of 5 kg. */
export const PARCEL = { type: 'NONDOC', count: 1, weightKg: '5', lengthCm: 40, widthCm: 30, heightCm: 20 }

/** The request that the tabs begin with. */
export const REQUEST = { ...ROUTE, parcels: [PARCEL], recipientType: 'BUSINESS' }

/** What is wrong with the input, where something is. */
export const PROBLEM = `... on InputProblem {
      message
      fields { path code message }
    }`
