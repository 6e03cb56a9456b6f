/** The examples of the playground, at least one per operation. Each example runs unchanged on the demo data. */

export type Example = { readonly query: string; readonly variables: Readonly<Record<string, unknown>> }

const MONEY = '{ amount currency }'

const WITHIN_EU = {
  from: { country: 'NL', postalCode: '1012 JS', city: 'Amsterdam' },
  to: { country: 'ES', postalCode: '28013', city: 'Madrid' },
}

const PARCEL = { count: 1, weightKg: '5', lengthCm: 40, widthCm: 30, heightCm: 20 }

const RATES_INPUT = { ...WITHIN_EU, parcels: { boxes: [PARCEL] }, recipientType: 'BUSINESS' }

const PROBLEM = `... on InputProblem {
      message
      fields { path code message }
    }`

const RATES = `# Shipping options for a route, cheapest first.
# "price" is without VAT, "priceIn" with VAT.
query Rates($input: RatesInput!) {
  rates(input: $input) {
    ... on RateQuote {
      rateCardVersions
      options {
        product { id name carrier { name } }
        price ${MONEY}
        priceIn { amountWithVat vatRatePercent missing }
        transit { minWorkingDays maxWorkingDays }
        breakdown { name amount { amount } reason }
      }
      declined { product { name } code message }
    }
    ${PROBLEM}
  }
}
`

const RATES_EXPLAINED = `# Badges, and the rule behind each line of a price.
# Filter and sort select options. They never change prices.
query RatesExplained($input: RatesInput!) {
  rates(input: $input) {
    ... on RateQuote {
      options {
        badges
        product { id name carrier { name } }
        price { amount }
        listPrice { amount }
        rateCardVersion
        transit { minWorkingDays maxWorkingDays }
        pickupDate
        earliestDelivery
        latestDelivery
        breakdown {
          kind
          name
          amount { amount }
          rule { ruleId formula figures { name value } rateCardVersion validFrom }
        }
      }
      filteredOut
    }
    ${PROBLEM}
  }
}
`

const RATES_WITH_SERVICES = `# Options with a signature and cash on delivery, and the services that can be added to each.
# Products without one of them on this route are declined.
query RatesWithServices($input: RatesInput!) {
  rates(input: $input) {
    ... on RateQuote {
      options {
        product { name carrier { name } }
        price { amount }
        breakdown { kind name amount { amount } }
        availableServices {
          service
          slot
          name
          requiredInput
          maxAmount { amount }
          price { amount }
          priceIn { amountWithVat }
        }
      }
      declined { product { name } code service message }
    }
    ${PROBLEM}
  }
}
`

const RATES_BATCH = `# Several requests, priced with the same rate cards:
# one box, a tube, two documents, and one box in the peak season.
query RatesBatch($inputs: [RatesInput!]!) {
  ratesBatch(inputs: $inputs) {
    ... on RatesBatch {
      results {
        ... on RateQuote {
          options {
            product { name carrier { name } }
            price { amount }
            badges
          }
        }
        ... on InputProblem {
          message
          fields { path code message }
        }
      }
    }
    ${PROBLEM}
  }
}
`

