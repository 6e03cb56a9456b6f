/** The playground's tabs: at least one per operation, each of which runs as it stands on the demo data. */
import { CUSTOMS_EXAMPLES, type Example, MONEY, PARCEL, PROBLEM, REQUEST } from './customs-examples.ts'

const RATES = `# Shipping options for a route, cheapest first.
query Rates($input: RatesInput!) {
  rates(input: $input) {
    ... on RateQuote {
      tariffVersion
      options {
        product { id name carrier { name } }
        price ${MONEY}
        transit { minWorkingDays maxWorkingDays }
        breakdown { item amount { amount } reason }
      }
      declined { product { name } code message }
    }
    ${PROBLEM}
  }
}
`

const RATES_EXPLAINED = `# What stands out, and the rule behind each item of a price.
# Filter and sort choose what is shown; prices stay the same.
query RatesExplained($input: RatesInput!) {
  rates(input: $input) {
    ... on RateQuote {
      options {
        badges
        product { id name carrier { name } }
        price { amount }
        listPrice { amount }
        rateCard
        transit { minWorkingDays maxWorkingDays }
        breakdown {
          kind
          item
          amount { amount }
          rule { formula inputs { name value } card version validFrom }
        }
      }
      filteredOut
    }
    ${PROBLEM}
  }
}
`

const RATES_BATCH = `# What-ifs side by side, on the same rate cards:
# one box or two, and today's price or that of the season.
query RatesBatch($inputs: [RatesInput!]!) {
  ratesBatch(inputs: $inputs) {
    ... on RateQuote {
      options {
        product { name carrier { name } }
        price { amount }
        badges
      }
    }
    ${PROBLEM}
  }
}
`

const CARRIERS = `# The carriers on offer and their products.
query Carriers {
  carriers {
    id
    name
    products { id name }
  }
}
`

const SHIPMENTS = `# The account's shipments, newest first.
query Shipments($first: Int, $after: String) {
  shipments(first: $first, after: $after) {
    edges {
      node {
        id
        state
        carrier { name }
        product { name }
        carrierReference
        from { country city }
        to { country city }
        price ${MONEY}
        cancellable
        cancellations {
          at
          outcome
          sends
          refusalCode
          carrierMessage
          settledAt
          nextTryAt
        }
      }
    }
    pageInfo { hasNextPage endCursor }
  }
}
`

const CREATE_DRAFT = `# Keeps an option of Rates as a draft.
# Nothing is sent to a carrier.
mutation CreateDraft($input: CreateDraftShipmentInput!) {
  createDraftShipment(input: $input) {
    ... on DraftShipmentCreated {
      shipment { id state product { name } price ${MONEY} }
    }
    ... on OptionNotAvailable { message }
    ${PROBLEM}
  }
}
`

const BOOK = `# Books a draft with its carrier.
mutation Book($input: BookShipmentInput!) {
  bookShipment(input: $input) {
    ... on ShipmentBooked {
      alreadyBooked
      shipment { id state carrier { name } carrierReference }
    }
    ... on Problem { code message retryable }
  }
}
`

const CANCEL = `# Cancels a draft, or a booked shipment with its carrier.
# Try demo-draft, demo-refused, demo-in-transit and
# demo-cancelled too.
mutation Cancel($input: CancelShipmentInput!) {
  cancelShipment(input: $input) {
    ... on ShipmentCancelled {
      message
      alreadyCancelled
      carrierNotified
      labelMustBeDestroyed
      shipment { id state cancelledAt }
    }
    ... on ShipmentNotCancelled {
      refusalCode
      carrierReason
      shipment { id state }
    }
    ... on CancellationPending {
      shipment { cancellations { at sends nextTryAt } }
    }
    ... on Problem { code message retryable }
  }
}
`

/** In the order of the tabs. */
export const EXAMPLES: readonly Example[] = [
  { query: RATES, variables: { input: REQUEST } },
  {
    query: RATES_EXPLAINED,
    variables: { input: { ...REQUEST, filter: { maxTransitDays: 6 }, sort: 'VALUE' } },
  },
  {
    query: RATES_BATCH,
    variables: {
      inputs: [
        REQUEST,
        { ...REQUEST, parcels: [{ ...PARCEL, count: 2, weightKg: '2.5' }] },
        { ...REQUEST, asOf: '2026-12-01T12:00:00Z' },
      ],
    },
  },
  ...CUSTOMS_EXAMPLES,
  { query: CARRIERS, variables: {} },
  { query: SHIPMENTS, variables: { first: 20 } },
  {
    query: CREATE_DRAFT,
    variables: {
      input: {
        preferredShippingOption: '1201',
        rates: REQUEST,
      },
    },
  },
  { query: BOOK, variables: { input: { shipmentId: 'demo-draft' } } },
  { query: CANCEL, variables: { input: { shipmentId: 'demo-booked' } } },
]
