/** The playground's tabs on customs: codes, duties and taxes, and the landed cost. */

// What the playground's tabs have in common.

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

const DUTIES = `# Estimated import duties and taxes.
# Codes are found from descriptions where none is given.
query Duties($input: DutiesEstimateInput!) {
  dutiesEstimate(input: $input) {
    ... on DutiesEstimate {
      estimate ${MONEY}
      hsCode
      complete
      taxes { harmonizedCode name amount { amount } rate description }
      items {
        customsValue { amount }
        classification {
          code
          source
          confidence
          questions
          alternatives {
            code
            description
            questions
            outcome { estimate { amount } difference { amount } }
          }
          secondOpinion { level message }
        }
        problem { message }
      }
    }
    ${PROBLEM}
  }
}
`

const DUTIES_EXPLAINED = `# Freight, insurance, weight and origin given: how each line
# comes about, the rule behind it, and what each item bears.
query DutiesExplained($input: DutiesEstimateInput!) {
  dutiesEstimate(input: $input) {
    ... on DutiesEstimate {
      estimate { amount }
      customsValue { amount }
      date
      complete
      taxes {
        harmonizedCode
        name
        items
        formula
        description
        measure {
          type
          codePrefix
          origin
          agreement
          rate
          range { lowest highest }
          validFrom
          confidence
          dataSet { title source date }
        }
      }
      items {
        index
        customsValue { amount }
        estimate { amount }
        taxes { line name amount { amount } }
      }
    }
    ${PROBLEM}
  }
}
`

const LANDED_COST = `# Goods, transport, duties and taxes: the total per option,
# with its price in the customs value where freight counts.
query LandedCost($input: LandedCostInput!) {
  landedCost(input: $input) {
    ... on LandedCost {
      options {
        rate {
          product { name carrier { name } }
          price { amount }
          transit { maxWorkingDays }
        }
        goods { amount }
        duties {
          estimate { amount }
          customsValue { amount }
          complete
          taxes { name amount { amount } formula }
        }
        total ${MONEY}
      }
      declined { product { name } message }
    }
    ${PROBLEM}
  }
}
`

const CLASSIFY = `# The HS codes a description may mean, likeliest first.
query Classify($description: String!) {
  classify(description: $description, limit: 5) {
    code
    description
    heading
    confidence
    questions
    matchedTerms
  }
}
`

const TO_LONDON = { from: ROUTE.from, to: { country: 'GB', zipcode: 'SW1A 1AA', city: 'London' } }

const GOODS = [
  { description: 'cotton t-shirts', numberOfItems: 20, cost: '12.50', originCountry: 'PT' },
  { description: 'leather handbag', numberOfItems: 2, cost: '85', tariff: '4202.21' },
]

/** In the order of the tabs. */
export const CUSTOMS_EXAMPLES: readonly Example[] = [
  { query: DUTIES, variables: { input: { ...TO_LONDON, contentItems: GOODS } } },
  {
    query: DUTIES_EXPLAINED,
    variables: {
      input: {
        ...TO_LONDON,
        contentItems: [
          ...GOODS,
          { description: 'basmati rice', numberOfItems: 12, cost: '9', tariff: '1006.30', weightKg: '1' },
        ],
        shippingCost: '24.60',
        insurance: '4.40',
        recipientType: 'BUSINESS',
        asOf: '2026-11-01T12:00:00Z',
      },
    },
  },
  {
    query: LANDED_COST,
    variables: { input: { rates: { ...REQUEST, ...TO_LONDON }, contentItems: GOODS } },
  },
  { query: CLASSIFY, variables: { description: 'knitted cotton t-shirt for men' } },
]