const DUTIES = `# Estimated import duties and taxes.
# Items without an HS code are classified.
query Duties($input: DutiesEstimateInput!) {
  dutiesEstimate(input: $input) {
    ... on DutiesEstimate {
      total ${MONEY}
      hsCode
      complete
      taxes { hsCode name amount { amount } ratePercent description }
      items {
        customsValue { amount }
        classification {
          hsCode
          source
          confidence
          questions
          alternatives {
            hsCode
            description
            questions
            estimate { total { amount } difference { amount } }
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

const DUTIES_EXPLAINED = `# Formula and source of each line, and the share of each item.
# Freight, insurance, weight and origin are given.
query DutiesExplained($input: DutiesEstimateInput!) {
  dutiesEstimate(input: $input) {
    ... on DutiesEstimate {
      total { amount }
      customsValue { amount }
      date
      complete
      taxes {
        hsCode
        name
        items { index amount { amount } }
        formula
        description
        rule {
          type
          hsCodePrefix
          origin
          agreement
          publishedRate
          publishedRange { lowestPercent highestPercent }
          validFrom
          reliability
          dataSet { title source date }
        }
      }
      items {
        index
        customsValue { amount }
        total { amount }
        taxes { line { hsCode name } amount { amount } }
      }
    }
    ${PROBLEM}
  }
}
`

const LANDED_COST = `# Goods, transport, duties and taxes: the total per option.
# The price of the option is its transport cost.
query LandedCost($input: LandedCostInput!) {
  landedCost(input: $input) {
    ... on LandedCost {
      options {
        rateOption {
          product { name carrier { name } }
          price { amount }
          transit { maxWorkingDays }
        }
        goodsValue { amount }
        duties {
          total { amount }
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

const COVERAGE = `# What the customs data contain for some countries.
query CustomsCoverage($countries: [CountryCode!]) {
  customsCoverage(countries: $countries) {
    ... on CustomsCoverage {
      countries {
        country
        name
        basis
        chapters { nationalLine subheading groupAverage notLoaded }
        dataSets { title date }
        taxes { name ratePercent levied }
        dutyRules
        taxRules
        agreements
        reliability
      }
    }
    ${PROBLEM}
  }
}
`

const CLASSIFY = `# HS codes for a description, most likely first.
query Classify($description: String!) {
  classify(description: $description, first: 5) {
    ... on HsCandidates {
      candidates {
        hsCode
        description
        heading
        confidence
        matchedTerms
        becauseOf
        becauseOfText
      }
      questions {
        name
        text
        options {
          value
          label
          hsCode
        }
      }
    }
    ${PROBLEM}
  }
}
`

const DECLARATION = `# The data of the customs documents for a parcel, what is missing,
# and descriptions that customs would refuse.
query CustomsDeclaration($input: CustomsDeclarationInput!) {
  customsDeclaration(input: $input) {
    ... on CustomsDeclaration {
      form
      formReason
      complete
      totalValue ${MONEY}
      netWeight { kilograms }
      boxes { number name value }
      items {
        value { amount }
        boxes { number name value }
        h7Elements { number name value }
        descriptionProblem { code message }
        proposedHsCode { hsCode description confidence }
      }
      h7 { elements { number name value } }
      h7Reason
      missing { document number name path required requiredBy }
    }
    ${PROBLEM}
  }
}
`

const SAVE_ESTIMATE = `# Estimates duties and taxes and keeps the result,
# to compare it later with the invoice of the carrier.
mutation SaveEstimate($input: SaveEstimateInput!) {
  saveEstimate(input: $input) {
    ... on EstimateSaved {
      alreadySaved
      estimate {
        id
        expiresAt
        reference
        total ${MONEY}
        complete
        date
        customsRevision
        lines { hsCode kind name amount { amount } calculated }
      }
    }
    ... on Problem { code message retryable }
    ${PROBLEM}
  }
}
`

const CARRIERS = `# Carriers and their products.
query Carriers {
  carriers {
    id
    name
    products { id name }
  }
}
`

const SHIPMENTS = `# The account's shipments, newest first.
# Pass endCursor as $after to get the next page.
query Shipments($first: Int, $after: String, $filter: ShipmentFilter) {
  shipments(first: $first, after: $after, filter: $filter) {
    totalCount
    nodes {
      id
      state
      reference
      carrier { name }
      product { name }
      trackingNumber
      from { country city }
      to { country city }
      parcels { count weight { kilograms } }
      price ${MONEY}
      updatedAt
      cancellable
      cancelAttempts {
        createdAt
        outcome
        sends
        refusalCode
        carrierReason
        settledAt
        nextTryAt
      retryAfterSeconds
      }
    }
    pageInfo { hasNextPage endCursor }
  }
}
`

const CREATE_DRAFT = `# Creates a draft shipment from a rate option.
# The carrier is not involved.
mutation CreateDraft($input: CreateDraftShipmentInput!) {
  createDraftShipment(input: $input) {
    ... on DraftShipmentCreated {
      shipment { id state reference product { name } price ${MONEY} }
    }
    ... on OptionNotAvailable { message }
    ${PROBLEM}
  }
}
`

const BOOK = `# Books a draft shipment with its carrier.
mutation Book($input: BookShipmentInput!) {
  bookShipment(input: $input) {
    ... on ShipmentBooked {
      alreadyBooked
      shipment { id state carrier { name } trackingNumber }
    }
    ... on Problem { code message retryable }
  }
}
`

const CANCEL = `# Cancels a draft, or a booked shipment at its carrier.
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
      retryAfterSeconds
      message
      shipment { pendingCancelAttempt { createdAt sends nextTryAt } }
    }
    ... on Problem { code message retryable }
  }
}
`

const CANCEL_SLOWLY = `# The carrier of this shipment confirms only the third try.
# Select Repeat to see the attempt end: each run joins it.
mutation CancelSlowly($input: CancelShipmentInput!) {
  cancelShipment(input: $input) {
    __typename
    ... on ShipmentCancelled { shipment { ...Progress } }
    ... on CancellationPending { shipment { ...Progress } }
    ... on ShipmentNotCancelled { message shipment { ...Progress } }
    ... on ShipmentNotFound { message }
  }
}

fragment Progress on Shipment {
  id
  state
  cancelAttempts { outcome sends nextTryAt settledAt }
}
`

const TO_LONDON = { from: WITHIN_EU.from, to: { country: 'GB', postalCode: 'SW1A 1AA', city: 'London' } }

const GOODS = [
  { description: 'cotton t-shirts', count: 20, value: { amount: '12.50' }, originCountry: 'PT' },
  { description: 'leather handbag', count: 2, value: { amount: '85' }, hsCode: '4202.21' },
]

const CASH_ON_DELIVERY = {
  service: 'CASH_ON_DELIVERY',
  cashOnDelivery: { amount: '250.00', currency: 'EUR' },
}

/** Listed by group: see example-groups.ts. */
export const EXAMPLES: readonly Example[] = [
  { query: RATES, variables: { input: RATES_INPUT } },
  {
    query: RATES_EXPLAINED,
    variables: { input: { ...RATES_INPUT, filter: { maxWorkingDays: 6 }, sort: 'VALUE' } },
  },
  {
    query: RATES_WITH_SERVICES,
    variables: {
      input: { ...RATES_INPUT, to: WITHIN_EU.from, services: [{ service: 'SIGNATURE' }, CASH_ON_DELIVERY] },
    },
  },
  {
    query: RATES_BATCH,
    variables: {
      inputs: [
        RATES_INPUT,
        { ...RATES_INPUT, parcels: { boxes: [{ ...PARCEL, weightKg: '2.075', shape: 'TUBE' }] } },
        { ...RATES_INPUT, parcels: { documents: [{ count: 2, weightKg: '0.25' }] } },
        { ...RATES_INPUT, asOf: '2026-12-01T12:00:00Z' },
      ],
    },
  },
  { query: DUTIES, variables: { input: { ...TO_LONDON, contentItems: GOODS } } },
  {
    query: DUTIES_EXPLAINED,
    variables: {
      input: {
        ...TO_LONDON,
        contentItems: [
          ...GOODS,
          {
            description: 'basmati rice',
            count: 12,
            value: { amount: '9' },
            hsCode: '1006.30',
            weightKg: '1',
          },
        ],
        shippingCost: { amount: '24.60' },
        insuranceCost: { amount: '4.40' },
        recipientType: 'BUSINESS',
        asOf: '2026-11-01T12:00:00Z',
      },
    },
  },
  {
    query: LANDED_COST,
    variables: { input: { rates: { ...RATES_INPUT, ...TO_LONDON }, contentItems: GOODS } },
  },
  { query: COVERAGE, variables: { countries: ['CH', 'JP', 'NG'] } },
  { query: CLASSIFY, variables: { description: 'knitted cotton t-shirt for men' } },
  {
    query: DECLARATION,
    variables: {
      input: {
        from: { country: 'CN', postalCode: '518000', city: 'Shenzhen' },
        to: { country: 'NL', postalCode: '1012 JS', city: 'Amsterdam' },
        category: 'SALE_OF_GOODS',
        items: [
          {
            goods: {
              description: 'knitted cotton t-shirts for men',
              count: 2,
              value: { amount: '12.50' },
              hsCode: '6109.10',
              originCountry: 'CN',
              weightKg: '0.2',
            },
            merchantProductId: 'TS-1',
          },
          { goods: { description: 'spare parts', count: 1, value: { amount: '8' }, weightKg: '0.1' } },
        ],
        sender: { company: 'Shenzhen Shirts', street: 'Futian 1' },
        recipient: { name: 'Ada Janssen', street: 'Damrak 1' },
        grossWeightKg: '0.6',
        shippingCost: { amount: '4.90' },
        iossNumber: 'IM3720000224',
      },
    },
  },
  {
    query: SAVE_ESTIMATE,
    variables: { input: { estimate: { ...TO_LONDON, contentItems: GOODS }, reference: 'order 1042' } },
  },
  { query: CARRIERS, variables: {} },
  { query: SHIPMENTS, variables: { first: 20, filter: { states: ['DRAFT', 'BOOKED', 'IN_TRANSIT'] } } },
  {
    query: CREATE_DRAFT,
    variables: {
      input: {
        preferredShippingOption: '1201',
        reference: 'PO-2026-117',
        rates: RATES_INPUT,
      },
    },
  },
  { query: BOOK, variables: { input: { shipmentId: 'demo-draft' } } },
  { query: CANCEL, variables: { input: { shipmentId: 'demo-booked' } } },
  { query: CANCEL_SLOWLY, variables: { input: { shipmentId: 'demo-slow' } } },
]
