import type { GraphQLResolveInfo, GraphQLScalarType, GraphQLScalarTypeConfig } from 'graphql';
import type { Context } from './context.ts';
export type Maybe<T> = T | null;
export type InputMaybe<T> = Maybe<T>;
export type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
export type MakeOptional<T, K extends keyof T> = Omit<T, K> & { [SubKey in K]?: Maybe<T[SubKey]> };
export type MakeMaybe<T, K extends keyof T> = Omit<T, K> & { [SubKey in K]: Maybe<T[SubKey]> };
export type MakeEmpty<T extends { [key: string]: unknown }, K extends keyof T> = { [_ in K]?: never };
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
export type Omit<T, K extends keyof T> = Pick<T, Exclude<keyof T, K>>;
export type RequireFields<T, K extends keyof T> = Omit<T, K> & { [P in K]-?: NonNullable<T[P]> };
/** All built-in and custom scalars, mapped to their actual values */
export type Scalars = {
  ID: { input: string; output: string; }
  String: { input: string; output: string; }
  Boolean: { input: boolean; output: boolean; }
  Int: { input: number; output: number; }
  Float: { input: number; output: number; }
  /** An ISO 3166-1 alpha-2 country code, such as "NL". */
  CountryCode: { input: string; output: string; }
  /** A day as YYYY-MM-DD, such as "2026-11-21". Days are UTC days, unless a field says otherwise. */
  Date: { input: string; output: string; }
  /** An ISO 8601 date and time with offset, such as "2026-11-21T09:30:00Z". */
  DateTime: { input: string; output: string; }
  /**
   * An exact decimal as text, such as "12.50": digits with an optional sign "-" and an optional point. Input may also be a
   * number. Zeros at the end do not count as decimals.
   */
  Decimal: { input: string; output: string; }
  /**
   * The representation of an entity: an object with `__typename` and the fields of the key, such as
   * {"__typename": "Shipment", "id": "demo-booked"}.
   */
  _Any: { input: unknown; output: unknown; }
  /** A selection of fields as text, such as "id". */
  federation__FieldSet: { input: string; output: string; }
  /** The name of a directive with "@", or of a type. */
  link__Import: { input: string; output: string; }
};

/** The estimate for the same request with another code for one item. */
export type AlternativeEstimate = {
  readonly __typename?: 'AlternativeEstimate';
  /** False if a line could not be calculated or an item has no code. */
  readonly complete: Scalars['Boolean']['output'];
  /** This total minus the total of the actual estimate, in euro. Negative if the alternative is cheaper. */
  readonly difference: Money;
  /** One line for each duty, fee or tax on a code. */
  readonly taxes: ReadonlyArray<TaxLine>;
  /** The total in euro: the sum of `taxes`. */
  readonly total: Money;
};

/** The rule behind a line of a price. */
export type AppliedRule = {
  readonly __typename?: 'AppliedRule';
  /** The figures in the formula, and the figures that they are based on. Names are unique within a rule. */
  readonly figures: ReadonlyArray<RuleFigure>;
  /** The calculation in words and figures. It states where an amount is rounded. */
  readonly formula: Scalars['String']['output'];
  /** The version of the rate card that contains the rule, such as "demo@1". Published versions never change. */
  readonly rateCardVersion: Scalars['String']['output'];
  /** The rule within the version of the rate card, such as "demo@1/rondeel/FUEL". The same rule applies to several products with other figures. */
  readonly ruleId: Scalars['String']['output'];
  /** The first day on which the rule applies. */
  readonly validFrom: Scalars['Date']['output'];
};

/** A service that can be added to an option. */
export type AvailableService = {
  readonly __typename?: 'AvailableService';
  /** The largest amount that can be collected, in euro, for CASH_ON_DELIVERY. Null if there is none. */
  readonly maxAmount?: Maybe<Money>;
  /** The name of the service in the rate card, such as "Saturday delivery". */
  readonly name: Scalars['String']['output'];
  /** What the service adds to the price of the option, in euro, excluding VAT. Includes what it changes in other lines, such as the fuel surcharge. Negative if it replaces a surcharge that costs more. Null if the service needs the amount to collect or the dangerous goods, because it may depend on them: request the service with them to get its price. */
  readonly price?: Maybe<Money>;
  /** What the service adds to `priceIn` of the option. Null if `price` is null. */
  readonly priceIn?: Maybe<ConvertedPrice>;
  /** The input that a request with the service must have. Null for services that can be requested as they are. */
  readonly requiredInput?: Maybe<ServiceInputField>;
  /** The service. Add it to `services` of the request, with `slot` and the input in `requiredInput`. */
  readonly service: Service;
  /** The slot that the price is for, such as "evening". Null if the service has no slots. */
  readonly slot?: Maybe<Scalars['String']['output']>;
  /** The weekdays on which the carrier delivers in the slot. Empty if the rate card does not state them. They do not restrict requests: the day of delivery is not part of a request. */
  readonly weekdays: ReadonlyArray<Weekday>;
};


/** A service that can be added to an option. */
export type AvailableServicePriceInArgs = {
  currency?: InputMaybe<Scalars['String']['input']>;
};

/** Which draft to book. */
export type BookShipmentInput = {
  /** The shipment id of the draft, such as "demo-draft". */
  readonly shipmentId: Scalars['ID']['input'];
};

/** The outcome of a booking. */
export type BookShipmentResult = DraftPriceExpired | ShipmentBooked | ShipmentNotBooked | ShipmentNotFound;

/** A row of identical parcels. */
export type BoxInput = {
  /** The number of units, such as 2. 1 to 999. */
  readonly count?: Scalars['Int']['input'];
  /** The freight class of the goods in the National Motor Freight Classification of the USA, such as "77.5": one of "50", "55", "60", "65", "70", "77.5", "85", "92.5", "100", "110", "125", "150", "175", "200", "250", "300", "400" and "500". Products that are priced by it are declined with `FREIGHT_CLASS_REQUIRED` if it is missing. */
  readonly freightClass?: InputMaybe<Scalars['Decimal']['input']>;
  /** The height of one unit in whole centimetres, such as 20. */
  readonly heightCm: Scalars['Int']['input'];
  /** The length of one unit in whole centimetres, such as 40. */
  readonly lengthCm: Scalars['Int']['input'];
  /** What the parcel is packed in. Surcharges and smallest weights of a price list may depend on it. If it is missing, the list states what applies. */
  readonly packaging?: InputMaybe<Packaging>;
  /** The shape. Surcharges and size classes of a price list may depend on it. If it is missing, the list states what applies. */
  readonly shape?: InputMaybe<ParcelShape>;
  /** The weight of one unit in kilograms, such as "12.5" or "0.075", with at most three decimals. */
  readonly weightKg: Scalars['Decimal']['input'];
  /** The width of one unit in whole centimetres, such as 30. */
  readonly widthCm: Scalars['Int']['input'];
};

/** An attempt to cancel a shipment at its carrier. */
export type CancelAttempt = {
  readonly __typename?: 'CancelAttempt';
  /** Why the carrier refused, in the carrier's words. Null if the carrier did not refuse. */
  readonly carrierReason?: Maybe<Scalars['String']['output']>;
  /** The carrier's own code for the refusal. Null if there is none. */
  readonly carrierRefusalCode?: Maybe<Scalars['String']['output']>;
  /** When the attempt began. */
  readonly createdAt: Scalars['DateTime']['output'];
  /** The time by which the request is sent to the carrier again. Null once the outcome is known, and while the cancellation waits for the booking. */
  readonly nextTryAt?: Maybe<Scalars['DateTime']['output']>;
  /** The outcome. PENDING while it is not known. */
  readonly outcome: CancelAttemptOutcome;
  /** The parcels, if the carrier numbers each of several parcels. Otherwise empty. */
  readonly parcels: ReadonlyArray<ParcelCancellation>;
  /** Why the carrier refused, as a code that is the same for all carriers. Null if the carrier did not refuse. */
  readonly refusalCode?: Maybe<CancelRefusalCode>;
  /** When to repeat `cancelShipment` to get the outcome, in seconds from now. Null once the outcome is known. Null for a booking that is withdrawn too, because a repeated request then returns that the shipment is cancelled. */
  readonly retryAfterSeconds?: Maybe<Scalars['Int']['output']>;
  /** How many times the request was sent to the carrier, always with the same idempotency key. 0 if the carrier had already cancelled the shipment. */
  readonly sends: Scalars['Int']['output'];
  /** When the outcome became known. Null while the attempt is pending. */
  readonly settledAt?: Maybe<Scalars['DateTime']['output']>;
  /** Who ended the attempt. Null while the attempt is pending. */
  readonly settledBy?: Maybe<CancelAttemptSettledBy>;
};

/** The outcome of an attempt to cancel. */
export type CancelAttemptOutcome =
  /** The shipment is cancelled at the carrier. */
  | 'ACCEPTED'
  /** The carrier has not confirmed yet. */
  | 'PENDING'
  /** The shipment is not cancelled. This is final. */
  | 'REFUSED';

/** Who ended an attempt to cancel. */
export type CancelAttemptSettledBy =
  /** The carrier, by its answer or by a lookup. */
  | 'CARRIER'
  /** An operator of this service, because the carrier left the outcome open. */
  | 'OPERATOR';

/** Why a carrier refused a cancellation. The codes are the same for all carriers. */
export type CancelRefusalCode =
  /** Any other final refusal. See the carrier's message. */
  | 'NOT_CANCELLABLE'
  /** The parcel has been picked up or scanned. */
  | 'SCANNED'
  /** The carrier does not know the parcel. */
  | 'UNKNOWN_PARCEL'
  /** The time limit for cancellations has passed, by the carrier's answer or by the operator's archive. */
  | 'WINDOW_CLOSED';

/** Which shipment to cancel. */
export type CancelShipmentInput = {
  /** The shipment id, such as "demo-booked". */
  readonly shipmentId: Scalars['ID']['input'];
};

/** The outcome of a cancellation. */
export type CancelShipmentResult = CancellationPending | ShipmentCancelled | ShipmentNotCancelled | ShipmentNotFound;

/**
 * The outcome of the cancellation is not known, because the carrier has not confirmed it. A recorded cancellation
 * continues in the background. Repeat the request to get the outcome. This is not a problem: nothing has failed yet.
 */
export type CancellationPending = {
  readonly __typename?: 'CancellationPending';
  /** The reason as an English sentence. */
  readonly message: Scalars['String']['output'];
  /** The parcels, if the carrier numbers each of several parcels. Otherwise empty. If the carrier has cancelled only some of them and refuses the others, the operator of the service has to end the cancellation. */
  readonly parcels: ReadonlyArray<ParcelCancellation>;
  /** When to repeat the request, in seconds from now. Always at least 1. */
  readonly retryAfterSeconds: Scalars['Int']['output'];
  /** The shipment in its current state. */
  readonly shipment: Shipment;
};

/** A carrier. */
export type Carrier = {
  readonly __typename?: 'Carrier';
  /** The code of the carrier, such as "rondeel". */
  readonly id: Scalars['ID']['output'];
  /** The name of the carrier, such as "Rondeel Parcel". */
  readonly name: Scalars['String']['output'];
  /** The products of the carrier in the published rate cards, ordered by id. They include those of the account's contract, but not those that only the contracts of other accounts have. */
  readonly products: ReadonlyArray<Product>;
};

/** The amount that the carrier collects from the recipient. */
export type CashOnDeliveryInput = {
  /** The amount, such as "250.00": above 0, at most 100,000,000, with at most two decimals, or none for currencies without decimals. */
  readonly amount: Scalars['Decimal']['input'];
  /** The currency of the amount, an ISO 4217 code such as "PLN". If it is not that of the rate card, the exchange rates of the day apply. */
  readonly currency: Scalars['String']['input'];
};

/** The number of HS chapters by the basis of their duties. The sum is 96: chapters 01 to 97 without 77. */
export type ChapterCoverage = {
  readonly __typename?: 'ChapterCoverage';
  /** Chapters with an average only. */
  readonly groupAverage: Scalars['Int']['output'];
  /** Chapters with rates of national lines, or with a rule for the chapter or the whole country. */
  readonly nationalLine: Scalars['Int']['output'];
  /** Chapters without a rate. */
  readonly notLoaded: Scalars['Int']['output'];
  /** Chapters with rates of six digits. */
  readonly subheading: Scalars['Int']['output'];
};

/** The weights of one unit of a parcel row. */
export type ChargeableParcel = {
  readonly __typename?: 'ChargeableParcel';
  /** The actual weight. */
  readonly actual: Weight;
  /** The chargeable weight: the larger of actual and volumetric weight, rounded up to the step of the rate card, and at least its smallest weight. Rounded up to the gram if the price list is in pounds or ounces. */
  readonly chargeable: Weight;
  /** The number of units in the row. */
  readonly count: Scalars['Int']['output'];
  /** The volumetric divisor in cubic centimetres per kilogram. Null if the product has none, or if its price list is in pounds or ounces. */
  readonly divisor?: Maybe<Scalars['Int']['output']>;
  /** The index of the parcel row in the input, from 0. */
  readonly parcelIndex: Scalars['Int']['output'];
  /** The volumetric weight. 0 if the product does not use it. */
  readonly volumetric: Weight;
};

/**
 * Permits a web page to see prices of the account's contract for one cart. Pages send it as the header
 * `X-Checkout-Token`.
 */
export type CheckoutToken = {
  readonly __typename?: 'CheckoutToken';
  /** Until when the token is valid. */
  readonly expiresAt: Scalars['DateTime']['output'];
  /** The token: at most 1000 characters of printable ASCII. */
  readonly token: Scalars['String']['output'];
};

/** The HS code or commodity code of an item. */
export type Classification = {
  readonly __typename?: 'Classification';
  /** Other possible codes, most likely first, at most five. Empty for a given or agreed code. */
  readonly alternatives: ReadonlyArray<HsAlternative>;
  /** A legal note or General Rule of the Harmonized System that is a reason for the code, such as "Note 11 to chapter 71". Null if none is known, and for a given or agreed code. */
  readonly becauseOf?: Maybe<Scalars['String']['output']>;
  /** What `becauseOf` says, in one sentence of ours. It is not the legal text. Null if there is none. */
  readonly becauseOfText?: Maybe<Scalars['String']['output']>;
  /** The estimated probability that the code is correct, 0 to 1. Null for a given or agreed code. */
  readonly confidence?: Maybe<Scalars['Float']['output']>;
  /** The given code without dots and blanks, at most its first 10 digits; the agreed code of the product; or the six-digit HS code that was found from the description. */
  readonly hsCode: Scalars['String']['output'];
  /** Up to four questions whose answers change the code. Each option has its effect on the total; the question with the largest difference between its options comes first. Empty for a given or agreed code. The field is expensive: the whole request is estimated again for each other code. */
  readonly openQuestions: ReadonlyArray<ClassificationQuestion>;
  /** Questions whose answers would confirm the code, such as "Knitted or woven?". Empty if there are no open questions, and for a given or agreed code. */
  readonly questions: ReadonlyArray<Scalars['String']['output']>;
  /** A warning that a given code does not match the description. Null if they match, if the description is too vague, or if the code was found from the description. The estimate always uses the given code. */
  readonly secondOpinion?: Maybe<SecondOpinion>;
  /** The source of the code. */
  readonly source: ClassificationSource;
};

/** An answer to a question about goods. It takes precedence over the description and over facts. */
export type ClassificationAnswerInput = {
  /** `ClassificationQuestion.name`, such as `material`, at most 100 characters. */
  readonly question: Scalars['String']['input'];
  /** `ClassificationOption.value`, such as `cotton`, at most 100 characters. */
  readonly value: Scalars['String']['input'];
};

/** A possible answer to a question about goods. */
export type ClassificationOption = {
  readonly __typename?: 'ClassificationOption';
  /** The difference to the total of the estimate if this is the answer, in euro, negative if the goods become cheaper. Null if a duty or tax on the goods is not calculated, if the answer decides whether one on other goods is calculated, and in `classify`, which knows no destination. */
  readonly difference?: Maybe<Money>;
  /** The HS code that this answer leads to, six digits of HS 2022. */
  readonly hsCode: Scalars['String']['output'];
  /** The answer in words. */
  readonly label: Scalars['String']['output'];
  /** The value for `ClassificationAnswerInput.value`, such as "cotton". */
  readonly value: Scalars['String']['output'];
};

/** A question about goods whose answer changes the HS code. It is never about what the description says. */
export type ClassificationQuestion = {
  readonly __typename?: 'ClassificationQuestion';
  /** The name of the question, for `ClassificationAnswerInput.question`, such as "fibre". The same question about other goods has other options. */
  readonly name: Scalars['String']['output'];
  /** The possible answers, at least two and at most twelve. */
  readonly options: ReadonlyArray<ClassificationOption>;
  /** The question, such as "Of which fibre mostly?". */
  readonly text: Scalars['String']['output'];
};

/** The source of a code. */
export type ClassificationSource =
  /** Agreed for the product (`ContentItemInput.sku`) by the shop. */
  | 'AGREED'
  /** Found from the description and the facts. */
  | 'FROM_DESCRIPTION'
  /** Given in the input. */
  | 'GIVEN';

/** The codes found for a description, or the faults of the arguments. */
export type ClassifyResult = HsCandidates | InputProblem;

/** A fee of a carrier for customs clearance, or for advancing duties and taxes. */
export type ClearanceFee = {
  readonly __typename?: 'ClearanceFee';
  /** The amount in euro. */
  readonly amount: Money;
  /** False if there is no exchange rate for the currency of the fee, or if the fee depends on duties and taxes of which none could be calculated. The amount is then zero. */
  readonly calculated: Scalars['Boolean']['output'];
  /** The rate, and the data set with its date. */
  readonly description: Scalars['String']['output'];
  /** The name of the fee, such as "Disbursement fee". */
  readonly name: Scalars['String']['output'];
};

/** The amount that the carrier collects from the recipient. */
export type CollectedAmount = {
  readonly __typename?: 'CollectedAmount';
  /** The amount, such as "250.00". */
  readonly amount: Scalars['Decimal']['output'];
  /** The currency of the amount, such as "PLN". */
  readonly currency: Scalars['String']['output'];
};

/** A person or company at one end of the route of a shipment. Stored with the contents of the draft, and removed with them. */
export type Contact = {
  readonly __typename?: 'Contact';
  /** The name of the company. */
  readonly company?: Maybe<Scalars['String']['output']>;
  /** The e-mail address. */
  readonly email?: Maybe<Scalars['String']['output']>;
  /** The EORI number, in capitals. */
  readonly eoriNumber?: Maybe<Scalars['String']['output']>;
  /** The name of the person. */
  readonly name?: Maybe<Scalars['String']['output']>;
  /** The telephone number. */
  readonly phone?: Maybe<Scalars['String']['output']>;
  /** The street with the house number. */
  readonly street?: Maybe<Scalars['String']['output']>;
  /** The VAT number, in capitals. */
  readonly vatNumber?: Maybe<Scalars['String']['output']>;
};

/**
 * A person or company at one end of the route. All fields are optional. Blanks at both ends are removed, and an empty text
 * counts as not given.
 */
export type ContactInput = {
  /** The name of the company, such as "Janssen Textiles BV", at most 100 characters. */
  readonly company?: InputMaybe<Scalars['String']['input']>;
  /** The e-mail address, such as "ada@example.com", at most 254 characters. */
  readonly email?: InputMaybe<Scalars['String']['input']>;
  /** The EORI number, such as "NL001234567": two letters for the country, and at most 15 letters and digits. */
  readonly eoriNumber?: InputMaybe<Scalars['String']['input']>;
  /** The name of the person, such as "Ada Janssen", at most 100 characters. */
  readonly name?: InputMaybe<Scalars['String']['input']>;
  /** The telephone number, such as "+31 20 555 0100": 3 to 30 digits, blanks and the signs + ( ) . / and -. */
  readonly phone?: InputMaybe<Scalars['String']['input']>;
  /** The street with the house number, such as "Damrak 1", at most 200 characters. */
  readonly street?: InputMaybe<Scalars['String']['input']>;
  /** The VAT number with its country prefix, such as "NL001234567B01": at most 20 letters, digits, blanks, dots and dashes. */
  readonly vatNumber?: InputMaybe<Scalars['String']['input']>;
};

/** A content item: one kind of goods in a shipment. */
export type ContentItem = {
  readonly __typename?: 'ContentItem';
  /** The additional code of the tariff. Null if none was given. */
  readonly additionalCode?: Maybe<Scalars['String']['output']>;
  /** The alcohol by volume in percent. Null if it is not given. */
  readonly alcoholPercent?: Maybe<Scalars['Decimal']['output']>;
  /** The number of items. */
  readonly count: Scalars['Int']['output'];
  /** The description of the goods. */
  readonly description: Scalars['String']['output'];
  /** Facts about the goods. Null if none were given. */
  readonly facts?: Maybe<GoodsFacts>;
  /** The HS code or commodity code, 6 to 10 digits. Null if none was given. */
  readonly hsCode?: Maybe<Scalars['String']['output']>;
  /** The country of origin. Null if none was given. */
  readonly originCountry?: Maybe<Scalars['CountryCode']['output']>;
  /** Other quantities of one item. Usually empty. */
  readonly quantities: ReadonlyArray<ItemQuantity>;
  /** The number of the product in the shop. Null if none was given. */
  readonly sku?: Maybe<Scalars['String']['output']>;
  /** The value of one item, with two to four decimals. */
  readonly value: Money;
  /** The net weight of one item. Null if none was given. */
  readonly weight?: Maybe<Weight>;
};

/** A content item: one kind of goods in a shipment. */
export type ContentItemInput = {
  /** The additional code of TARIC or of the UK tariff, such as "C999": 3 or 4 letters and digits. Some anti-dumping and countervailing duties depend on it, mostly on the producer. */
  readonly additionalCode?: InputMaybe<Scalars['String']['input']>;
  /** The alcohol by volume in percent, such as "40", with at most four decimals, more than 0 and at most 100. Needed for excise duties. With a quantity in litres, it gives the litres of pure alcohol that duties and excise are charged on. */
  readonly alcoholPercent?: InputMaybe<Scalars['Decimal']['input']>;
  /** Answers to the questions of earlier results for these goods, at most 20. Answers that do not apply to the goods are ignored. */
  readonly answers?: InputMaybe<ReadonlyArray<ClassificationAnswerInput>>;
  /** The number of items, such as 20. 1 to 1,000,000. */
  readonly count: Scalars['Int']['input'];
  /** A clear description of the goods, such as "cotton t-shirts for men", at most 500 characters. If `hsCode` is missing, the description is classified to find the HS code. */
  readonly description: Scalars['String']['input'];
  /** Facts about the goods that the shop knows. They take precedence over the description. */
  readonly facts?: InputMaybe<GoodsFactsInput>;
  /** The HS code (6 digits), such as "6109.10", or the commodity code of the destination (8 to 10 digits). Up to 12 digits are accepted, of which the first 10 are used. Dots and spaces are ignored. */
  readonly hsCode?: InputMaybe<Scalars['String']['input']>;
  /** The country of origin, such as "PT": where the goods were produced under the rules of origin, which may differ from the country they are sent from. If it is missing, the sending country determines the additional duties, and preferences and other reliefs by origin do not apply. */
  readonly originCountry?: InputMaybe<Scalars['CountryCode']['input']>;
  /** Other quantities of one item, such as supplementary units, that a specific duty may be charged on. At most 10 entries. */
  readonly quantities?: InputMaybe<ReadonlyArray<ItemQuantityInput>>;
  /** The number of the product in the shop (SKU), such as "TS-1042-L", at most 70 characters. If `hsCode` is missing and the account has an agreed code for this product, that code is used. */
  readonly sku?: InputMaybe<Scalars['String']['input']>;
  /** The value of one item, such as { amount: "12.50" }, without transport and insurance: normally the price paid or payable. At most four decimals, at most 1,000,000,000. `value` times `count` must be at most 10,000,000,000. */
  readonly value: MoneyInput;
  /** The net weight of one item in kilograms, such as "0.25", with at most three decimals, at most 1,000,000. `weightKg` times `count` must be at most 100,000,000. Required for specific duties that are charged by weight. */
  readonly weightKg?: InputMaybe<Scalars['Decimal']['input']>;
};

/**
 * A price in any currency. It is converted from the amount in the rate card and rounded once, half up, to the decimals of
 * the currency.
 */
export type ConvertedPrice = {
  readonly __typename?: 'ConvertedPrice';
  /** The price without VAT, such as "12.50". Null if an exchange rate is missing. */
  readonly amount?: Maybe<Scalars['Decimal']['output']>;
  /** The price with VAT. In the currency of a rate card that includes VAT, it is the amount in the card. Null if an exchange rate or the VAT rate is missing. */
  readonly amountWithVat?: Maybe<Scalars['Decimal']['output']>;
  /** The currency of the amounts, such as "GBP". */
  readonly currency: Scalars['String']['output'];
  /** The exchange rates that were used: none in the currency of the rate card. */
  readonly exchangeRates: ReadonlyArray<ExchangeRate>;
  /** Why an amount is null. */
  readonly missing: ReadonlyArray<MissingPriceFact>;
  /** The VAT rate of the transport in percent, such as "19", that the rate card states for the zone or the route. Waybill does not check whether it applies to the sale. Null if the card states none. */
  readonly vatRatePercent?: Maybe<Scalars['Decimal']['output']>;
};

/** What the customs data contain for a country, with the rules of today. Postal ranges of a country can have other rules. */
export type CountryCoverage = {
  readonly __typename?: 'CountryCoverage';
  /** The number of trade agreements with at least one rate. */
  readonly agreements: Scalars['Int']['output'];
  /** The number of trade agreements that are mentioned, but whose rates are not loaded. */
  readonly agreementsWithoutRates: Scalars['Int']['output'];
  /** The basis that the duties of most HS chapters have. */
  readonly basis: DutyBasis;
  /** The HS chapters by their basis. A chapter counts under the most exact basis that any of its codes has. */
  readonly chapters: ChapterCoverage;
  /** The country, such as "NG". */
  readonly country: Scalars['CountryCode']['output'];
  /** The data sets of the tariff and of averages with the most rows, at most three, the largest first. */
  readonly dataSets: ReadonlyArray<DataSet>;
  /** The number of low-value rules on duty that are switched on. */
  readonly dutyRules: Scalars['Int']['output'];
  /** False if low-value rules are known to be missing. */
  readonly hasAllRules: Scalars['Boolean']['output'];
  /** The name of the country or of its customs jurisdiction. The code if no name is known. */
  readonly name: Scalars['String']['output'];
  /** The lowest reliability of the duties and of the standard rates of the taxes. LOW if duties are averages, or if a duty or tax is not loaded. */
  readonly reliability: Reliability;
  /** The number of low-value rules on tax that are switched on. */
  readonly taxRules: Scalars['Int']['output'];
  /** The taxes on import, without excise duties and taxes on some goods only. */
  readonly taxes: ReadonlyArray<TaxCoverage>;
};

/** A cart that a web page may show prices for. */
export type CreateCheckoutTokenInput = {
  /** Whether the token is also bound to the country of `rates.to`. */
  readonly bindCountry?: InputMaybe<Scalars['Boolean']['input']>;
  /** The goods that `landedCost` must be asked for, 1 to 99 items. Default: any goods. */
  readonly contentItems?: InputMaybe<ReadonlyArray<ContentItemInput>>;
  /** How long the token is valid, in minutes, such as 15. 1 to 30. */
  readonly expiresInMinutes?: InputMaybe<Scalars['Int']['input']>;
  /** The publishable key of the page, such as "pk_2aB4cD6eF8gH0iJkL". */
  readonly publishableKey: Scalars['ID']['input'];
  /** The request that the page will send. The token is bound to `from` and `parcels`. The page may use another destination, recipient, insurance and other services. `asOf`, `filter` and `sort` have no effect. */
  readonly rates: RatesInput;
};

/** The token, or the faults of the input. */
export type CreateCheckoutTokenResult = CheckoutToken | InputProblem;

/** A rates request, and the option to store. */
export type CreateDraftShipmentInput = {
  /** The goods, at most 99 items. They are stored with the shipment, and have no effect on its price. An empty list counts as not given. */
  readonly contentItems?: InputMaybe<ReadonlyArray<ContentItemInput>>;
  /** Makes the request safe to repeat: 1 to 64 printable ASCII characters, such as the id of the cart. For 24 hours, the same key with the same input returns the same draft, and with another input `IdempotencyConflict`. */
  readonly idempotencyKey?: InputMaybe<Scalars['String']['input']>;
  /** The `token` of the option. The draft then has the price of the token, even if the price has changed since. `rates` must be the request that the token was created for. Required, unless `preferredShippingOption` is given. */
  readonly optionToken?: InputMaybe<Scalars['String']['input']>;
  /** The product id of one of the options, such as "1201". Without a token, the draft has the current price of the product. Required, unless `optionToken` is given. */
  readonly preferredShippingOption?: InputMaybe<Scalars['ID']['input']>;
  /** The request, as for `rates`. `asOf` is not allowed, because a shipment is created at the current price. `filter`, and `sort` other than PRICE, are not allowed either, because the option is selected by its id. */
  readonly rates: RatesInput;
  /** Who receives the shipment, at `rates.to`. Has no effect on the price. */
  readonly recipient?: InputMaybe<ContactInput>;
  /** Your own reference for the shipment, such as "order 1042", at most 100 characters. Blanks at both ends are removed. It need not be unique. */
  readonly reference?: InputMaybe<Scalars['String']['input']>;
  /** Who sends the shipment, at `rates.from`. Has no effect on the price. */
  readonly sender?: InputMaybe<ContactInput>;
};

/** The outcome of creating a draft. */
export type CreateDraftShipmentResult = DraftQuotaExceeded | DraftShipmentCreated | IdempotencyConflict | InputProblem | OptionExpired | OptionNotAvailable;

/** The currency of prices and estimates. */
export type CurrencyCode =
  /** Euro. */
  | 'EUR';

/** What the customs data contain for countries. */
export type CustomsCoverage = {
  readonly __typename?: 'CustomsCoverage';
  /** The countries in the order of their codes. */
  readonly countries: ReadonlyArray<CountryCoverage>;
};

/** What the customs data contain, or the faults of the arguments. */
export type CustomsCoverageResult = CustomsCoverage | InputProblem;

/**
 * The data of customs documents for a parcel. Nothing is stored or sent to customs. Date, signature and the number of the
 * parcel are added when it is posted.
 */
export type CustomsDeclaration = {
  readonly __typename?: 'CustomsDeclaration';
  /** The boxes of the form for the parcel as a whole. Boxes without a value are not listed here but in `missing`, if they are needed. */
  readonly boxes: ReadonlyArray<DeclarationField>;
  /** True if nothing required is `missing`, and no item has a `descriptionProblem`. */
  readonly complete: Scalars['Boolean']['output'];
  /** The form for a parcel by post. Null if the goods do not cross a customs border. */
  readonly form?: Maybe<PostalForm>;
  /** Why this form is used, as an English sentence. */
  readonly formReason: Scalars['String']['output'];
  /** The weight of the parcel with its packaging, as given. */
  readonly grossWeight?: Maybe<Weight>;
  /** The declaration H7 of the EU. Null if the goods cannot be declared in it. */
  readonly h7?: Maybe<H7Declaration>;
  /** Why the goods can or cannot be declared in H7, as an English sentence. */
  readonly h7Reason: Scalars['String']['output'];
  /** The goods in the order of the input. */
  readonly items: ReadonlyArray<DeclaredItem>;
  /** What the documents need and the input does not give: first for the parcel, then for the items. */
  readonly missing: ReadonlyArray<MissingField>;
  /** The net weight of all goods: the sum of `items.netWeight`. Null if the weight of an item is not known. */
  readonly netWeight?: Maybe<Weight>;
  /** The value of all goods in euro: the sum of `items.value`. */
  readonly totalValue: Money;
};

/** A parcel to declare. */
export type CustomsDeclarationInput = {
  /** What is in the parcel. */
  readonly category: ItemCategory;
  /** What is in the parcel, for the category OTHER, such as "tools on loan", at most 100 characters. */
  readonly categoryExplanation?: InputMaybe<Scalars['String']['input']>;
  /** The number of a certificate, for example of plant health, such as "PH-2026-9", at most 70 characters. */
  readonly certificateNumber?: InputMaybe<Scalars['String']['input']>;
  /** Remarks for customs, such as "subject to plant health inspection", at most 200 characters. */
  readonly comments?: InputMaybe<Scalars['String']['input']>;
  /** Where the parcel is sent from. */
  readonly from: PlaceInput;
  /** The weight of the parcel with its packaging in kilograms, such as "1.35", with at most three decimals, at most 1,000,000. At least the net weight of the items. */
  readonly grossWeightKg?: InputMaybe<Scalars['Decimal']['input']>;
  /** The tax, VAT or importer code of the recipient, such as "DE123456789", at most 50 characters. Default: the EORI or VAT number of `recipient`. */
  readonly importerReference?: InputMaybe<Scalars['String']['input']>;
  /** The cost of insurance, such as { amount: "1.10" }, with at most two decimals, at most 1,000,000,000. */
  readonly insuranceCost?: InputMaybe<MoneyInput>;
  /** The number of the invoice, such as "R-1042", at most 70 characters. */
  readonly invoiceNumber?: InputMaybe<Scalars['String']['input']>;
  /** The IOSS number, such as "IM3720000224": IM and 10 digits. */
  readonly iossNumber?: InputMaybe<Scalars['String']['input']>;
  /** The goods, 1 to 99 kinds. */
  readonly items: ReadonlyArray<DeclarationItemInput>;
  /** The number of an export or import licence, such as "L-2026-7", at most 70 characters. */
  readonly licenceNumber?: InputMaybe<Scalars['String']['input']>;
  /** Who receives the parcel, at `to`. */
  readonly recipient?: InputMaybe<ContactInput>;
  /** Whether the recipient is a private person or a company. Default: INDIVIDUAL. */
  readonly recipientType?: InputMaybe<RecipientType>;
  /** Who sends the parcel, at `from`. */
  readonly sender?: InputMaybe<ContactInput>;
  /** The cost of transport, such as { amount: "8.90" }, with at most two decimals, at most 1,000,000,000. */
  readonly shippingCost?: InputMaybe<MoneyInput>;
  /** Where the parcel is imported. */
  readonly to: PlaceInput;
  /** How the import VAT is collected. Default: IOSS if there is an `iossNumber`, otherwise not known. */
  readonly vatCollection?: InputMaybe<VatCollection>;
};

/** A declaration, or the faults of the input. */
export type CustomsDeclarationResult = CustomsDeclaration | InputProblem;

/** The published rule behind a tax line, as in the data set. */
export type CustomsRule = {
  readonly __typename?: 'CustomsRule';
  /** The trade agreement of a preference ("EU-UK TCA") or the law of an additional duty. Null if there is none. */
  readonly agreement?: Maybe<Scalars['String']['output']>;
  /** The data set that contains the rule. Null if the data set has no description. */
  readonly dataSet?: Maybe<DataSet>;
  /** The code prefix that the rule applies to. Null if it applies to all codes. */
  readonly hsCodePrefix?: Maybe<Scalars['String']['output']>;
  /** The country of origin or group of countries that the rule applies to. Null if it applies to all origins. */
  readonly origin?: Maybe<Scalars['String']['output']>;
  /** The range of rates if the code covers several national tariff lines with different rates. `publishedRate` is then the most common rate, and the higher one if two are equally common. Of an average, the range of the individual rates. Null if all rates are equal, or if a single tariff line was applied. */
  readonly publishedRange?: Maybe<PercentRange>;
  /** The rate as published, such as "12%" or "9% + 9 EUR/100 kg". Null if none is published. */
  readonly publishedRate?: Maybe<Scalars['String']['output']>;
  /** How reliable the rate is on the day of the estimate. Of a tax line, the same as `TaxLine.reliability`, unless goods of several origins share the line. */
  readonly reliability: Reliability;
  /** The type of a measure ("third_country_duty"), the code of a tax ("VAT") or fee, or the kind of a low-value rule ("relief_up_to"), as in the data set. */
  readonly type: Scalars['String']['output'];
  /** The first day on which the rule applies. Null if unknown. */
  readonly validFrom?: Maybe<Scalars['Date']['output']>;
  /** The first day on which the rule no longer applies. Null if no end is known. */
  readonly validTo?: Maybe<Scalars['Date']['output']>;
};

/** Dangerous goods with one UN number. Fields that were not stated are null. */
export type DangerousGoods = {
  readonly __typename?: 'DangerousGoods';
  /** The class or division. */
  readonly hazardClass?: Maybe<HazardClass>;
  /** Whether the goods are packed in limited quantities. */
  readonly limitedQuantity: Scalars['Boolean']['output'];
  /** The net weight of the goods in all packages in kilograms, such as "0.4". */
  readonly netWeightKg?: Maybe<Scalars['Decimal']['output']>;
  /** The number of packages with the goods. */
  readonly packages?: Maybe<Scalars['Int']['output']>;
  /** The packing group. */
  readonly packingGroup?: Maybe<PackingGroup>;
  /** The UN number, such as "UN3480". */
  readonly unNumber: Scalars['String']['output'];
};

/** Dangerous goods with one UN number. */
export type DangerousGoodsInput = {
  /** The class or division. If it is missing, the price list states what applies. */
  readonly hazardClass?: InputMaybe<HazardClass>;
  /** Whether the goods are packed in limited quantities. */
  readonly limitedQuantity?: Scalars['Boolean']['input'];
  /** The net weight of the goods in all packages in kilograms, such as "0.4", with at most three decimals, at most 1,000,000. If it is missing, a price that depends on it uses the weight of the shipment. */
  readonly netWeightKg?: InputMaybe<Scalars['Decimal']['input']>;
  /** The number of packages with the goods, such as 2. 1 to 999. If it is missing, a price that depends on it uses the units of the shipment. */
  readonly packages?: InputMaybe<Scalars['Int']['input']>;
  /** The packing group. If it is missing, the price list states what applies. */
  readonly packingGroup?: InputMaybe<PackingGroup>;
  /** The UN number, such as "UN3480". */
  readonly unNumber: Scalars['String']['input'];
};

/** A set of customs data. */
export type DataSet = {
  readonly __typename?: 'DataSet';
  /** The day on which the data were published or obtained. */
  readonly date: Scalars['Date']['output'];
  /** True if the next edition was due before the day of the answer. The data may then be out of date. */
  readonly isOverdue: Scalars['Boolean']['output'];
  /** The name of the data set, such as "tariff-eu". */
  readonly name: Scalars['String']['output'];
  /** The day on which the next edition is due: one release cycle after `date`. Null if there are no regular editions. */
  readonly nextEditionDue?: Maybe<Scalars['Date']['output']>;
  /** Who published the data, and where they were obtained. */
  readonly source: Scalars['String']['output'];
  /** The title, as used in the descriptions of tax lines. */
  readonly title: Scalars['String']['output'];
};

/** A document of a declaration. */
export type DeclarationDocument =
  /** The form CN 22 of the Universal Postal Union. */
  | 'CN22'
  /** The form CN 23 of the Universal Postal Union. */
  | 'CN23'
  /** The declaration H7 of the EU. */
  | 'H7';

/** A box of a form, or a data element of a declaration, with its value. */
export type DeclarationField = {
  readonly __typename?: 'DeclarationField';
  /** The name as printed on the form. */
  readonly name: Scalars['String']['output'];
  /** The number of the box, such as "4", or of the data element, such as "14 14 000 000". Null if it has none, or if its number is not known. */
  readonly number?: Maybe<Scalars['String']['output']>;
  /** The value as text, such as "EUR 12.50" or "0.35" (kilograms). */
  readonly value: Scalars['String']['output'];
};

/** One kind of goods in a declaration. */
export type DeclarationItemInput = {
  /** The goods, as for `dutiesEstimate`. `weightKg` is the net weight of one item. The first six digits of `hsCode` are declared. Without it, the code that the account has agreed on for the `sku` is declared; no other code is filled in. */
  readonly goods: ContentItemInput;
  /** The GTIN (EAN, UPC) of the product, such as "4006381333931": 8, 12, 13 or 14 digits with a valid check digit. */
  readonly gtin?: InputMaybe<Scalars['String']['input']>;
  /** The number that the maker gives the product, such as "M-77", at most 70 characters. */
  readonly manufacturerProductId?: InputMaybe<Scalars['String']['input']>;
  /** The number of the product in the shop (SKU), such as "TS-1042-L", at most 70 characters. */
  readonly merchantProductId?: InputMaybe<Scalars['String']['input']>;
};

/** One kind of goods in a declaration. */
export type DeclaredItem = {
  readonly __typename?: 'DeclaredItem';
  /** The boxes of the form. */
  readonly boxes: ReadonlyArray<DeclarationField>;
  /** Why customs would refuse the description. Null if nothing is wrong with it, as far as the table of vague terms can tell. */
  readonly descriptionProblem?: Maybe<DescriptionProblem>;
  /** The data elements of H7. Empty if the goods cannot be declared in it. */
  readonly h7Elements: ReadonlyArray<DeclarationField>;
  /** The position in the input, from 0. */
  readonly index: Scalars['Int']['output'];
  /** The net weight of all items. Null if it is not given. */
  readonly netWeight?: Maybe<Weight>;
  /** A code for an item without a given or agreed code, found by its description. It is not declared: a person has to check it. Null if the item has a code, or none was found. */
  readonly proposedHsCode?: Maybe<HsProposal>;
  /** The value of all items in euro: `value` times `count`, rounded once. */
  readonly value: Money;
};

/** Why a product is not offered. */
export type DeclineCode =
  /** A unit fits none of the freight classes that the product is priced by. */
  | 'FREIGHT_CLASS_NOT_CARRIED'
  /** The price depends on the freight class, and a unit has none. */
  | 'FREIGHT_CLASS_REQUIRED'
  /** The account's contract excludes the product. */
  | 'NOT_ON_ACCOUNT'
  /** The rate card, or the amount to collect, is in another currency, and there is no recent exchange rate. */
  | 'NO_EXCHANGE_RATE'
  /** The fuel surcharge follows an index, and its figure for the day is not known. */
  | 'NO_FUEL_RATE'
  /** A unit is too large. */
  | 'OVER_SIZE'
  /** A unit or the shipment is too heavy. */
  | 'OVER_WEIGHT'
  /** The product does not serve this type of recipient. */
  | 'RECIPIENT_NOT_SERVED'
  /** The product does not serve this route. */
  | 'ROUTE_NOT_SERVED'
  /** The product does not offer a requested service for this request, or not together with another requested service. */
  | 'SERVICE_NOT_OFFERED'
  /** The shipment has more units than the product allows. */
  | 'TOO_MANY_UNITS'
  /** The product does not carry this parcel type. */
  | 'TYPE_NOT_CARRIED'
  /** The value cannot be insured with this product. */
  | 'VALUE_NOT_INSURABLE';

/** A product that is not offered for a request. */
export type DeclinedProduct = {
  readonly __typename?: 'DeclinedProduct';
  /** The actual figure, in `unit`. Null if there is none. */
  readonly actual?: Maybe<Scalars['Decimal']['output']>;
  /** The reason. */
  readonly code: DeclineCode;
  /** The limit that was exceeded, in `unit`. Null if there is none. */
  readonly limit?: Maybe<Scalars['Decimal']['output']>;
  /** The reason as an English sentence, with the limit and the actual figure. Programs should read `code`. */
  readonly message: Scalars['String']['output'];
  /** The product. */
  readonly product: Product;
  /** The requested service that is not offered, or whose amount cannot be converted. Null for other reasons. */
  readonly service?: Maybe<Service>;
  /** The unit of `limit` and `actual`. Null if they are null. */
  readonly unit?: Maybe<LimitUnit>;
};

/** Terms of delivery (Incoterms 2020): who pays the duties and taxes. They do not buy a service of the carrier; carriers that charge for delivery with duties paid offer the service DUTIES_PAID. */
export type DeliveryTerms =
  /** Delivered at place: the recipient pays duties, taxes and the fees of the carrier on delivery. */
  | 'DAP'
  /** Delivered duty paid: the carrier invoices duties, taxes and its fees to the sender. */
  | 'DDP';

/** A description that customs would refuse. */
export type DescriptionProblem = {
  readonly __typename?: 'DescriptionProblem';
  /** The kind of problem. */
  readonly code: DescriptionProblemCode;
  /** The problem and what to write instead, as English sentences. */
  readonly message: Scalars['String']['output'];
  /** The vague terms as written in the description, such as ["Spare parts"]. */
  readonly terms: ReadonlyArray<Scalars['String']['output']>;
};

/** Why customs would refuse a description. */
export type DescriptionProblemCode =
  /** There are no words, only numbers, item numbers or signs. */
  | 'NO_WORDS'
  /** One character is repeated, such as "xxxx". */
  | 'REPEATED_CHARACTERS'
  /** Less than three letters. */
  | 'TOO_SHORT'
  /** Only terms that customs refuses as vague, such as "gift" and "spare parts", and words that say nothing about the goods. */
  | 'VAGUE';

/** A row of identical envelopes with documents. */
export type DocumentInput = {
  /** The number of units, such as 2. 1 to 999. */
  readonly count?: Scalars['Int']['input'];
  /** The weight of one unit in kilograms, such as "0.25", with at most three decimals. If it is missing, each document counts as the weight that the price list states. */
  readonly weightKg?: InputMaybe<Scalars['Decimal']['input']>;
};

/** The price of the draft is no longer valid, so nothing was booked. To book at the current price, create a new draft. */
export type DraftPriceExpired = Problem & {
  readonly __typename?: 'DraftPriceExpired';
  /** PRICE_EXPIRED. */
  readonly code: ProblemCode;
  /** What the same shipment costs today in euro, excluding VAT. Null if its product is no longer offered. */
  readonly currentPrice?: Maybe<Money>;
  /** The reason as an English sentence, with both prices. */
  readonly message: Scalars['String']['output'];
  /** The price of the draft in euro, excluding VAT. */
  readonly price: Money;
  /** Always false. */
  readonly retryable: Scalars['Boolean']['output'];
  /** The draft. */
  readonly shipment: Shipment;
  /** Until when this price was valid. */
  readonly validUntil: Scalars['DateTime']['output'];
};

/** The account has as many drafts as it may have, by number or by size. */
export type DraftQuotaExceeded = Problem & {
  readonly __typename?: 'DraftQuotaExceeded';
  /** QUOTA_EXCEEDED. */
  readonly code: ProblemCode;
  /** The reason as an English sentence, with the limit. */
  readonly message: Scalars['String']['output'];
  /** Always false: drafts must be booked, or expire. */
  readonly retryable: Scalars['Boolean']['output'];
};

/** The draft was created, by this request or by an earlier one. */
export type DraftShipmentCreated = {
  readonly __typename?: 'DraftShipmentCreated';
  /** True if an earlier request with the same `idempotencyKey` created it. */
  readonly alreadyCreated: Scalars['Boolean']['output'];
  /** The shipment, in state DRAFT. If it was created earlier, it can be booked or cancelled since. */
  readonly shipment: Shipment;
};

/** Estimated import duties and taxes. The amounts that customs charges may differ. */
export type DutiesEstimate = {
  readonly __typename?: 'DutiesEstimate';
  /** False if a line could not be calculated or an item has no code. See `taxes.calculated` and `items.problem`. */
  readonly complete: Scalars['Boolean']['output'];
  /** The customs value of all items in euro: the value of the goods (FOB), plus transport and insurance if the destination values imports on a CIF basis. */
  readonly customsValue: Money;
  /** The UTC day whose rules were used. */
  readonly date: Scalars['Date']['output'];
  /** The part of `total` in euro that the seller collects at the checkout, such as value added tax under IOSS. */
  readonly dueAtCheckout: Money;
  /** The part of `total` in euro that is due on delivery or to customs: `total` minus `dueAtCheckout`. */
  readonly dueOnDelivery: Money;
  /** The HS code or commodity code of the item with the highest customs value. Null if no item has a code. */
  readonly hsCode?: Maybe<Scalars['String']['output']>;
  /** The items in the order of the input. */
  readonly items: ReadonlyArray<ItemEstimate>;
  /** The lowest and the highest total that fit the request, and what decides. If anything is open, the estimate is calculated again for each end, and for each import scheme if the scheme is UNKNOWN, so this field is expensive. */
  readonly range: EstimateRange;
  /** The lowest reliability of the lines. LOW if an item has no code, HIGH if nothing is due. */
  readonly reliability: Reliability;
  /** Rules that forbid or restrict shipping the goods: import and export prohibitions, embargoes, licences, and goods that carriers do not accept. They never change an amount. The most severe first; empty if no rule is known, which does not mean that there is none. */
  readonly restrictions: ReadonlyArray<Restriction>;
  /** The scheme under which the seller collects the tax on some of these goods. Null if there is none, or if it is not used. */
  readonly sellerScheme?: Maybe<SellerScheme>;
  /** One line for each duty, fee or tax on a code, in the order of the items. Duties come before taxes. */
  readonly taxes: ReadonlyArray<TaxLine>;
  /** The total in euro: the sum of `taxes`. */
  readonly total: Money;
  /** The estimate under another import scheme: if the scheme is UNKNOWN, one that is not assumed. COURIER stands for a seller that does not collect the tax. Null if no low-value rule or fee for the goods depends on the scheme, and no seller can collect the tax. The estimate is calculated again for all items, so this field is expensive. */
  readonly underOtherScheme?: Maybe<OtherSchemeEstimate>;
};

/** The goods to import, their route, and the terms of the estimate. */
export type DutiesEstimateInput = {
  /** Use the rules in force on the UTC day of this instant, such as "2026-11-21T09:30:00Z". Default: now. */
  readonly asOf?: InputMaybe<Scalars['DateTime']['input']>;
  /** The goods, 1 to 99 items. */
  readonly contentItems: ReadonlyArray<ContentItemInput>;
  /** Whether average duties of groups of goods (`basis: GROUP_AVERAGE`) are part of the estimate. If false, their lines have an amount of zero and `complete` is false. Default: the setting of the account, which is true unless the operator changed it. */
  readonly countAverages?: InputMaybe<Scalars['Boolean']['input']>;
  /** Where the goods are sent from. */
  readonly from: PlaceInput;
  /** How the goods are declared for import. Some low-value rules and fees depend on it, such as the EU's flat duty of EUR 3 and the processing fee of the United States. If it is UNKNOWN and a rule depends on it, the `description` of the line says which scheme is assumed, and `underOtherScheme` has the estimate under another scheme. */
  readonly importScheme?: InputMaybe<ImportScheme>;
  /** The cost of insurance to the border of the destination, such as { amount: "4.40" }, with at most two decimals, at most 1,000,000,000. It is treated like `shippingCost`. */
  readonly insuranceCost?: InputMaybe<MoneyInput>;
  /** Whether to claim preferential rates of trade agreements for items with an `originCountry`. Use true only if the goods have a proof of preferential origin; Waybill does not check it. If false, the most-favoured-nation duty (third-country duty) applies. */
  readonly preferences?: InputMaybe<Scalars['Boolean']['input']>;
  /** Who receives the goods. Some low-value rules (de minimis) and fees apply to individuals only. Default: INDIVIDUAL. If a line depends on this default, its `description` says so. */
  readonly recipientType?: InputMaybe<RecipientType>;
  /** The cost of transport to the border of the destination, such as { amount: "24.60" }, with at most two decimals, at most 1,000,000,000. It is part of the customs value if the destination values imports on a CIF basis. Some destinations with FOB valuation include it in the base of the import tax. If it is missing, no transport cost is added. */
  readonly shippingCost?: InputMaybe<MoneyInput>;
  /** Where the goods are imported. */
  readonly to: PlaceInput;
};

/** An estimate, or the faults of the input. */
export type DutiesEstimateResult = DutiesEstimate | InputProblem;

/** Where the rate of a duty comes from, the most exact first. It does not depend on how reliable the data are; see `CustomsRule.reliability`. */
export type DutyBasis =
  /** The average rate of a group of goods, such as clothing, because no rate of the code is loaded. `rateRange` is the range of the individual rates. The reliability is LOW. */
  | 'GROUP_AVERAGE'
  /** A published rate or rule that applies to these goods: a national tariff line, a rate that all national lines of the code have, a rule for a whole chapter or country, a preference, an additional duty, or a low-value rule. */
  | 'NATIONAL_LINE'
  /** The rate is not in the data, or this part of it is not. The amount is zero and `calculated` is false. */
  | 'NOT_LOADED'
  /** A rate that is known only for the six-digit code, or the rate of the residual line of several national lines with different rates. The rate of the actual line may differ; `rateRange` is the range, if it is known. */
  | 'SUBHEADING';

/** The account has as many estimates as it may have. */
export type EstimateQuotaExceeded = Problem & {
  readonly __typename?: 'EstimateQuotaExceeded';
  /** QUOTA_EXCEEDED. */
  readonly code: ProblemCode;
  /** The reason as an English sentence, with the limit. */
  readonly message: Scalars['String']['output'];
  /** Always false: estimates must expire. */
  readonly retryable: Scalars['Boolean']['output'];
};

/** The range of a total in euro: `least` ≤ `likely` ≤ `most`. It covers the rates of all national lines below a six-digit code, averages, duties whose rate depends on facts that a request does not contain, tariff quotas, fees and low-value rules that are not verified, and import schemes. It does not cover other codes, other exchange rates, or figures that are wrong or old; see `reliability`. */
export type EstimateRange = {
  readonly __typename?: 'EstimateRange';
  /** What decides most about the total, as an English sentence, such as "The material and the price decide: the duty on 640411 is between 7.5% and 48%." If no upper bound is known and nothing else is open, the parts that are missing. Null if nothing is open. */
  readonly decision?: Maybe<Scalars['String']['output']>;
  /** The lowest total. A part that cannot be calculated counts as zero. */
  readonly least: Money;
  /** The total of the estimate. */
  readonly likely: Money;
  /** The highest total. Null if no upper bound is known for a part; see `withoutBound`. */
  readonly most?: Maybe<Money>;
  /** The names of the duties, fees and taxes without a known upper bound, and the descriptions of items without a code. Empty if `most` is known. */
  readonly withoutBound: ReadonlyArray<Scalars['String']['output']>;
};

/** The estimate was stored, by this request or by an earlier one. */
export type EstimateSaved = {
  readonly __typename?: 'EstimateSaved';
  /** True if an earlier request with the same idempotency key stored it. */
  readonly alreadySaved: Scalars['Boolean']['output'];
  /** The estimate. */
  readonly estimate: KeptEstimate;
};

/** An exchange rate of the euro. */
export type ExchangeRate = {
  readonly __typename?: 'ExchangeRate';
  /** The other currency, such as "GBP". */
  readonly currency: Scalars['String']['output'];
  /** How many units of the currency one euro is, such as "0.8641". */
  readonly unitsPerEuro: Scalars['Decimal']['output'];
  /** The first day of the rate. */
  readonly validFrom: Scalars['Date']['output'];
};

/** A fault of an input field. */
export type FieldProblem = {
  readonly __typename?: 'FieldProblem';
  /** The kind of fault. */
  readonly code: FieldProblemCode;
  /** The fault as an English sentence without the name of the field, such as "at most 99". Programs should read `code`. */
  readonly message: Scalars['String']['output'];
  /** The path of the field within the input, such as ["parcels", "boxes", "0", "weightKg"]. Indexes start at 0. */
  readonly path: ReadonlyArray<Scalars['String']['output']>;
};

/** The kind of fault of an input field. */
export type FieldProblemCode =
  /** The value contradicts another field. */
  | 'CONFLICT'
  /** The value does not have the required form. */
  | 'MALFORMED'
  /** The value is too low or too high. */
  | 'OUT_OF_RANGE'
  /** The field is missing or empty. */
  | 'REQUIRED'
  /** The text is too long. */
  | 'TOO_LONG'
  /** The list has too many entries. */
  | 'TOO_MANY'
  /** No HS code was found for the description. */
  | 'UNCLASSIFIABLE'
  /** The value is not one of the known values, such as a country code or a product id. */
  | 'UNKNOWN_VALUE'
  /** The value has the wrong type. */
  | 'WRONG_TYPE';

/** Facts about goods, as they were given. Those that were not given are null. */
export type GoodsFacts = {
  readonly __typename?: 'GoodsFacts';
  /** The brand. */
  readonly brand?: Maybe<Scalars['String']['output']>;
  /** The category of the shop. */
  readonly category?: Maybe<Scalars['String']['output']>;
  /** The components with their percentages. */
  readonly composition?: Maybe<Scalars['String']['output']>;
  /** How the goods are made. */
  readonly construction?: Maybe<Scalars['String']['output']>;
  /** Who or what the goods are made for. */
  readonly madeFor?: Maybe<Scalars['String']['output']>;
  /** What the goods are made of. */
  readonly material?: Maybe<Scalars['String']['output']>;
  /** What the goods are used for. */
  readonly use?: Maybe<Scalars['String']['output']>;
};

/** Facts about goods, to find their HS code. They take precedence over the description and have no effect on a given code. */
export type GoodsFactsInput = {
  /** The brand, such as "Camel Active", at most 100 characters. The classifier leaves it out of the description, unless it is also the name of goods, such as "Lego", or nothing else names goods. */
  readonly brand?: InputMaybe<Scalars['String']['input']>;
  /** The category of the shop, from wide to narrow, such as "Shoes > Women > Boots", at most 200 characters. It counts less than the description. */
  readonly category?: InputMaybe<Scalars['String']['input']>;
  /** The components with their percentages, such as "98% cotton 2% elastane", at most 200 characters. The largest share decides. It takes precedence over `material`. */
  readonly composition?: InputMaybe<Scalars['String']['input']>;
  /** How the goods are made, such as "knitted", at most 100 characters. */
  readonly construction?: InputMaybe<Scalars['String']['input']>;
  /** Who or what the goods are made for, such as "women" or "iPhone 15", at most 100 characters. */
  readonly madeFor?: InputMaybe<Scalars['String']['input']>;
  /** What the goods are made of, such as "leather", at most 100 characters. */
  readonly material?: InputMaybe<Scalars['String']['input']>;
  /** What the goods are used for, such as "cycling", at most 100 characters. */
  readonly use?: InputMaybe<Scalars['String']['input']>;
};

/**
 * The data elements of a customs declaration with the super-reduced data set of the EU (H7) for the consignment as a whole.
 * The declarant adds the elements of the declaration itself.
 */
export type H7Declaration = {
  readonly __typename?: 'H7Declaration';
  /** The elements with their numbers in Annex B of Delegated Regulation (EU) 2015/2446. */
  readonly elements: ReadonlyArray<DeclarationField>;
};

/** A class or division of dangerous goods, as in the UN Model Regulations. */
export type HazardClass =
  /** Explosives. The division is not stated. */
  | 'CLASS_1'
  /** Explosives with a mass explosion hazard. */
  | 'CLASS_1_1'
  /** Explosives with a projection hazard. */
  | 'CLASS_1_2'
  /** Explosives with a fire hazard. */
  | 'CLASS_1_3'
  /** Explosives with no significant hazard. */
  | 'CLASS_1_4'
  /** Very insensitive explosives. */
  | 'CLASS_1_5'
  /** Extremely insensitive explosives. */
  | 'CLASS_1_6'
  /** Gases. The division is not stated. */
  | 'CLASS_2'
  /** Flammable gases. */
  | 'CLASS_2_1'
  /** Gases that are neither flammable nor toxic. */
  | 'CLASS_2_2'
  /** Toxic gases. */
  | 'CLASS_2_3'
  /** Flammable liquids. */
  | 'CLASS_3'
  /** Flammable solids. */
  | 'CLASS_4_1'
  /** Substances liable to spontaneous combustion. */
  | 'CLASS_4_2'
  /** Substances that emit flammable gases in contact with water. */
  | 'CLASS_4_3'
  /** Oxidizing substances. */
  | 'CLASS_5_1'
  /** Organic peroxides. */
  | 'CLASS_5_2'
  /** Toxic substances. */
  | 'CLASS_6_1'
  /** Infectious substances. */
  | 'CLASS_6_2'
  /** Radioactive material. */
  | 'CLASS_7'
  /** Corrosive substances. */
  | 'CLASS_8'
  /** Other dangerous goods, such as lithium batteries. */
  | 'CLASS_9';

/** An alternative code, and the estimate with that code. */
export type HsAlternative = {
  readonly __typename?: 'HsAlternative';
  /** A legal note or General Rule of the Harmonized System that is a reason for the code, such as "Note 11 to chapter 71". Null if none is known. */
  readonly becauseOf?: Maybe<Scalars['String']['output']>;
  /** What `becauseOf` says, in one sentence of ours. It is not the legal text. Null if there is none. */
  readonly becauseOfText?: Maybe<Scalars['String']['output']>;
  /** The estimated probability that this code is correct, 0 to 1. */
  readonly confidence: Scalars['Float']['output'];
  /** A short description of the goods with this code. */
  readonly description: Scalars['String']['output'];
  /** The estimate with this code instead. Each estimate is calculated for all items of the request, so this field is expensive. Within it, `difference` costs less than `taxes`. */
  readonly estimate: AlternativeEstimate;
  /** A short description of the heading (the first four digits). Null if unknown. */
  readonly heading?: Maybe<Scalars['String']['output']>;
  /** The HS code, six digits of HS 2022. */
  readonly hsCode: Scalars['String']['output'];
  /** The words and phrases that matched. */
  readonly matchedTerms: ReadonlyArray<Scalars['String']['output']>;
  /** Questions whose answers would decide between this code and the first one, such as "Of which material?". Empty if the code is for different goods. */
  readonly questions: ReadonlyArray<Scalars['String']['output']>;
};

/** A possible HS code for a description. */
export type HsCandidate = {
  readonly __typename?: 'HsCandidate';
  /** A legal note or General Rule of the Harmonized System that is a reason for the code, such as "Note 11 to chapter 71". Null if none is known. */
  readonly becauseOf?: Maybe<Scalars['String']['output']>;
  /** What `becauseOf` says, in one sentence of ours. It is not the legal text. Null if there is none. */
  readonly becauseOfText?: Maybe<Scalars['String']['output']>;
  /** The estimated probability that the code is correct, 0 to 1. The confidences of all codes add up to at most 1. */
  readonly confidence: Scalars['Float']['output'];
  /** A short description of the goods with this code. */
  readonly description: Scalars['String']['output'];
  /** A short description of the heading (the first four digits). Null if unknown. */
  readonly heading?: Maybe<Scalars['String']['output']>;
  /** The HS code, six digits of HS 2022. */
  readonly hsCode: Scalars['String']['output'];
  /** The words and phrases that matched. */
  readonly matchedTerms: ReadonlyArray<Scalars['String']['output']>;
  /** For the first code: questions whose answers would confirm it, such as "Knitted or woven?". For other codes: questions that would decide between this code and the first one. Empty if there are no open questions, or if the code is for different goods. */
  readonly questions: ReadonlyArray<Scalars['String']['output']>;
};

/** HS codes for a description. */
export type HsCandidates = {
  readonly __typename?: 'HsCandidates';
  /** The codes, most likely first. Empty if none is found. */
  readonly candidates: ReadonlyArray<HsCandidate>;
  /** Questions whose answers change the code, most decisive first, at most four. The first one decides between the first two codes. Empty if nothing is open. */
  readonly questions: ReadonlyArray<ClassificationQuestion>;
};

/** A code that was found by a description. */
export type HsProposal = {
  readonly __typename?: 'HsProposal';
  /** How likely the code is, from 0 to 1. */
  readonly confidence: Scalars['Float']['output'];
  /** What the code covers. */
  readonly description: Scalars['String']['output'];
  /** The HS code: six digits. */
  readonly hsCode: Scalars['String']['output'];
};

/** The account has used the idempotency key with another input in the last 24 hours. Nothing was created. */
export type IdempotencyConflict = Problem & {
  readonly __typename?: 'IdempotencyConflict';
  /** IDEMPOTENCY_CONFLICT. */
  readonly code: ProblemCode;
  /** The reason as an English sentence. */
  readonly message: Scalars['String']['output'];
  /** Always false. */
  readonly retryable: Scalars['Boolean']['output'];
};

/** How goods are declared for import. */
export type ImportScheme =
  /** By a courier or freight carrier, without IOSS. */
  | 'COURIER'
  /** Under the import one-stop shop (IOSS) of the EU: the seller collected the value added tax at checkout. */
  | 'IOSS'
  /** As a postal consignment, without IOSS. */
  | 'POSTAL'
  /** Under the scheme of the destination by which the seller collects the tax at the checkout, such as IOSS, or VOEC of Norway. Without effect if the destination has none, or if it does not cover the goods. */
  | 'SELLER_COLLECTS'
  /** With a standard customs declaration, without IOSS. It has the full commodity code of the goods. In the EU (data set H1), a preference can replace the flat duty of EUR 3 only with this declaration. */
  | 'STANDARD_DECLARATION'
  /** Not known. The registrations of the account decide whether the seller collects the tax; without one, `sellerScheme.basis` is ASSUMED where most sellers are registered. The scheme of the first low-value rule or fee that depends on it is assumed; for the EU's flat duty this is IOSS. */
  | 'UNKNOWN';

/** The input is invalid. All faults are listed at once, up to a limit. */
export type InputProblem = Problem & {
  readonly __typename?: 'InputProblem';
  /** INVALID_INPUT or UNCLASSIFIABLE. */
  readonly code: ProblemCode;
  /** The faults in the order of the input, at most 100. If there are more, the last entry has an empty path, and its message gives the number of omitted faults. */
  readonly fields: ReadonlyArray<FieldProblem>;
  /** A summary. The faults are in `fields`. */
  readonly message: Scalars['String']['output'];
  /** Always false. */
  readonly retryable: Scalars['Boolean']['output'];
};

/** What is in a parcel, as the customs forms of posts ask. */
export type ItemCategory =
  /** A sample of a business. */
  | 'COMMERCIAL_SAMPLE'
  /** Documents. */
  | 'DOCUMENTS'
  /** A gift between private persons. Not allowed for goods with an invoice or an IOSS number. */
  | 'GIFT'
  /** Something else. `categoryExplanation` says what. */
  | 'OTHER'
  /** Goods that go back to the seller. */
  | 'RETURNED_GOODS'
  /** Goods that were sold. */
  | 'SALE_OF_GOODS';

/** The part of an estimate for one content item. */
export type ItemEstimate = {
  readonly __typename?: 'ItemEstimate';
  /** The code and its source. Null if no code was found. */
  readonly classification?: Maybe<Classification>;
  /** The item as it was given. */
  readonly contentItem: ContentItem;
  /** The customs value in euro: `value` times `count`, plus a share of transport and insurance if the destination values imports on a CIF basis. */
  readonly customsValue: Money;
  /** The index of the item in the input, from 0. */
  readonly index: Scalars['Int']['output'];
  /** Why the item has no tax lines. Null if it has a code. */
  readonly problem?: Maybe<InputProblem>;
  /** The lines that apply to the item, each with the item's share. */
  readonly taxes: ReadonlyArray<ItemTax>;
  /** The item's share of all lines, in euro: the sum of `taxes`. The shares of all items add up to `DutiesEstimate.total`. */
  readonly total: Money;
};

/** A quantity of one item, such as 0.75 "l" or 2 "m2". */
export type ItemQuantity = {
  readonly __typename?: 'ItemQuantity';
  /** The quantity of one item in this unit. */
  readonly amount: Scalars['Decimal']['output'];
  /** The unit as written in tariffs, for example "l" or "m2". */
  readonly unit: Scalars['String']['output'];
};

/** A quantity of one item, such as 0.75 "l" or 2 "m2". */
export type ItemQuantityInput = {
  /** The quantity of one item in this unit, such as "0.75", with at most six decimals, at most 1,000,000. Times `count` it must be at most 100,000,000 items, kilograms, litres or metres, or 100,000,000 of another unit. */
  readonly amount: Scalars['Decimal']['input'];
  /** The unit as written in tariffs, for example "l", "hl", "m", "m2", "m3", "l pure alcohol", "kg net drained wt" or "sticks" (single cigarettes or cigars). Any other unit must be written exactly as in the tariff. */
  readonly unit: Scalars['String']['input'];
};

/** The share of one item in a tax line. */
export type ItemTax = {
  readonly __typename?: 'ItemTax';
  /** The item's share of the amount of the line, in euro. */
  readonly amount: Money;
  /** The line, which is one of `DutiesEstimate.taxes`. */
  readonly line: TaxLine;
};

/** An estimate as it was when it was stored. Later changes of the customs data do not change it. */
export type KeptEstimate = {
  readonly __typename?: 'KeptEstimate';
  /** False if a line could not be calculated or an item has no code. */
  readonly complete: Scalars['Boolean']['output'];
  /** When it was stored. */
  readonly createdAt: Scalars['DateTime']['output'];
  /** The revision of the customs data that was used. It grows with each change of the data. */
  readonly customsRevision: Scalars['Int']['output'];
  /** The customs value of all items in euro. */
  readonly customsValue: Money;
  /** The UTC day whose rules were used. */
  readonly date: Scalars['Date']['output'];
  /** When it is deleted. */
  readonly expiresAt: Scalars['DateTime']['output'];
  /** Where the goods are sent from. */
  readonly from: Place;
  /** The HS code or commodity code of the item with the highest customs value. */
  readonly hsCode?: Maybe<Scalars['String']['output']>;
  /** The id, such as "est_" and 22 letters and digits. */
  readonly id: Scalars['ID']['output'];
  /** The lines in the order of the estimate. */
  readonly lines: ReadonlyArray<KeptTaxLine>;
  /** The account's own reference. */
  readonly reference?: Maybe<Scalars['String']['output']>;
  /** The shipment that it was stored for. */
  readonly shipmentId?: Maybe<Scalars['ID']['output']>;
  /** Where the goods are imported. */
  readonly to: Place;
  /** The total in euro. */
  readonly total: Money;
};

/** A line of a kept estimate. */
export type KeptTaxLine = {
  readonly __typename?: 'KeptTaxLine';
  /** The amount in euro. */
  readonly amount: Money;
  /** False if the amount could not be calculated. It is then zero. */
  readonly calculated: Scalars['Boolean']['output'];
  /** The code that it is for. */
  readonly hsCode: Scalars['String']['output'];
  /** The kind of charge. */
  readonly kind: TaxKind;
  /** The name of the charge, such as "Import duty". */
  readonly name: Scalars['String']['output'];
};

/** The total cost of goods on arrival, for each shipping option. */
export type LandedCost = {
  readonly __typename?: 'LandedCost';
  /** Products that are not offered, with the reason. The filter does not apply to them. */
  readonly declined: ReadonlyArray<DeclinedProduct>;
  /** The number of options that do not match the filter. */
  readonly filteredOut: Scalars['Int']['output'];
  /** The options that match the filter, in the order of `rates`. */
  readonly options: ReadonlyArray<LandedCostOption>;
  /** The versions of the rate cards that were used, such as ["demo@1"]. */
  readonly rateCardVersions: ReadonlyArray<Scalars['String']['output']>;
  /** Rules that forbid or restrict shipping the goods, as in `DutiesEstimate.restrictions`. They are the same for all options. */
  readonly restrictions: ReadonlyArray<Restriction>;
};

/** The goods, and the rates request whose shipping options are compared. */
export type LandedCostInput = {
  /** The goods in the parcels, 1 to 99 items. Their value may differ from `totalValue`. */
  readonly contentItems: ReadonlyArray<ContentItemInput>;
  /** Whether average duties of groups of goods are part of the estimates, as for `dutiesEstimate`. Default: the setting of the account. */
  readonly countAverages?: InputMaybe<Scalars['Boolean']['input']>;
  /** How the goods are declared for import, as for `dutiesEstimate`. */
  readonly importScheme?: InputMaybe<ImportScheme>;
  /** The cost of insurance that is not bought from the carrier, such as { amount: "4.40" }, with at most two decimals, at most 1,000,000,000. It is part of the total, and of the customs value if the destination values imports on a CIF basis. Insurance by the carrier (`rates.insured`) is already part of the price of an option. Default: none. */
  readonly insuranceCost?: InputMaybe<MoneyInput>;
  /** Whether to claim preferential rates of trade agreements for items with an `originCountry`, as for `dutiesEstimate`. If false, the most-favoured-nation duty (third-country duty) applies. */
  readonly preferences?: InputMaybe<Scalars['Boolean']['input']>;
  /** The route, parcels and recipient, as for `rates`. `filter` and `sort` apply to the options. `asOf` applies to prices, duties and taxes. */
  readonly rates: RatesInput;
  /** Who pays the duties, taxes and fees that the seller does not collect at the checkout. Default: DDP if `rates.services` has DUTIES_PAID, otherwise DAP. DAP with DUTIES_PAID is refused. */
  readonly terms?: InputMaybe<DeliveryTerms>;
};

/** A shipping option with its duties and taxes. */
export type LandedCostOption = {
  readonly __typename?: 'LandedCostOption';
  /** The fees of the carrier for customs clearance, from a table of the operator. Empty if the operator has loaded none for this carrier and route. */
  readonly clearanceFees: ReadonlyArray<ClearanceFee>;
  /** The part of `total` in euro that the recipient pays at the checkout: goods, transport, insurance, and the taxes that the seller collects. */
  readonly dueAtCheckout: Money;
  /** The part of `total` in euro that the recipient pays on delivery: the other duties and taxes, and the fees of the carrier. Zero with DDP. */
  readonly dueOnDelivery: Money;
  /** Duties and taxes. The price of the option (excluding VAT), without the line of DUTIES_PAID, is used as the cost of transport to the border, like `DutiesEstimateInput.shippingCost`. Insurance that is included in the price counts as transport cost. */
  readonly duties: DutiesEstimate;
  /** The value of the goods in euro: the sum of `value` times `count`, rounded once. */
  readonly goodsValue: Money;
  /** The `insuranceCost` of the input. Zero if none was given. */
  readonly insuranceCost: Money;
  /** The part of `total` in euro that the carrier invoices to the sender. Zero with DAP. */
  readonly invoicedToSender: Money;
  /** Who pays what and when. The amounts add up to `total`; parts that are zero are left out. */
  readonly payments: ReadonlyArray<LandedCostPayment>;
  /** The lowest and the highest landed cost that fit the request, like `duties.range`: the goods, the price and the insurance, with the duties, taxes and clearance fees at each end. As expensive as `duties.range`. */
  readonly range: EstimateRange;
  /** The option, as in `rates`. */
  readonly rateOption: RateOption;
  /** The landed cost in euro: the sum of `goodsValue`, `rateOption.price`, `insuranceCost`, `duties.total` and `clearanceFees.amount`. If `duties.complete` is false, the total is incomplete too. */
  readonly total: Money;
};

/** A part of a landed cost, and who pays it when. */
export type LandedCostPayment = {
  readonly __typename?: 'LandedCostPayment';
  /** The amount in euro. */
  readonly amount: Money;
  /** When it is paid. */
  readonly moment: PaymentMoment;
  /** Who pays. */
  readonly payer: PaymentParty;
  /** What is paid. */
  readonly purpose: PaymentPurpose;
};

/** The landed cost of each option, or the faults of the input. */
export type LandedCostResult = InputProblem | LandedCost;

/** The unit of a limit. */
export type LimitUnit =
  /** Centimetres. */
  | 'CENTIMETRE'
  /** Euro. */
  | 'EURO'
  /** Kilograms. */
  | 'KILOGRAM'
  /** Units of a shipment, such as parcels or pallets. */
  | 'UNIT';

/** A value that a document needs and the input does not give. */
export type MissingField = {
  readonly __typename?: 'MissingField';
  /** The document. */
  readonly document: DeclarationDocument;
  /** The name as printed on the form. */
  readonly name: Scalars['String']['output'];
  /** The number of the box or data element. Null if it has none, or if its number is not known. */
  readonly number?: Maybe<Scalars['String']['output']>;
  /** The path of the field in the input, such as ["items", "0", "goods", "weightKg"]. */
  readonly path: ReadonlyArray<Scalars['String']['output']>;
  /** Whether customs requires it. Otherwise the declaration is accepted without it, but clearance may take longer. */
  readonly required: Scalars['Boolean']['output'];
  /** Why the document needs it, as an English sentence. */
  readonly requiredBy: Scalars['String']['output'];
};

/** What is missing for an amount. */
export type MissingPriceFact =
  /** There is no recent exchange rate of the currency. */
  | 'EXCHANGE_RATE'
  /** The rate card states no VAT rate for the zone or the route. */
  | 'VAT_RATE';

/** An amount of money. */
export type Money = {
  readonly __typename?: 'Money';
  /** The amount with two decimals, such as "12.50". The value of one item has up to four. */
  readonly amount: Scalars['Decimal']['output'];
  /** The currency of `amount`. */
  readonly currency: CurrencyCode;
};

/** An amount of money in the input. */
export type MoneyInput = {
  /** The amount, such as "12.50". The field that contains it says how many decimals are allowed. */
  readonly amount: Scalars['Decimal']['input'];
  /** The currency of `amount`. Amounts in other currencies are refused. */
  readonly currency?: CurrencyCode;
};

/** Changes to shipments, checkout tokens, and replays of webhooks. An operation may contain one of them. */
export type Mutation = {
  readonly __typename?: 'Mutation';
  /** Books a draft with its carrier. Safe to repeat. */
  readonly bookShipment: BookShipmentResult;
  /** Cancels a draft, or a booked shipment at its carrier. Safe to repeat. */
  readonly cancelShipment: CancelShipmentResult;
  /** Signs a checkout token for a page with a publishable key. Nothing is stored. Needs a key with a secret and the scope `rates`. */
  readonly createCheckoutToken: CreateCheckoutTokenResult;
  /** Creates a draft shipment from a rate option. The carrier is not involved. */
  readonly createDraftShipment: CreateDraftShipmentResult;
  /** Sends events to an endpoint again, or without waiting for the next try. Safe to repeat. */
  readonly replayWebhook: ReplayWebhookResult;
  /** Estimates duties and taxes and keeps the result. Not available to publishable keys. */
  readonly saveEstimate: SaveEstimateResult;
};


/** Changes to shipments, checkout tokens, and replays of webhooks. An operation may contain one of them. */
export type MutationBookShipmentArgs = {
  input: BookShipmentInput;
};


/** Changes to shipments, checkout tokens, and replays of webhooks. An operation may contain one of them. */
export type MutationCancelShipmentArgs = {
  input: CancelShipmentInput;
};


/** Changes to shipments, checkout tokens, and replays of webhooks. An operation may contain one of them. */
export type MutationCreateCheckoutTokenArgs = {
  input: CreateCheckoutTokenInput;
};


/** Changes to shipments, checkout tokens, and replays of webhooks. An operation may contain one of them. */
export type MutationCreateDraftShipmentArgs = {
  input: CreateDraftShipmentInput;
};


/** Changes to shipments, checkout tokens, and replays of webhooks. An operation may contain one of them. */
export type MutationReplayWebhookArgs = {
  input: ReplayWebhookInput;
};


/** Changes to shipments, checkout tokens, and replays of webhooks. An operation may contain one of them. */
export type MutationSaveEstimateArgs = {
  input: SaveEstimateInput;
};

/**
 * The price of the token is no longer valid, so no draft was created. To accept the current price, send the request again
 * with `currentToken`.
 */
export type OptionExpired = Problem & {
  readonly __typename?: 'OptionExpired';
  /** PRICE_EXPIRED. */
  readonly code: ProblemCode;
  /** What the same product costs now in euro, excluding VAT. Null if it is no longer offered for the request. */
  readonly currentPrice?: Maybe<Money>;
  /** `currentPrice` in another currency and with VAT; see `RateOption.priceIn`. Null if the product is no longer offered. */
  readonly currentPriceIn?: Maybe<ConvertedPrice>;
  /** A token for the current price. Null if the product is no longer offered. */
  readonly currentToken?: Maybe<Scalars['String']['output']>;
  /** Until when this price was valid. */
  readonly expiredAt: Scalars['DateTime']['output'];
  /** The reason as an English sentence, with both prices. */
  readonly message: Scalars['String']['output'];
  /** The price of the token in euro, excluding VAT. */
  readonly quotedPrice: Money;
  /** Always false. */
  readonly retryable: Scalars['Boolean']['output'];
};


/**
 * The price of the token is no longer valid, so no draft was created. To accept the current price, send the request again
 * with `currentToken`.
 */
export type OptionExpiredCurrentPriceInArgs = {
  currency?: InputMaybe<Scalars['String']['input']>;
};

/** The preferred shipping option is not offered for this request. */
export type OptionNotAvailable = Problem & {
  readonly __typename?: 'OptionNotAvailable';
  /** OPTION_NOT_AVAILABLE. */
  readonly code: ProblemCode;
  /** Why the product is not offered, with the limit that was exceeded. Null if the request has no such product. */
  readonly declined?: Maybe<DeclinedProduct>;
  /** The reason as an English sentence. Includes why the product is declined, if known. */
  readonly message: Scalars['String']['output'];
  /** Always false. */
  readonly retryable: Scalars['Boolean']['output'];
};

/** The estimate for the same request under another import scheme. */
export type OtherSchemeEstimate = {
  readonly __typename?: 'OtherSchemeEstimate';
  /** False if a line could not be calculated or an item has no code. */
  readonly complete: Scalars['Boolean']['output'];
  /** This total minus the total of the actual estimate, in euro. Negative if the other scheme is cheaper. */
  readonly difference: Money;
  /** The part of `total` in euro that the seller collects at the checkout. */
  readonly dueAtCheckout: Money;
  /** The part of `total` in euro that is due on delivery or to customs. */
  readonly dueOnDelivery: Money;
  /** The scheme of this estimate. */
  readonly importScheme: ImportScheme;
  /** The scheme under which the seller collects the tax on some of these goods. Null if there is none, or if it is not used. */
  readonly sellerScheme?: Maybe<SellerScheme>;
  /** One line for each duty, fee or tax on a code. */
  readonly taxes: ReadonlyArray<TaxLine>;
  /** The total in euro: the sum of `taxes`. */
  readonly total: Money;
};

/** What a parcel is packed in. */
export type Packaging =
  /** A box of cardboard. */
  | 'BOX'
  /** A crate of wood, plastic or metal. */
  | 'CRATE'
  /** An envelope or a bag. */
  | 'ENVELOPE'
  /** A pallet of 120 by 80 cm that carriers exchange, such as an EPAL pallet. */
  | 'EURO_PALLET'
  /** A box of steel mesh of 120 by 80 cm that carriers exchange. */
  | 'MESH_BOX'
  /** A pallet of any kind. Rows of `pallets` that state no packaging are packed like this. */
  | 'PALLET';

/** The degree of danger of dangerous goods. */
export type PackingGroup =
  /** Great danger. */
  | 'I'
  /** Medium danger. */
  | 'II'
  /** Minor danger. */
  | 'III';

/** Information about one page of a connection. */
export type PageInfo = {
  readonly __typename?: 'PageInfo';
  /** Cursor of the last edge. Pass it as `after` to get the next page. Null if the page is empty. */
  readonly endCursor?: Maybe<Scalars['String']['output']>;
  /** True if there is a next page. */
  readonly hasNextPage: Scalars['Boolean']['output'];
  /** True if there is a previous page. */
  readonly hasPreviousPage: Scalars['Boolean']['output'];
  /** Cursor of the first edge. Pass it as `before` to get the previous page. Null if the page is empty. */
  readonly startCursor?: Maybe<Scalars['String']['output']>;
};

/** A row of identical pallets. */
export type PalletInput = {
  /** The number of units, such as 2. 1 to 999. */
  readonly count?: Scalars['Int']['input'];
  /** The freight class of the goods, as for boxes, such as "77.5". */
  readonly freightClass?: InputMaybe<Scalars['Decimal']['input']>;
  /** The height of one unit in whole centimetres, such as 20. */
  readonly heightCm: Scalars['Int']['input'];
  /** The length of one unit in whole centimetres, such as 40. */
  readonly lengthCm: Scalars['Int']['input'];
  /** What the load is on or in. Surcharges and smallest weights of a price list may depend on it. If it is missing, it is a `PALLET`. */
  readonly packaging?: InputMaybe<Packaging>;
  /** The shape of the load. Surcharges of a price list may depend on it. If it is missing, the list states what applies. */
  readonly shape?: InputMaybe<ParcelShape>;
  /** Whether other freight may be stacked on the pallet. */
  readonly stackable: Scalars['Boolean']['input'];
  /** The weight of one unit in kilograms, such as "12.5" or "0.075", with at most three decimals. */
  readonly weightKg: Scalars['Decimal']['input'];
  /** The width of one unit in whole centimetres, such as 30. */
  readonly widthCm: Scalars['Int']['input'];
};

/** A parcel of a shipment whose carrier numbers each parcel. */
export type ParcelCancellation = {
  readonly __typename?: 'ParcelCancellation';
  /** Why the carrier refused, in the carrier's words. Null if the carrier did not refuse. */
  readonly carrierReason?: Maybe<Scalars['String']['output']>;
  /** Whether the carrier has cancelled the parcel. PENDING while it is not known. */
  readonly outcome: CancelAttemptOutcome;
  /** Why the carrier refused, as a code that is the same for all carriers. Null if the carrier did not refuse. */
  readonly refusalCode?: Maybe<CancelRefusalCode>;
  /** The carrier's number of the parcel. */
  readonly trackingNumber: Scalars['String']['output'];
};

/** The shape of a parcel. */
export type ParcelShape =
  /** Any other shape, such as a canister or a bicycle. */
  | 'IRREGULAR'
  /** A box or another body with flat sides. */
  | 'RECTANGULAR'
  /** Rolled goods that are not in a box, such as a carpet. */
  | 'ROLL'
  /** A cylinder of cardboard or plastic. */
  | 'TUBE';

/** The type of a parcel row. All rows of a shipment have the same type. */
export type ParcelType =
  /** A parcel with goods. */
  | 'BOX'
  /** Documents. */
  | 'DOCUMENT'
  /** A pallet. */
  | 'PALLET';

/** The parcels of a request: 1 to 99 rows of one type, at most 999 units in total. */
export type ParcelsInput =
  /** Parcels with goods. */
  { readonly boxes: ReadonlyArray<BoxInput>; readonly documents?: never; readonly pallets?: never; }
  |  /** Documents. They have no size. */
  { readonly boxes?: never; readonly documents: ReadonlyArray<DocumentInput>; readonly pallets?: never; }
  |  /** Pallets. They require `recipientType`. */
  { readonly boxes?: never; readonly documents?: never; readonly pallets: ReadonlyArray<PalletInput>; };

/** When something is paid. */
export type PaymentMoment =
  /** With the order. */
  | 'AT_CHECKOUT'
  /** With a later invoice of the carrier to the sender. */
  | 'INVOICED_TO_SENDER'
  /** When the goods are delivered. */
  | 'ON_DELIVERY';

/** A party of the sale. */
export type PaymentParty =
  /** The recipient, usually the buyer. */
  | 'RECIPIENT'
  /** The sender, usually the seller. */
  | 'SENDER';

/** What a payment is for. */
export type PaymentPurpose =
  /** Fees of the carrier for customs clearance and for advancing duties and taxes. */
  | 'CLEARANCE_FEES'
  /** Import duties, taxes and fees of authorities. */
  | 'DUTIES_AND_TAXES'
  /** The goods. */
  | 'GOODS'
  /** The insurance of the input. */
  | 'INSURANCE'
  /** The price of the option. */
  | 'TRANSPORT';

/** The lowest and the highest of several rates. Specific rates, such as 9 EUR/100 kg, are not included. */
export type PercentRange = {
  readonly __typename?: 'PercentRange';
  /** The highest rate in percent. */
  readonly highestPercent: Scalars['Decimal']['output'];
  /** The lowest rate in percent. */
  readonly lowestPercent: Scalars['Decimal']['output'];
};

/** The start or end of the route of a shipment. */
export type Place = {
  readonly __typename?: 'Place';
  /** The city as the caller gave it. */
  readonly city?: Maybe<Scalars['String']['output']>;
  /** The country. */
  readonly country: Scalars['CountryCode']['output'];
  /** The postal code as the caller gave it. */
  readonly postalCode?: Maybe<Scalars['String']['output']>;
};

/**
 * The start or end of a route. If `postalCode` and `city` are both missing, the zones and areas of
 * carriers are those of the country's capital.
 */
export type PlaceInput = {
  /** The city, such as "Amsterdam". It is used if `postalCode` is missing, or if a carrier defines its areas in this country by city. For a city that a carrier does not list, the carrier's defaults for the country apply. */
  readonly city?: InputMaybe<Scalars['String']['input']>;
  /** The country, such as "NL". */
  readonly country: Scalars['CountryCode']['input'];
  /** The postal code in the format of the country, such as "1012 JS". It determines the zones and remote areas of carriers, and customs and tax territories such as the Canary Islands. */
  readonly postalCode?: InputMaybe<Scalars['String']['input']>;
};

/** A customs form of the Universal Postal Union. */
export type PostalForm =
  /** For letter-post items of at most 300 SDR and 2 kg. */
  | 'CN22'
  /** For all other items. */
  | 'CN23';

/** A line of a price. */
export type PriceLine = {
  readonly __typename?: 'PriceLine';
  /** The amount in euro, excluding VAT. Negative for discounts. If the rate card is in another currency or includes VAT, the rule states the amount in the card, the exchange rate and its day. */
  readonly amount: Money;
  /** The kind of line. */
  readonly kind: PriceLineKind;
  /** The name of the line, such as "Freight" or "Fuel surcharge". */
  readonly name: Scalars['String']['output'];
  /** Why a surcharge or the price of a service applies. Null for other lines. */
  readonly reason?: Maybe<Scalars['String']['output']>;
  /** The rule and all figures that are needed to repeat the calculation of the amount. Not for publishable keys. */
  readonly rule: AppliedRule;
};

/** The kind of a price line. */
export type PriceLineKind =
  /** Freight, at the list price. */
  | 'BASE'
  /** A discount or markup of the account's contract on the freight or on a surcharge, or what the freight is short of its minimum. For publishable keys, it is part of the line that it changes. */
  | 'DISCOUNT'
  /** Fuel surcharge. */
  | 'FUEL'
  /** Manual handling, for example of heavy or non-stackable parcels. */
  | 'HANDLING'
  /** Insurance of the declared value. */
  | 'INSURANCE'
  /** Any other surcharge, such as road toll or peak season. */
  | 'OTHER'
  /** Too large for the carrier's machines. */
  | 'OVERSIZE'
  /** Remote, island or overseas area at either end of the route. */
  | 'REMOTE_AREA'
  /** Delivery to an individual. */
  | 'RESIDENTIAL'
  /** The price of a service that the sender requested. */
  | 'SERVICE';

/** The outcome of an operation that did not succeed. */
export type Problem = {
  /** The reason. */
  readonly code: ProblemCode;
  /** The reason as an English sentence. Programs should read `code`. */
  readonly message: Scalars['String']['output'];
  /** True if the same request may succeed later. */
  readonly retryable: Scalars['Boolean']['output'];
};

/** Why an operation did not succeed. */
export type ProblemCode =
  /** The parcel is already in transit. */
  | 'ALREADY_IN_TRANSIT'
  /** The carrier refused the request. */
  | 'CARRIER_REFUSED'
  /** The carrier is temporarily unavailable and nothing was sent. Repeat the request later. */
  | 'CARRIER_UNAVAILABLE'
  /** The request was sent to the carrier, but the carrier did not confirm it. Repeat the request. */
  | 'CARRIER_UNREACHABLE'
  /** The idempotency key was used with another input. */
  | 'IDEMPOTENCY_CONFLICT'
  /** One or more fields of the input are invalid. See `fields`. */
  | 'INVALID_INPUT'
  /** The shipment's state does not allow booking, or Waybill cannot pass the booking on to its carrier. */
  | 'NOT_BOOKABLE'
  /** The account has no shipment, endpoint or delivery with this id. */
  | 'NOT_FOUND'
  /** The preferred shipping option is not offered for this request. */
  | 'OPTION_NOT_AVAILABLE'
  /** The price of the draft or of the option token is no longer valid. */
  | 'PRICE_EXPIRED'
  /** The account has as many drafts as it may have. */
  | 'QUOTA_EXCEEDED'
  /** No HS code was found for a description. */
  | 'UNCLASSIFIABLE';

/** A product of a carrier. Use its id as `preferredShippingOption`. */
export type Product = {
  readonly __typename?: 'Product';
  /** The carrier. */
  readonly carrier: Carrier;
  /** The numeric product id as text. */
  readonly id: Scalars['ID']['output'];
  /** The name of the product, such as "Priority". It is the name in the newest published version of the rate card, also for the prices of an earlier version. */
  readonly name: Scalars['String']['output'];
};

/** Reads and calculations. They change nothing. */
export type Query = {
  readonly __typename?: 'Query';
  /** For gateways: the entities with these keys, in the order of the representations. An entity that does not exist is null. An invalid representation is null and an entry of `errors`. */
  readonly _entities: ReadonlyArray<Maybe<_Entity>>;
  /** For gateways: this API as a subgraph of Apollo Federation 2. */
  readonly _service: _Service;
  /** A carrier. Null if `carriers` does not contain it. */
  readonly carrier?: Maybe<Carrier>;
  /** All carriers with products in the published rate cards, ordered by name. Rate cards of other accounts' contracts do not count. */
  readonly carriers: ReadonlyArray<Carrier>;
  /** HS codes for a description, most likely first. */
  readonly classify: ClassifyResult;
  /** What the customs data contain for each country, with the rules of today. */
  readonly customsCoverage: CustomsCoverageResult;
  /** The data of the customs documents for a parcel: CN 22 or CN 23, and H7 for the EU. Not available to publishable keys. */
  readonly customsDeclaration: CustomsDeclarationResult;
  /** Estimated import duties and taxes for goods on a route. */
  readonly dutiesEstimate: DutiesEstimateResult;
  /** A kept estimate of the account. Null if there is none with this id, or if it has expired. Not available to publishable keys. */
  readonly keptEstimate?: Maybe<KeptEstimate>;
  /** Shipping options, each with its duties and taxes and the total. Duties and taxes are calculated again for every option, so this query is more expensive than `rates`. */
  readonly landedCost: LandedCostResult;
  /** A product. Null if no published rate card has a product with this id, or only one of another account's contract. */
  readonly product?: Maybe<Product>;
  /** Shipping options of all carriers for a route and parcels, at the prices of the caller's account. */
  readonly rates: RatesResult;
  /** Several rates requests, priced with the same rate card versions. All requests without `asOf` use the same day. A fault in one request does not affect the others. Pass the inputs as a variable, because the length of a document is limited. */
  readonly ratesBatch: RatesBatchResult;
  /** The registrations of the account for schemes of sellers. The operator of the service adds them. Not available to publishable keys. */
  readonly sellerRegistrations: ReadonlyArray<SellerRegistration>;
  /** A shipment of the caller's account. Null if the account has no shipment with this id. */
  readonly shipment?: Maybe<Shipment>;
  /** The shipments of the caller's account, in pages. Use `first` and `after` to page forward, `last` and `before` to page backward. Invalid arguments are a top-level error with the code BAD_USER_INPUT, which lists every fault in `extensions.fields`. */
  readonly shipments: ShipmentConnection;
  /** An endpoint of the caller's account. Null if the account has no endpoint with this id. */
  readonly webhookEndpoint?: Maybe<WebhookEndpoint>;
  /** The endpoints that the events of the caller's account are sent to, oldest first, at most 10. An operator of the service adds endpoints. */
  readonly webhookEndpoints: ReadonlyArray<WebhookEndpoint>;
};


/** Reads and calculations. They change nothing. */
export type Query_EntitiesArgs = {
  representations: ReadonlyArray<Scalars['_Any']['input']>;
};


/** Reads and calculations. They change nothing. */
export type QueryCarrierArgs = {
  id: Scalars['ID']['input'];
};


/** Reads and calculations. They change nothing. */
export type QueryClassifyArgs = {
  answers?: InputMaybe<ReadonlyArray<ClassificationAnswerInput>>;
  description: Scalars['String']['input'];
  facts?: InputMaybe<GoodsFactsInput>;
  first?: InputMaybe<Scalars['Int']['input']>;
};


/** Reads and calculations. They change nothing. */
export type QueryCustomsCoverageArgs = {
  countries?: InputMaybe<ReadonlyArray<Scalars['CountryCode']['input']>>;
};


/** Reads and calculations. They change nothing. */
export type QueryCustomsDeclarationArgs = {
  input: CustomsDeclarationInput;
};


/** Reads and calculations. They change nothing. */
export type QueryDutiesEstimateArgs = {
  input: DutiesEstimateInput;
};


/** Reads and calculations. They change nothing. */
export type QueryKeptEstimateArgs = {
  id: Scalars['ID']['input'];
};


/** Reads and calculations. They change nothing. */
export type QueryLandedCostArgs = {
  input: LandedCostInput;
};


/** Reads and calculations. They change nothing. */
export type QueryProductArgs = {
  id: Scalars['ID']['input'];
};


/** Reads and calculations. They change nothing. */
export type QueryRatesArgs = {
  input: RatesInput;
};


/** Reads and calculations. They change nothing. */
export type QueryRatesBatchArgs = {
  inputs: ReadonlyArray<RatesInput>;
};


/** Reads and calculations. They change nothing. */
export type QueryShipmentArgs = {
  id: Scalars['ID']['input'];
};


/** Reads and calculations. They change nothing. */
export type QueryShipmentsArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  filter?: InputMaybe<ShipmentFilter>;
  first?: InputMaybe<Scalars['Int']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
  sort?: InputMaybe<ShipmentSort>;
};


/** Reads and calculations. They change nothing. */
export type QueryWebhookEndpointArgs = {
  id: Scalars['ID']['input'];
};

/** Marks the best option by one criterion, among the options that are returned. Each badge is given to one option. */
export type RateBadge =
  /** The best score, as defined for `RateSort.VALUE`. If scores are equal, the cheapest. */
  | 'BEST_VALUE'
  /** The lowest price. If prices are equal, the lowest product id. */
  | 'CHEAPEST'
  /** The lowest `maxWorkingDays`, then the lowest `minWorkingDays`. If both are equal, the cheapest. */
  | 'FASTEST';

/**
 * Which options to return. An option must match every field that is given. An unknown carrier or product causes an
 * `InputProblem`, not an empty result.
 */
export type RateFilter = {
  /** Only products of these carriers, such as ["rondeel"]. At most 100 ids. An empty list is no restriction. */
  readonly carrierIds?: InputMaybe<ReadonlyArray<Scalars['ID']['input']>>;
  /** The maximum price, such as { amount: "25.00" }, excluding VAT, with at most two decimals. Inclusive. */
  readonly maxPrice?: InputMaybe<MoneyInput>;
  /** The maximum of `transit.maxWorkingDays`, such as 3. 0 to 1000. Inclusive. */
  readonly maxWorkingDays?: InputMaybe<Scalars['Int']['input']>;
  /** Only these products, such as ["1201"]. At most 100 ids. An empty list is no restriction. */
  readonly productIds?: InputMaybe<ReadonlyArray<Scalars['ID']['input']>>;
};

/** A product with its price for this request and account. */
export type RateOption = {
  readonly __typename?: 'RateOption';
  /** The services that can be added to those of the request, one at a time, with the price that each adds. A service with slots has one entry for each slot. */
  readonly availableServices: ReadonlyArray<AvailableService>;
  /** The badges of this option. Most options have none. */
  readonly badges: ReadonlyArray<RateBadge>;
  /** The lines of the price. */
  readonly breakdown: ReadonlyArray<PriceLine>;
  /** The weights that the price is based on, one entry per parcel row. Not for publishable keys. */
  readonly chargeable: ReadonlyArray<ChargeableParcel>;
  /** The earliest day of delivery, at the destination: `transit.minWorkingDays` working days of the destination after `pickupDate`. An estimate, which takes weekends and national public holidays into account, but no customs clearance. Null if `pickupDate` is null or the public holidays of the destination are not known. */
  readonly earliestDelivery?: Maybe<Scalars['Date']['output']>;
  /** The latest day of delivery, at the destination: `transit.maxWorkingDays` working days of the destination after `pickupDate`. Null if `earliestDelivery` is null, or if the day is more than a year after `pickupDate`. */
  readonly latestDelivery?: Maybe<Scalars['Date']['output']>;
  /** The price in euro, excluding VAT, without the contract of the account. Null if no contract applies, if the product is only sold by contract, or for a publishable key. */
  readonly listPrice?: Maybe<Money>;
  /** The day, at the origin, on which the carrier picks up the shipment: the first of its pick-up days from `shippingDate` on that is no public holiday at the origin. If that day is today, the cut-off time of the product has not passed. Null if the public holidays of the origin are not known. */
  readonly pickupDate?: Maybe<Scalars['Date']['output']>;
  /** The price in euro, excluding VAT, including insurance and services if requested: the sum of `breakdown`. */
  readonly price: Money;
  /** The price in the currency of the rate card or in another one, and with the VAT of the transport, to show it at a checkout. `price` is what the account is charged. */
  readonly priceIn: ConvertedPrice;
  /** The product. Use its id as `preferredShippingOption`. */
  readonly product: Product;
  /** The version of the rate card that was used, such as "demo@1". */
  readonly rateCardVersion: Scalars['String']['output'];
  /** Proves the price to `createDraftShipment`, for 30 minutes or as long as the operator of the service has set. The text is opaque. It belongs to the account, the product and the request: route, parcels, insurance, recipient and services. */
  readonly token: Scalars['String']['output'];
  /** The transit time. */
  readonly transit: TransitTime;
};


/** A product with its price for this request and account. */
export type RateOptionPriceInArgs = {
  currency?: InputMaybe<Scalars['String']['input']>;
};

/** The products that are offered for a request, and those that are not. */
export type RateQuote = {
  readonly __typename?: 'RateQuote';
  /** Products that are not offered, with the reason. The filter does not apply to them. */
  readonly declined: ReadonlyArray<DeclinedProduct>;
  /** The number of options that do not match the filter. */
  readonly filteredOut: Scalars['Int']['output'];
  /** The options that match the filter, in the order of `sort`. */
  readonly options: ReadonlyArray<RateOption>;
  /** The versions of the rate cards that were used, such as ["demo@1"]. */
  readonly rateCardVersions: ReadonlyArray<Scalars['String']['output']>;
};

/** The order of options. Options that are equal are ordered by price, then by product id. */
export type RateSort =
  /** Cheapest first. */
  | 'PRICE'
  /** Fastest first: by `maxWorkingDays`, then by `minWorkingDays`. */
  | 'TRANSIT'
  /** Best value first. The score of an option is `price / lowest price + maxWorkingDays / lowest maxWorkingDays`, where 0 days count as 1, and the lowest score is best. Only options that are returned are compared. */
  | 'VALUE';

/** Results of several rates requests. */
export type RatesBatch = {
  readonly __typename?: 'RatesBatch';
  /** One result for each request, in the order of the requests. */
  readonly results: ReadonlyArray<RatesResult>;
};

/** The results of a batch, or the faults of the batch as a whole. */
export type RatesBatchResult = InputProblem | RatesBatch;

/** A route and the parcels to send. */
export type RatesInput = {
  /** Use the prices of the UTC day of this instant, such as "2026-11-21T09:30:00Z", including the contract, fuel percentages and seasonal surcharges. The earliest day depends on how long the service keeps rate cards, ten years by default. Not for publishable keys. Default: now. */
  readonly asOf?: InputMaybe<Scalars['DateTime']['input']>;
  /** Which options to return. Never changes a price. Default: all. */
  readonly filter?: InputMaybe<RateFilter>;
  /** Where the shipment is picked up. */
  readonly from: PlaceInput;
  /** If true, every price includes insurance. `totalValue` is then required. */
  readonly insured?: InputMaybe<Scalars['Boolean']['input']>;
  /** The parcels: boxes, documents or pallets. */
  readonly parcels: ParcelsInput;
  /** Who receives the shipment. Required for pallets. Default for boxes and documents: INDIVIDUAL. Prices for individuals are equal or higher, and products that serve businesses only are not offered to them. */
  readonly recipientType?: InputMaybe<RecipientType>;
  /** Services that every option must include, such as [{ service: SATURDAY }, { service: SIGNATURE }], at most 9, one entry for each. The order has no effect. Every price includes them; products that do not offer all of them for this request are in `declined`. */
  readonly services?: InputMaybe<ReadonlyArray<ServiceInput>>;
  /** The first day on which the shipment can be picked up, such as "2026-11-30": not in the past, and at most a year ahead. It determines `pickupDate` and the delivery dates of the options, and does not change prices. Default: today in the time zone of the origin's capital. */
  readonly shippingDate?: InputMaybe<Scalars['Date']['input']>;
  /** The order of the options. */
  readonly sort?: InputMaybe<RateSort>;
  /** Where it is delivered. */
  readonly to: PlaceInput;
  /** The value of the shipment, such as { amount: "250.00" }, with at most two decimals. */
  readonly totalValue?: InputMaybe<MoneyInput>;
};

/** A quote, or the faults of the input. */
export type RatesResult = InputProblem | RateQuote;

/** Who receives the shipment. Delivery to individuals may cost more. */
export type RecipientType =
  /** A company. */
  | 'BUSINESS'
  /** A private person. */
  | 'INDIVIDUAL';

/** How reliable a figure is. A data set that is older than two of its release cycles costs one grade. One that is overdue and older than two years makes figures LOW. */
export type Reliability =
  /** The text of the authority was read. */
  | 'HIGH'
  /** One source, general knowledge, an average, rates that differ by 5 percentage points or more, or an old data set. */
  | 'LOW'
  /** Two independent sources, or a figure of an authority that is overdue. */
  | 'MEDIUM';

/** What to send. */
export type ReplayWebhookInput = {
  /** The id of a delivery in the log of the endpoint, such as "1042". Its event and all later ones are sent again, unless its event has been sent again since, or still waits. Default: only the events that wait are sent. */
  readonly deliveryId?: InputMaybe<Scalars['ID']['input']>;
  /** The endpoint id, such as "whk_0123456789abcdef". */
  readonly endpointId: Scalars['ID']['input'];
};

/** The outcome of a replay. */
export type ReplayWebhookResult = InputProblem | WebhookNotFound | WebhookReplayed;

/** A rule that forbids or restricts shipping some of the goods. */
export type Restriction = {
  readonly __typename?: 'Restriction';
  /** The indexes of the items that the rule concerns, from 0. An embargo on all goods concerns all items. */
  readonly itemIndexes: ReadonlyArray<Scalars['Int']['output']>;
  /** The rule as in the data set. */
  readonly rule: RestrictionRule;
  /** How the rule limits the shipment. */
  readonly severity: RestrictionSeverity;
  /** The rule in one or two English sentences for a buyer. */
  readonly text: Scalars['String']['output'];
};

/** A rule on restricted goods, as in the data set. */
export type RestrictionRule = {
  readonly __typename?: 'RestrictionRule';
  /** The data set that contains the rule. Null if the data set has no description. */
  readonly dataSet?: Maybe<DataSet>;
  /** The name of the rule, such as "lithium-batteries". */
  readonly name: Scalars['String']['output'];
  /** The day on which the source was read. Null if it is not known. */
  readonly readOn?: Maybe<Scalars['Date']['output']>;
  /** How reliable the rule is. HIGH: the text of the authority was read. MEDIUM: two independent sources. LOW: one source or general knowledge. */
  readonly reliability: Reliability;
  /** The law, or the text that the rule was read from. Null if there is none. */
  readonly source?: Maybe<Scalars['String']['output']>;
  /** The first day on which the rule applies. Null if unknown. */
  readonly validFrom?: Maybe<Scalars['Date']['output']>;
  /** The first day on which the rule no longer applies. Null if no end is known. */
  readonly validTo?: Maybe<Scalars['Date']['output']>;
};

/** How a rule limits a shipment, the most severe first. */
export type RestrictionSeverity =
  /** Carriers do not accept the goods, or only as dangerous goods or with special packing. */
  | 'CARRIER_RESTRICTED'
  /** The goods are accepted under conditions, such as a notice before arrival or an adult recipient. */
  | 'CONDITIONS_APPLY'
  /** A licence, permit or certificate of an authority is needed. */
  | 'LICENCE_REQUIRED'
  /** The goods must not be sent or imported. */
  | 'PROHIBITED';

/** A figure that was used by a rule. */
export type RuleFigure = {
  readonly __typename?: 'RuleFigure';
  /** The name of the figure, such as "weight billed" or "row 1 units". Rows are numbered from 1. */
  readonly name: Scalars['String']['output'];
  /** The exact figure with its unit, such as "12.4 kg", "9.50 EUR" or "9.5%", or text. */
  readonly value: Scalars['String']['output'];
};

/** An estimate to keep. */
export type SaveEstimateInput = {
  /** The goods, their route, and the terms, as for `dutiesEstimate`. */
  readonly estimate: DutiesEstimateInput;
  /** Makes the request safe to repeat: 1 to 64 printable ASCII characters, such as the id of the order. As long as the estimate is kept, the same key with the same input returns it, and with another input `IdempotencyConflict`. */
  readonly idempotencyKey?: InputMaybe<Scalars['String']['input']>;
  /** Your own reference, such as "order 1042", at most 100 characters. It need not be unique. */
  readonly reference?: InputMaybe<Scalars['String']['input']>;
  /** The id of a shipment of the account that the goods are sent with, such as "shp_3kTMd9sXwq". */
  readonly shipmentId?: InputMaybe<Scalars['ID']['input']>;
};

/** The outcome of keeping an estimate. */
export type SaveEstimateResult = EstimateQuotaExceeded | EstimateSaved | IdempotencyConflict | InputProblem;

/** A warning that a given code does not match the description. It never changes an estimate. */
export type SecondOpinion = {
  readonly __typename?: 'SecondOpinion';
  /** The codes that match the description, most likely first, with the estimate for each. */
  readonly alternatives: ReadonlyArray<HsAlternative>;
  /** The estimated probability that the first alternative is correct, 0 to 1. */
  readonly confidence: Scalars['Float']['output'];
  /** Whether the heading differs, or only the subheading. */
  readonly level: SecondOpinionLevel;
  /** The warning as an English sentence. Programs should read `level`. */
  readonly message: Scalars['String']['output'];
};

/** How much a given code differs from the description. */
export type SecondOpinionLevel =
  /** The heading (first four digits) differs: the description is of other goods. */
  | 'HEADING'
  /** The heading is the same, but the subheading (fifth and sixth digits) differs, for example because of the material or use. */
  | 'SUBHEADING';

/** A registration of the account for a scheme. */
export type SellerRegistration = {
  readonly __typename?: 'SellerRegistration';
  /** The number that the authority has assigned. */
  readonly number: Scalars['String']['output'];
  /** The scheme, such as "IOSS", "VOEC" or "OVR". */
  readonly scheme: Scalars['String']['output'];
  /** The first day on which it is valid. Null if it has always been. */
  readonly validFrom?: Maybe<Scalars['Date']['output']>;
  /** The first day on which it is no longer valid. Null if it has no end. */
  readonly validTo?: Maybe<Scalars['Date']['output']>;
};

/** A scheme under which the seller collects the import tax at the checkout. */
export type SellerScheme = {
  readonly __typename?: 'SellerScheme';
  /** Why it is used. */
  readonly basis: SellerSchemeBasis;
  /** The scheme in words. */
  readonly name: Scalars['String']['output'];
  /** The scheme, such as "IOSS", "VOEC" or "OVR". */
  readonly scheme: Scalars['String']['output'];
};

/** Why a scheme is used for an estimate. */
export type SellerSchemeBasis =
  /** Neither the request nor a registration of the account decides. Most sellers are registered, or must be. */
  | 'ASSUMED'
  /** The account is registered for it. */
  | 'REGISTERED'
  /** The request names it in `importScheme`. */
  | 'REQUESTED';

/** A service that the sender chooses. Rate cards state which products offer it, on which routes and for what price. */
export type Service =
  /** Delivery against the signature of an adult. */
  | 'ADULT_SIGNATURE'
  /** The carrier arranges the time of delivery with the recipient. */
  | 'APPOINTMENT'
  /** The recipient pays for the goods on delivery. */
  | 'CASH_ON_DELIVERY'
  /** Transport of dangerous goods. */
  | 'DANGEROUS_GOODS'
  /** The sender pays the duties and taxes. The price of the service is the carrier's fee; the duties and taxes themselves are not part of it. */
  | 'DUTIES_PAID'
  /** Delivery on a Saturday. */
  | 'SATURDAY'
  /** Delivery against a signature. */
  | 'SIGNATURE'
  /** Delivery with a tail lift, for heavy freight without a ramp. */
  | 'TAIL_LIFT'
  /** Delivery in a time slot. */
  | 'TIME_SLOT';

/** A service of a request, with the input that it needs. */
export type ServiceInput = {
  /** What the carrier collects from the recipient. Only for CASH_ON_DELIVERY, and required there. */
  readonly cashOnDelivery?: InputMaybe<CashOnDeliveryInput>;
  /** The dangerous goods of the shipment, 1 to 10 entries. Only for DANGEROUS_GOODS, and required there. */
  readonly dangerousGoods?: InputMaybe<ReadonlyArray<DangerousGoodsInput>>;
  /** The service. */
  readonly service: Service;
  /** The slot of a delivery, such as "evening" or "08:00-10:00": one that `availableServices` lists. Only for TIME_SLOT and APPOINTMENT, and required if the rate card states slots. */
  readonly slot?: InputMaybe<Scalars['String']['input']>;
};

/** A field of `ServiceInput`. */
export type ServiceInputField =
  /** `cashOnDelivery`. */
  | 'CASH_ON_DELIVERY'
  /** `dangerousGoods`. */
  | 'DANGEROUS_GOODS'
  /** `slot`. It is the `slot` of the available service. */
  | 'SLOT';

/** A shipment of the caller's account. */
export type Shipment = {
  readonly __typename?: 'Shipment';
  /** When the shipment was booked, or imported as booked. Null if it was never booked. */
  readonly bookedAt?: Maybe<Scalars['DateTime']['output']>;
  /** The attempts to cancel the shipment at the carrier, oldest first. Empty if the shipment was cancelled as a draft, and for drafts. */
  readonly cancelAttempts: ReadonlyArray<CancelAttempt>;
  /** True if the shipment may still be cancelled. */
  readonly cancellable: Scalars['Boolean']['output'];
  /** When the shipment was cancelled. Null if it is not cancelled. */
  readonly cancelledAt?: Maybe<Scalars['DateTime']['output']>;
  /** The carrier. */
  readonly carrier: Carrier;
  /** The goods as they were declared when the draft was created. Empty if none were declared, and for imported shipments. */
  readonly contentItems: ReadonlyArray<ContentItem>;
  /** When the shipment was created. */
  readonly createdAt: Scalars['DateTime']['output'];
  /** When the last parcel was delivered, by the carrier's clock. Null in other states than DELIVERED. */
  readonly deliveredAt?: Maybe<Scalars['DateTime']['output']>;
  /** Where the shipment is picked up. */
  readonly from: Place;
  /** The shipment id. */
  readonly id: Scalars['ID']['output'];
  /** The parcels as they were given when the draft was created. Empty for imported shipments. */
  readonly parcels: ReadonlyArray<ShipmentParcel>;
  /** The attempt that the carrier has not confirmed yet. Null if there is none. A cancellation that waits for the shipment's booking is a pending attempt too, with 0 `sends`; it is not in `cancelAttempts`. */
  readonly pendingCancelAttempt?: Maybe<CancelAttempt>;
  /** The price in euro when the shipment was created, excluding VAT. */
  readonly price: Money;
  /** Until when the draft can be booked at `price`. Null unless the shipment is a draft, and for imported drafts. */
  readonly priceValidUntil?: Maybe<Scalars['DateTime']['output']>;
  /** The product. Null if no published rate card has it any more, or only one of another account's contract. */
  readonly product?: Maybe<Product>;
  /** Who receives the shipment. Null if it was not given, or if the contents of the draft were removed. */
  readonly recipient?: Maybe<Contact>;
  /** The account's own reference, from the creation of the draft or from the import. Null if none was given. Several shipments may have the same reference. */
  readonly reference?: Maybe<Scalars['String']['output']>;
  /** Who sends the shipment. Null if it was not given, or if the contents of the draft were removed. */
  readonly sender?: Maybe<Contact>;
  /** The services that the sender chose when the draft was created. The price includes them. Empty if there are none, and for imported shipments. */
  readonly services: ReadonlyArray<ShipmentService>;
  /** The state. */
  readonly state: ShipmentState;
  /** Where the shipment is delivered. */
  readonly to: Place;
  /** What happened to the shipment, in pages, oldest first: the changes of its state, and the scans of its carrier. For the newest events, use `last`. To follow events as they happen, use `GET /events`. Invalid arguments are a top-level error, as for `shipments`. */
  readonly trackingEvents: TrackingEventConnection;
  /** The carrier's tracking number. Null before booking. */
  readonly trackingNumber?: Maybe<Scalars['String']['output']>;
  /** All numbers of the carrier, `trackingNumber` first. Several if the carrier numbers each parcel. Empty before booking. */
  readonly trackingNumbers: ReadonlyArray<Scalars['String']['output']>;
  /** When the state, the carrier's numbers or the outcome of a cancellation last changed. Initially the time of creation, or of the import. */
  readonly updatedAt: Scalars['DateTime']['output'];
};


/** A shipment of the caller's account. */
export type ShipmentTrackingEventsArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
};

/** The shipment is booked. */
export type ShipmentBooked = {
  readonly __typename?: 'ShipmentBooked';
  /** True if the shipment was already booked before this request. */
  readonly alreadyBooked: Scalars['Boolean']['output'];
  /** The booked shipment, with its tracking number in `trackingNumber`. */
  readonly shipment: Shipment;
};

/** The shipment is cancelled. */
export type ShipmentCancelled = {
  readonly __typename?: 'ShipmentCancelled';
  /** True if the shipment was already cancelled before this request. */
  readonly alreadyCancelled: Scalars['Boolean']['output'];
  /** True if the shipment was cancelled at the carrier. False for drafts, and for carriers that do not support cancellation. */
  readonly carrierNotified: Scalars['Boolean']['output'];
  /** True if the label must be destroyed, because the carrier does not support cancellation and had not scanned the parcel. */
  readonly labelMustBeDestroyed: Scalars['Boolean']['output'];
  /** The outcome as an English sentence. */
  readonly message: Scalars['String']['output'];
  /** The cancelled shipment. If the operator has archived it, this field fails with the code SHIPMENT_ARCHIVED. */
  readonly shipment: Shipment;
};

/** A page of shipments. */
export type ShipmentConnection = {
  readonly __typename?: 'ShipmentConnection';
  /** The shipments of this page, each with its cursor. */
  readonly edges: ReadonlyArray<ShipmentEdge>;
  /** The shipments of this page: the nodes of `edges`. */
  readonly nodes: ReadonlyArray<Shipment>;
  /** The first and the last cursor of this page, and whether there are more pages. */
  readonly pageInfo: PageInfo;
  /** The number of shipments that match the filter, on all pages. Null if there are more than 10,000. */
  readonly totalCount?: Maybe<Scalars['Int']['output']>;
};

/** A shipment in a connection. */
export type ShipmentEdge = {
  readonly __typename?: 'ShipmentEdge';
  /** An opaque cursor, for `after` or `before` with the same `filter` and `sort`. */
  readonly cursor: Scalars['String']['output'];
  /** The shipment. */
  readonly node: Shipment;
};

/**
 * Which shipments to return. A shipment must match every field that is given. An empty list or text is no
 * restriction.
 */
export type ShipmentFilter = {
  /** Only shipments that were created before this time, such as "2026-12-01T00:00:00Z". */
  readonly createdBefore?: InputMaybe<Scalars['DateTime']['input']>;
  /** Only shipments that were created at or after this time, such as "2026-11-01T00:00:00Z". */
  readonly createdFrom?: InputMaybe<Scalars['DateTime']['input']>;
  /** Only shipments with these ids, such as ["demo-booked"], at most 100. Unknown ids are ignored. */
  readonly ids?: InputMaybe<ReadonlyArray<Scalars['ID']['input']>>;
  /** Only shipments with exactly this reference, such as "order 1042", at most 100 characters. Blanks at both ends are ignored. */
  readonly reference?: InputMaybe<Scalars['String']['input']>;
  /** Only shipments in these states. */
  readonly states?: InputMaybe<ReadonlyArray<ShipmentState>>;
};

/** The shipment is not booked: its state does not allow it, the carrier did not accept it, or Waybill cannot pass it on. */
export type ShipmentNotBooked = Problem & {
  readonly __typename?: 'ShipmentNotBooked';
  /** Why the carrier refused, in the carrier's words. Null if the carrier did not refuse. */
  readonly carrierReason?: Maybe<Scalars['String']['output']>;
  /** The carrier's own code for the refusal. With NOT_BOOKABLE: NOT_OFFERED if Waybill does not book with this carrier, SERVICE_NOT_OFFERED if it cannot pass on a service of the shipment. Otherwise null. */
  readonly carrierRefusalCode?: Maybe<Scalars['String']['output']>;
  /** NOT_BOOKABLE, CARRIER_REFUSED, CARRIER_UNREACHABLE or CARRIER_UNAVAILABLE. */
  readonly code: ProblemCode;
  /** The reason as an English sentence. */
  readonly message: Scalars['String']['output'];
  /** True if the carrier has not confirmed, or is unavailable. */
  readonly retryable: Scalars['Boolean']['output'];
  /** The shipment in its current state. */
  readonly shipment: Shipment;
};

/** The shipment is not cancelled: it is in transit, the carrier refused, or the carrier is unavailable. */
export type ShipmentNotCancelled = Problem & {
  readonly __typename?: 'ShipmentNotCancelled';
  /** Why the carrier refused, in the carrier's words. Null if the carrier did not refuse. */
  readonly carrierReason?: Maybe<Scalars['String']['output']>;
  /** ALREADY_IN_TRANSIT, CARRIER_REFUSED (also if the time for cancelling has passed) or CARRIER_UNAVAILABLE. */
  readonly code: ProblemCode;
  /** The reason as an English sentence. Includes the carrier's reason if it refused. */
  readonly message: Scalars['String']['output'];
  /** Why the carrier refused, as a code that is the same for all carriers. Null if the carrier did not refuse. */
  readonly refusalCode?: Maybe<CancelRefusalCode>;
  /** True for CARRIER_UNAVAILABLE only. */
  readonly retryable: Scalars['Boolean']['output'];
  /** The shipment in its current state. If the operator has archived it, this field fails with the code SHIPMENT_ARCHIVED. */
  readonly shipment: Shipment;
};

/** The caller's account has no shipment with this id. */
export type ShipmentNotFound = Problem & {
  readonly __typename?: 'ShipmentNotFound';
  /** NOT_FOUND. */
  readonly code: ProblemCode;
  /** The reason as an English sentence. It is the same if the shipment belongs to another account. */
  readonly message: Scalars['String']['output'];
  /** Always false. */
  readonly retryable: Scalars['Boolean']['output'];
};

/** A row of identical parcels of a shipment. */
export type ShipmentParcel = {
  readonly __typename?: 'ShipmentParcel';
  /** The number of units. */
  readonly count: Scalars['Int']['output'];
  /** The freight class, such as "77.5". Null if it was not stated. */
  readonly freightClass?: Maybe<Scalars['Decimal']['output']>;
  /** The height of one unit in whole centimetres. Null for documents. */
  readonly heightCm?: Maybe<Scalars['Int']['output']>;
  /** The length of one unit in whole centimetres. Null for documents. */
  readonly lengthCm?: Maybe<Scalars['Int']['output']>;
  /** What the parcels are packed in. Null if it was not stated. */
  readonly packaging?: Maybe<Packaging>;
  /** The shape. Null if it was not stated. */
  readonly shape?: Maybe<ParcelShape>;
  /** Whether other freight may be stacked on the pallet. Null if the row is not a pallet. */
  readonly stackable?: Maybe<Scalars['Boolean']['output']>;
  /** The type of the parcels. */
  readonly type: ParcelType;
  /** The weight of one unit. Null for documents without a stated weight. */
  readonly weight?: Maybe<Weight>;
  /** The width of one unit in whole centimetres. Null for documents. */
  readonly widthCm?: Maybe<Scalars['Int']['output']>;
};

/** A service that the sender chose, with its input. */
export type ShipmentService = {
  readonly __typename?: 'ShipmentService';
  /** What the carrier collects from the recipient. Null for other services, and for drafts of a former version of Waybill. */
  readonly cashOnDelivery?: Maybe<CollectedAmount>;
  /** The dangerous goods. Empty for other services, and for drafts of a former version of Waybill. */
  readonly dangerousGoods: ReadonlyArray<DangerousGoods>;
  /** The service. */
  readonly service: Service;
  /** The slot of the delivery, such as "evening". Null if there is none. */
  readonly slot?: Maybe<Scalars['String']['output']>;
};

/** The order of shipments. Shipments that were created at the same time are ordered by id. */
export type ShipmentSort =
  /** By time of creation, newest first. */
  | 'NEWEST'
  /** By time of creation, oldest first. */
  | 'OLDEST';

/** The state of a shipment. */
export type ShipmentState =
  /** Booked with the carrier. */
  | 'BOOKED'
  /** Cancelled. This is final. */
  | 'CANCELLED'
  /** All parcels are delivered. This is final. */
  | 'DELIVERED'
  /** Stored with a price, but not sent to the carrier. */
  | 'DRAFT'
  /** Picked up or scanned by the carrier. */
  | 'IN_TRANSIT';

/** A tariff quota: a lower duty for a limited quantity of goods. */
export type TariffQuota = {
  readonly __typename?: 'TariffQuota';
  /** The kind of quota, such as "Preferential tariff quota". */
  readonly name: Scalars['String']['output'];
  /** The order number of the quota. Null if it has none. */
  readonly orderNumber?: Maybe<Scalars['String']['output']>;
  /** The rate within the quota in percent. Null if it is not a percentage. */
  readonly ratePercent?: Maybe<Scalars['Decimal']['output']>;
  /** The published rule with the rate within the quota. */
  readonly rule: CustomsRule;
};

/** Who collects the amount of a line. */
export type TaxCollector =
  /** The post or the carrier, on delivery or with an invoice. */
  | 'CARRIER'
  /** Customs, from whoever files the declaration. */
  | 'CUSTOMS'
  /** The seller, with the price of the goods. */
  | 'SELLER_AT_CHECKOUT'
  /** Not known, because the request does not say how the goods are declared (`importScheme`). It is not the seller. */
  | 'UNKNOWN';

/** A tax on import. */
export type TaxCoverage = {
  readonly __typename?: 'TaxCoverage';
  /** True if the country levies the tax. Also true if no tax of the country is loaded. */
  readonly levied: Scalars['Boolean']['output'];
  /** The name of the tax, such as "Value added tax". */
  readonly name: Scalars['String']['output'];
  /** The standard rate in percent. Null if the country does not levy the tax, or if its rate is not loaded. */
  readonly ratePercent?: Maybe<Scalars['Decimal']['output']>;
};

/** The kind of a duty, fee or tax. */
export type TaxKind =
  /** Duty and taxes in one rate, such as the rate of China for cross-border e-commerce, or the flat rates of India, Mexico and Türkiye for small consignments. The lines of the taxes that it includes are zero. */
  | 'COMBINED'
  /** Customs duty, including additional duties such as safeguard and anti-dumping duties. */
  | 'DUTY'
  /** Excise duty. */
  | 'EXCISE'
  /** A fee of an authority for handling the import, such as a merchandise processing fee. */
  | 'FEE'
  /** Import GST (goods and services tax). */
  | 'GST'
  /** Import VAT (value added tax). */
  | 'VAT';

/** One duty, fee or tax on the goods of one code. */
export type TaxLine = {
  readonly __typename?: 'TaxLine';
  /** The amount in euro. */
  readonly amount: Money;
  /** The amount in euro that the rate is applied to: the customs value for most duties; the customs value, duties and some fees for most taxes. */
  readonly base: Money;
  /** Where the rate of a duty, or of a combined rate, comes from. Null for fees and taxes. */
  readonly basis?: Maybe<DutyBasis>;
  /** False if the amount could not be calculated, or is an average that does not count (`countAverages: false`). It is then zero. */
  readonly calculated: Scalars['Boolean']['output'];
  /** Who collects the amount. */
  readonly collectedBy: TaxCollector;
  /** The full text: the rate, its basis, assumptions, and the data set with its date; or why the amount is zero. */
  readonly description: Scalars['String']['output'];
  /** The calculation, such as "12% × EUR 200.00 = EUR 24.00". Amounts are in euro unless stated otherwise. Intermediate figures are shown rounded, but only the result is rounded in the calculation. Null if nothing was calculated. */
  readonly formula?: Maybe<Scalars['String']['output']>;
  /** The national commodity code (8 to 10 digits) if the code of the item has exactly one national line, otherwise the HS code. */
  readonly hsCode: Scalars['String']['output'];
  /** The items that the line applies to, each with its share of `amount`, in the order of the input. Lines are divided in proportion to customs value. Shares are in whole cents and add up to `amount`. */
  readonly items: ReadonlyArray<TaxedItem>;
  /** The kind of charge. */
  readonly kind: TaxKind;
  /** The amount in euro that is due at least, if the amount could not be calculated but a lower bound is known. It is not part of any total. Null otherwise. */
  readonly leastAmount?: Maybe<Money>;
  /** The name of the duty, fee or tax, such as "Value added tax". */
  readonly name: Scalars['String']['output'];
  /** The tariff quotas for these goods, whose rate may be lower than that of the line. The line never uses it, because it is not known whether a quota is open. Empty for lines other than the base duty or a preference, and if the tariff that is loaded has no quotas. */
  readonly quotas: ReadonlyArray<TariffQuota>;
  /** The rate in percent. Null if the charge is not a percentage of its base, such as a specific duty. */
  readonly ratePercent?: Maybe<Scalars['Decimal']['output']>;
  /** The range that the rate lies in. SUBHEADING: the rates of the national lines. GROUP_AVERAGE: the individual rates of the group. NOT_LOADED: the averages of the destination, which are no rates of these goods. A duty whose additional code is not given: the rates of all codes. Null if the rates are equal, or if no range is known. Specific rates, such as 9 EUR/100 kg, are not included. */
  readonly rateRange?: Maybe<PercentRange>;
  /** How reliable the amount is: the lowest of the rate, the spread of the rates that it was chosen from, the rule, the exchange rate, and the age of their data sets. LOW if the amount could not be calculated. */
  readonly reliability: Reliability;
  /** The published measure, tax, fee or low-value rule that was applied. If goods of several origins share the line, the rule for the first origin. Null if there is none. */
  readonly rule?: Maybe<CustomsRule>;
  /** One sentence for the buyer, at most 100 characters: the amount, the kind of charge and the reason that decides, such as "EUR 9.00 VAT: 9% of EUR 100.00" or "No duty: consignments up to GBP 135 are free". */
  readonly summary: Scalars['String']['output'];
};

/** One of the items that a tax line applies to. */
export type TaxedItem = {
  readonly __typename?: 'TaxedItem';
  /** The item's share of the amount of the line, in euro. */
  readonly amount: Money;
  /** The item as it was given. */
  readonly contentItem: ContentItem;
  /** The index of the item in the input, from 0. */
  readonly index: Scalars['Int']['output'];
};

/** A change of a shipment's state, or a scan of one of its parcels. */
export type TrackingEvent = {
  readonly __typename?: 'TrackingEvent';
  /** When it happened. For a scan or a delivery, this is the carrier's time. For a change of state, it is when the change was recorded, so a scan can be earlier than the state IN_TRANSIT that it caused. */
  readonly occurredAt: Scalars['DateTime']['output'];
  /** The carrier's number of the scanned or delivered parcel. Null for a change of state. */
  readonly trackingNumber?: Maybe<Scalars['String']['output']>;
  /** What happened. */
  readonly type: TrackingEventType;
};

/** A page of what happened to a shipment. */
export type TrackingEventConnection = {
  readonly __typename?: 'TrackingEventConnection';
  /** The events of this page, each with its cursor. */
  readonly edges: ReadonlyArray<TrackingEventEdge>;
  /** The events of this page: the nodes of `edges`. */
  readonly nodes: ReadonlyArray<TrackingEvent>;
  /** The first and the last cursor of this page, and whether there are more pages. */
  readonly pageInfo: PageInfo;
};

/** What happened to a shipment, in a connection. */
export type TrackingEventEdge = {
  readonly __typename?: 'TrackingEventEdge';
  /** An opaque cursor, for `after` or `before` with the same shipment. */
  readonly cursor: Scalars['String']['output'];
  /** The event. */
  readonly node: TrackingEvent;
};

/** What happened to a shipment. */
export type TrackingEventType =
  /** The carrier confirmed the booking. */
  | 'BOOKED'
  /** The shipment was cancelled. */
  | 'CANCELLED'
  /** The draft was created, or the shipment was registered. */
  | 'CREATED'
  /** The carrier delivered a parcel. The shipment is DELIVERED when this has happened to all its parcels. */
  | 'DELIVERED'
  /** The shipment became IN_TRANSIT because of a scan. */
  | 'IN_TRANSIT'
  /** The carrier scanned a parcel. */
  | 'SCANNED';

/** The transit time in working days. The day of dispatch is not counted. */
export type TransitTime = {
  readonly __typename?: 'TransitTime';
  /** The longest time, in working days. */
  readonly maxWorkingDays: Scalars['Int']['output'];
  /** The shortest time, in working days. */
  readonly minWorkingDays: Scalars['Int']['output'];
};

/** How the import VAT of goods sold to consumers in the EU is collected. */
export type VatCollection =
  /** By the seller or platform, under the import one-stop shop (IOSS). `iossNumber` is then required. */
  | 'IOSS'
  /** By the post or courier, under the special arrangements for declaration and payment. */
  | 'SPECIAL_ARRANGEMENTS'
  /** By customs, in the standard way. */
  | 'STANDARD';

/** One request that sent an event to an endpoint. An event that was sent again has several. */
export type WebhookDelivery = {
  readonly __typename?: 'WebhookDelivery';
  /** How long it took, in milliseconds. */
  readonly durationMs: Scalars['Int']['output'];
  /** When the delivery ended. */
  readonly endedAt: Scalars['DateTime']['output'];
  /** Why the delivery failed, as an English sentence. Null if the event was accepted. */
  readonly failure?: Maybe<Scalars['String']['output']>;
  /** The id of the delivery, for `replayWebhook`. */
  readonly id: Scalars['ID']['output'];
  /** The number of the event in the account: `data.sequence` of the event. */
  readonly sequence: Scalars['Int']['output'];
  /** The id of the event's shipment. Null if the event is no longer kept. */
  readonly shipmentId?: Maybe<Scalars['ID']['output']>;
  /** The HTTP status of the response. Null if there was none. */
  readonly status?: Maybe<Scalars['Int']['output']>;
  /** The type of the event, such as "shipment.booked". Null if the event is no longer kept. */
  readonly type?: Maybe<Scalars['String']['output']>;
};

/** A page of the log of an endpoint. */
export type WebhookDeliveryConnection = {
  readonly __typename?: 'WebhookDeliveryConnection';
  /** The deliveries of this page, each with its cursor. */
  readonly edges: ReadonlyArray<WebhookDeliveryEdge>;
  /** The deliveries of this page: the nodes of `edges`. */
  readonly nodes: ReadonlyArray<WebhookDelivery>;
  /** The first and the last cursor of this page, and whether there are more pages. */
  readonly pageInfo: PageInfo;
};

/** A delivery in a connection. */
export type WebhookDeliveryEdge = {
  readonly __typename?: 'WebhookDeliveryEdge';
  /** An opaque cursor, for `after` or `before` with the same endpoint. */
  readonly cursor: Scalars['String']['output'];
  /** The delivery. */
  readonly node: WebhookDelivery;
};

/** A URL that the events of an account are sent to. */
export type WebhookEndpoint = {
  readonly __typename?: 'WebhookEndpoint';
  /** When the endpoint was added. */
  readonly createdAt: Scalars['DateTime']['output'];
  /** The log: what was sent, in pages, newest first. Entries are kept as long as events are. Invalid arguments are a top-level error, as for `shipments`. */
  readonly deliveries: WebhookDeliveryConnection;
  /** The endpoint id. */
  readonly id: Scalars['ID']['output'];
  /** When the event that waits is sent again. Null, unless the state is FAILING. */
  readonly nextTryAt?: Maybe<Scalars['DateTime']['output']>;
  /** Whether events are accepted. */
  readonly state: WebhookEndpointState;
  /** The types of the events that are sent, such as "shipment.booked". Null if all are. */
  readonly types?: Maybe<ReadonlyArray<Scalars['String']['output']>>;
  /** Where events are sent. */
  readonly url: Scalars['String']['output'];
  /** The number of events that have not been sent, or not been accepted, including those of other types. */
  readonly waiting: Scalars['Int']['output'];
};


/** A URL that the events of an account are sent to. */
export type WebhookEndpointDeliveriesArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
};

/** Whether an endpoint accepts events. */
export type WebhookEndpointState =
  /** The last delivery was accepted, or there was none. */
  | 'ACTIVE'
  /** No delivery was accepted for three days, so nothing is sent until `replayWebhook`. */
  | 'DISABLED'
  /** The last delivery failed. Its event is sent again. */
  | 'FAILING';

/** The caller's account has no endpoint with this id, or the endpoint has no delivery with this id. */
export type WebhookNotFound = Problem & {
  readonly __typename?: 'WebhookNotFound';
  /** NOT_FOUND. */
  readonly code: ProblemCode;
  /** The reason as an English sentence. It is the same for an endpoint of another account. */
  readonly message: Scalars['String']['output'];
  /** Always false. */
  readonly retryable: Scalars['Boolean']['output'];
};

/** The endpoint is enabled, and its events are sent as soon as possible. */
export type WebhookReplayed = {
  readonly __typename?: 'WebhookReplayed';
  /** True if the event of the delivery had already been sent again, so that nothing was changed. */
  readonly alreadyReplayed: Scalars['Boolean']['output'];
  /** The endpoint after the request. */
  readonly endpoint: WebhookEndpoint;
};

/** A day of the week. */
export type Weekday =
  /** Friday. */
  | 'FRIDAY'
  /** Monday. */
  | 'MONDAY'
  /** Saturday. */
  | 'SATURDAY'
  /** Sunday. */
  | 'SUNDAY'
  /** Thursday. */
  | 'THURSDAY'
  /** Tuesday. */
  | 'TUESDAY'
  /** Wednesday. */
  | 'WEDNESDAY';

/** A weight. */
export type Weight = {
  readonly __typename?: 'Weight';
  /** Kilograms with at most three decimals, such as "12.4". */
  readonly kilograms: Scalars['Decimal']['output'];
};

/** A type that a gateway can load by its key. */
export type _Entity = Carrier | Product | Shipment;

/** This API as a subgraph. */
export type _Service = {
  readonly __typename?: '_Service';
  /** The schema in the GraphQL schema definition language, with the directives of Apollo Federation. */
  readonly sdl: Scalars['String']['output'];
};

/** What a specification is for. */
export type Link__Purpose =
  /** Required to execute the schema correctly. */
  | 'EXECUTION'
  /** Required for the security of the schema. */
  | 'SECURITY';



export type ResolverTypeWrapper<T> = Promise<T> | T;


export type ResolverWithResolve<TResult, TParent, TContext, TArgs> = {
  resolve: ResolverFn<TResult, TParent, TContext, TArgs>;
};
export type Resolver<TResult, TParent = Record<PropertyKey, never>, TContext = Record<PropertyKey, never>, TArgs = Record<PropertyKey, never>> = ResolverFn<TResult, TParent, TContext, TArgs> | ResolverWithResolve<TResult, TParent, TContext, TArgs>;

export type ResolverFn<TResult, TParent, TContext, TArgs> = (
  parent: TParent,
  args: TArgs,
  context: TContext,
  info: GraphQLResolveInfo
) => Promise<TResult> | TResult;

export type SubscriptionSubscribeFn<TResult, TParent, TContext, TArgs> = (
  parent: TParent,
  args: TArgs,
  context: TContext,
  info: GraphQLResolveInfo
) => AsyncIterable<TResult> | Promise<AsyncIterable<TResult>>;

export type SubscriptionResolveFn<TResult, TParent, TContext, TArgs> = (
  parent: TParent,
  args: TArgs,
  context: TContext,
  info: GraphQLResolveInfo
) => TResult | Promise<TResult>;

export interface SubscriptionSubscriberObject<TResult, TKey extends string, TParent, TContext, TArgs> {
  subscribe: SubscriptionSubscribeFn<{ [key in TKey]: TResult }, TParent, TContext, TArgs>;
  resolve?: SubscriptionResolveFn<TResult, { [key in TKey]: TResult }, TContext, TArgs>;
}

export interface SubscriptionResolverObject<TResult, TParent, TContext, TArgs> {
  subscribe: SubscriptionSubscribeFn<any, TParent, TContext, TArgs>;
  resolve: SubscriptionResolveFn<TResult, any, TContext, TArgs>;
}

export type SubscriptionObject<TResult, TKey extends string, TParent, TContext, TArgs> =
  | SubscriptionSubscriberObject<TResult, TKey, TParent, TContext, TArgs>
  | SubscriptionResolverObject<TResult, TParent, TContext, TArgs>;

export type SubscriptionResolver<TResult, TKey extends string, TParent = Record<PropertyKey, never>, TContext = Record<PropertyKey, never>, TArgs = Record<PropertyKey, never>> =
  | ((...args: any[]) => SubscriptionObject<TResult, TKey, TParent, TContext, TArgs>)
  | SubscriptionObject<TResult, TKey, TParent, TContext, TArgs>;

export type TypeResolveFn<TTypes, TParent = Record<PropertyKey, never>, TContext = Record<PropertyKey, never>> = (
  parent: TParent,
  context: TContext,
  info: GraphQLResolveInfo
) => Maybe<TTypes> | Promise<Maybe<TTypes>>;

export type IsTypeOfResolverFn<T = Record<PropertyKey, never>, TContext = Record<PropertyKey, never>> = (obj: T, context: TContext, info: GraphQLResolveInfo) => boolean | Promise<boolean>;

export type NextResolverFn<T> = () => Promise<T>;

export type DirectiveResolverFn<TResult = Record<PropertyKey, never>, TParent = Record<PropertyKey, never>, TContext = Record<PropertyKey, never>, TArgs = Record<PropertyKey, never>> = (
  next: NextResolverFn<TResult>,
  parent: TParent,
  args: TArgs,
  context: TContext,
  info: GraphQLResolveInfo
) => TResult | Promise<TResult>;



/** Mapping of union types */
export type ResolversUnionTypes<_RefType extends Record<string, unknown>> = {
  BookShipmentResult:
    | ( Omit<Omit<DraftPriceExpired, 'shipment'> & { shipment: _RefType['Shipment'] }, 'shipment'> & { readonly shipmentId: string } & { __typename: 'DraftPriceExpired' } )
    | ( Omit<Omit<ShipmentBooked, 'shipment'> & { shipment: _RefType['Shipment'] }, 'shipment'> & { readonly shipmentId: string } & { __typename: 'ShipmentBooked' } )
    | ( Omit<Omit<ShipmentNotBooked, 'shipment'> & { shipment: _RefType['Shipment'] }, 'shipment'> & { readonly shipmentId: string } & { __typename: 'ShipmentNotBooked' } )
    | ( ShipmentNotFound & { __typename: 'ShipmentNotFound' } )
  ;
  CancelShipmentResult:
    | ( Omit<Omit<CancellationPending, 'shipment'> & { shipment: _RefType['Shipment'] }, 'shipment' | 'parcels'> & { readonly shipmentId: string } & { __typename: 'CancellationPending' } )
    | ( Omit<Omit<ShipmentCancelled, 'shipment'> & { shipment: _RefType['Shipment'] }, 'shipment'> & { readonly shipmentId: string } & { __typename: 'ShipmentCancelled' } )
    | ( Omit<Omit<ShipmentNotCancelled, 'shipment'> & { shipment: _RefType['Shipment'] }, 'shipment'> & { readonly shipmentId: string } & { __typename: 'ShipmentNotCancelled' } )
    | ( ShipmentNotFound & { __typename: 'ShipmentNotFound' } )
  ;
  ClassifyResult:
    | ( Omit<HsCandidates, 'questions'> & import('./presenters/parents.ts').CandidatesParent & { __typename: 'HsCandidates' } )
    | ( InputProblem & { __typename: 'InputProblem' } )
  ;
  CreateCheckoutTokenResult:
    | ( CheckoutToken & { __typename: 'CheckoutToken' } )
    | ( InputProblem & { __typename: 'InputProblem' } )
  ;
  CreateDraftShipmentResult:
    | ( DraftQuotaExceeded & { __typename: 'DraftQuotaExceeded' } )
    | ( Omit<Omit<DraftShipmentCreated, 'shipment'> & { shipment: _RefType['Shipment'] }, 'shipment'> & { readonly shipmentId: string } & { __typename: 'DraftShipmentCreated' } )
    | ( IdempotencyConflict & { __typename: 'IdempotencyConflict' } )
    | ( InputProblem & { __typename: 'InputProblem' } )
    | ( Omit<OptionExpired, 'currentToken' | 'currentPriceIn'> & import('./presenters/parents.ts').ExpiredParent & { __typename: 'OptionExpired' } )
    | ( Omit<OptionNotAvailable, 'declined'> & { declined?: Maybe<_RefType['DeclinedProduct']> } & { __typename: 'OptionNotAvailable' } )
  ;
  CustomsCoverageResult:
    | ( CustomsCoverage & { __typename: 'CustomsCoverage' } )
    | ( InputProblem & { __typename: 'InputProblem' } )
  ;
  CustomsDeclarationResult:
    | ( CustomsDeclaration & { __typename: 'CustomsDeclaration' } )
    | ( InputProblem & { __typename: 'InputProblem' } )
  ;
  DutiesEstimateResult:
    | ( Omit<Omit<DutiesEstimate, 'items' | 'taxes' | 'underOtherScheme'> & { items: ReadonlyArray<_RefType['ItemEstimate']>, taxes: ReadonlyArray<_RefType['TaxLine']>, underOtherScheme?: Maybe<_RefType['OtherSchemeEstimate']> }, 'taxes' | 'items' | 'reliability' | 'range' | 'restrictions' | 'underOtherScheme'> & import('./presenters/parents.ts').EstimateParent & { __typename: 'DutiesEstimate' } )
    | ( InputProblem & { __typename: 'InputProblem' } )
  ;
  LandedCostResult:
    | ( InputProblem & { __typename: 'InputProblem' } )
    | ( Omit<Omit<LandedCost, 'declined' | 'options'> & { declined: ReadonlyArray<_RefType['DeclinedProduct']>, options: ReadonlyArray<_RefType['LandedCostOption']> }, 'options' | 'restrictions' | 'declined'> & import('./presenters/parents.ts').LandedCostParent & { __typename: 'LandedCost' } )
  ;
  RatesBatchResult:
    | ( InputProblem & { __typename: 'InputProblem' } )
    | ( Omit<RatesBatch, 'results'> & { results: ReadonlyArray<_RefType['RatesResult']> } & { __typename: 'RatesBatch' } )
  ;
  RatesResult:
    | ( InputProblem & { __typename: 'InputProblem' } )
    | ( Omit<Omit<RateQuote, 'declined' | 'options'> & { declined: ReadonlyArray<_RefType['DeclinedProduct']>, options: ReadonlyArray<_RefType['RateOption']> }, 'options' | 'declined'> & import('./presenters/parents.ts').QuoteParent & { __typename: 'RateQuote' } )
  ;
  ReplayWebhookResult:
    | ( InputProblem & { __typename: 'InputProblem' } )
    | ( WebhookNotFound & { __typename: 'WebhookNotFound' } )
    | ( Omit<WebhookReplayed, 'endpoint'> & { endpoint: _RefType['WebhookEndpoint'] } & { __typename: 'WebhookReplayed' } )
  ;
  SaveEstimateResult:
    | ( EstimateQuotaExceeded & { __typename: 'EstimateQuotaExceeded' } )
    | ( EstimateSaved & { __typename: 'EstimateSaved' } )
    | ( IdempotencyConflict & { __typename: 'IdempotencyConflict' } )
    | ( InputProblem & { __typename: 'InputProblem' } )
  ;
  _Entity:
    | ( Omit<Omit<Carrier, 'products'> & { products: ReadonlyArray<_RefType['Product']> }, 'products'> & { __typename: 'Carrier' } )
    | ( Omit<Product, 'carrier'> & { carrier: _RefType['Carrier'] } & { __typename: 'Product' } )
    | ( Omit<Omit<Shipment, 'carrier' | 'product'> & { carrier: _RefType['Carrier'], product?: Maybe<_RefType['Product']> }, 'carrier' | 'product' | 'parcels' | 'contentItems' | 'priceValidUntil' | 'trackingEvents' | 'cancelAttempts' | 'pendingCancelAttempt'> & { readonly carrierCode: string; readonly productId: number; readonly rateCardVersion: { readonly code: string; readonly versionNo: number } | undefined; readonly cancelRequestedAt: string | undefined } & { __typename: 'Shipment' } )
  ;
};

/** Mapping of interface types */
export type ResolversInterfaceTypes<_RefType extends Record<string, unknown>> = {
  Problem:
    | ( Omit<Omit<DraftPriceExpired, 'shipment'> & { shipment: _RefType['Shipment'] }, 'shipment'> & { readonly shipmentId: string } )
    | ( DraftQuotaExceeded )
    | ( EstimateQuotaExceeded )
    | ( IdempotencyConflict )
    | ( InputProblem )
    | ( Omit<OptionExpired, 'currentToken' | 'currentPriceIn'> & import('./presenters/parents.ts').ExpiredParent )
    | ( Omit<OptionNotAvailable, 'declined'> & { declined?: Maybe<_RefType['DeclinedProduct']> } )
    | ( Omit<Omit<ShipmentNotBooked, 'shipment'> & { shipment: _RefType['Shipment'] }, 'shipment'> & { readonly shipmentId: string } )
    | ( Omit<Omit<ShipmentNotCancelled, 'shipment'> & { shipment: _RefType['Shipment'] }, 'shipment'> & { readonly shipmentId: string } )
    | ( ShipmentNotFound )
    | ( WebhookNotFound )
  ;
};

/** Mapping between all available schema types and the resolvers types */
export type ResolversTypes = {
  AlternativeEstimate: ResolverTypeWrapper<Omit<Omit<AlternativeEstimate, 'taxes'> & { taxes: ReadonlyArray<ResolversTypes['TaxLine']> }, 'taxes'> & import('./presenters/parents.ts').VariantParent>;
  AppliedRule: ResolverTypeWrapper<AppliedRule>;
  AvailableService: ResolverTypeWrapper<Omit<AvailableService, 'priceIn'> & import('./presenters/parents.ts').ServiceParent>;
  BookShipmentInput: BookShipmentInput;
  BookShipmentResult: ResolverTypeWrapper<ResolversUnionTypes<ResolversTypes>['BookShipmentResult']>;
  Boolean: ResolverTypeWrapper<Scalars['Boolean']['output']>;
  BoxInput: BoxInput;
  CancelAttempt: ResolverTypeWrapper<CancelAttempt>;
  CancelAttemptOutcome: CancelAttemptOutcome;
  CancelAttemptSettledBy: CancelAttemptSettledBy;
  CancelRefusalCode: CancelRefusalCode;
  CancelShipmentInput: CancelShipmentInput;
  CancelShipmentResult: ResolverTypeWrapper<ResolversUnionTypes<ResolversTypes>['CancelShipmentResult']>;
  CancellationPending: ResolverTypeWrapper<Omit<Omit<CancellationPending, 'shipment'> & { shipment: ResolversTypes['Shipment'] }, 'shipment' | 'parcels'> & { readonly shipmentId: string }>;
  Carrier: ResolverTypeWrapper<Omit<Omit<Carrier, 'products'> & { products: ReadonlyArray<ResolversTypes['Product']> }, 'products'>>;
  CashOnDeliveryInput: CashOnDeliveryInput;
  ChapterCoverage: ResolverTypeWrapper<ChapterCoverage>;
  ChargeableParcel: ResolverTypeWrapper<ChargeableParcel>;
  CheckoutToken: ResolverTypeWrapper<CheckoutToken>;
  Classification: ResolverTypeWrapper<Omit<Omit<Classification, 'alternatives' | 'secondOpinion'> & { alternatives: ReadonlyArray<ResolversTypes['HsAlternative']>, secondOpinion?: Maybe<ResolversTypes['SecondOpinion']> }, 'secondOpinion' | 'alternatives' | 'openQuestions'> & import('./presenters/parents.ts').ClassificationParent>;
  ClassificationAnswerInput: ClassificationAnswerInput;
  ClassificationOption: ResolverTypeWrapper<ClassificationOption>;
  ClassificationQuestion: ResolverTypeWrapper<ClassificationQuestion>;
  ClassificationSource: ClassificationSource;
  ClassifyResult: ResolverTypeWrapper<ResolversUnionTypes<ResolversTypes>['ClassifyResult']>;
  ClearanceFee: ResolverTypeWrapper<ClearanceFee>;
  CollectedAmount: ResolverTypeWrapper<CollectedAmount>;
  Contact: ResolverTypeWrapper<Contact>;
  ContactInput: ContactInput;
  ContentItem: ResolverTypeWrapper<ContentItem>;
  ContentItemInput: ContentItemInput;
  ConvertedPrice: ResolverTypeWrapper<ConvertedPrice>;
  CountryCode: ResolverTypeWrapper<Scalars['CountryCode']['output']>;
  CountryCoverage: ResolverTypeWrapper<CountryCoverage>;
  CreateCheckoutTokenInput: CreateCheckoutTokenInput;
  CreateCheckoutTokenResult: ResolverTypeWrapper<ResolversUnionTypes<ResolversTypes>['CreateCheckoutTokenResult']>;
  CreateDraftShipmentInput: CreateDraftShipmentInput;
  CreateDraftShipmentResult: ResolverTypeWrapper<ResolversUnionTypes<ResolversTypes>['CreateDraftShipmentResult']>;
  CurrencyCode: CurrencyCode;
  CustomsCoverage: ResolverTypeWrapper<CustomsCoverage>;
  CustomsCoverageResult: ResolverTypeWrapper<ResolversUnionTypes<ResolversTypes>['CustomsCoverageResult']>;
  CustomsDeclaration: ResolverTypeWrapper<CustomsDeclaration>;
  CustomsDeclarationInput: CustomsDeclarationInput;
  CustomsDeclarationResult: ResolverTypeWrapper<ResolversUnionTypes<ResolversTypes>['CustomsDeclarationResult']>;
  CustomsRule: ResolverTypeWrapper<CustomsRule>;
  DangerousGoods: ResolverTypeWrapper<DangerousGoods>;
  DangerousGoodsInput: DangerousGoodsInput;
  DataSet: ResolverTypeWrapper<DataSet>;
  Date: ResolverTypeWrapper<Scalars['Date']['output']>;
  DateTime: ResolverTypeWrapper<Scalars['DateTime']['output']>;
  Decimal: ResolverTypeWrapper<Scalars['Decimal']['output']>;
  DeclarationDocument: DeclarationDocument;
  DeclarationField: ResolverTypeWrapper<DeclarationField>;
  DeclarationItemInput: DeclarationItemInput;
  DeclaredItem: ResolverTypeWrapper<DeclaredItem>;
  DeclineCode: DeclineCode;
  DeclinedProduct: ResolverTypeWrapper<Omit<DeclinedProduct, 'product'> & { product: ResolversTypes['Product'] }>;
  DeliveryTerms: DeliveryTerms;
  DescriptionProblem: ResolverTypeWrapper<DescriptionProblem>;
  DescriptionProblemCode: DescriptionProblemCode;
  DocumentInput: DocumentInput;
  DraftPriceExpired: ResolverTypeWrapper<Omit<Omit<DraftPriceExpired, 'shipment'> & { shipment: ResolversTypes['Shipment'] }, 'shipment'> & { readonly shipmentId: string }>;
  DraftQuotaExceeded: ResolverTypeWrapper<DraftQuotaExceeded>;
  DraftShipmentCreated: ResolverTypeWrapper<Omit<Omit<DraftShipmentCreated, 'shipment'> & { shipment: ResolversTypes['Shipment'] }, 'shipment'> & { readonly shipmentId: string }>;
  DutiesEstimate: ResolverTypeWrapper<Omit<Omit<DutiesEstimate, 'items' | 'taxes' | 'underOtherScheme'> & { items: ReadonlyArray<ResolversTypes['ItemEstimate']>, taxes: ReadonlyArray<ResolversTypes['TaxLine']>, underOtherScheme?: Maybe<ResolversTypes['OtherSchemeEstimate']> }, 'taxes' | 'items' | 'reliability' | 'range' | 'restrictions' | 'underOtherScheme'> & import('./presenters/parents.ts').EstimateParent>;
  DutiesEstimateInput: DutiesEstimateInput;
  DutiesEstimateResult: ResolverTypeWrapper<ResolversUnionTypes<ResolversTypes>['DutiesEstimateResult']>;
  DutyBasis: DutyBasis;
  EstimateQuotaExceeded: ResolverTypeWrapper<EstimateQuotaExceeded>;
  EstimateRange: ResolverTypeWrapper<EstimateRange>;
  EstimateSaved: ResolverTypeWrapper<EstimateSaved>;
  ExchangeRate: ResolverTypeWrapper<ExchangeRate>;
  FieldProblem: ResolverTypeWrapper<FieldProblem>;
  FieldProblemCode: FieldProblemCode;
  Float: ResolverTypeWrapper<Scalars['Float']['output']>;
  GoodsFacts: ResolverTypeWrapper<GoodsFacts>;
  GoodsFactsInput: GoodsFactsInput;
  H7Declaration: ResolverTypeWrapper<H7Declaration>;
  HazardClass: HazardClass;
  HsAlternative: ResolverTypeWrapper<Omit<Omit<HsAlternative, 'estimate'> & { estimate: ResolversTypes['AlternativeEstimate'] }, 'estimate'> & import('./presenters/parents.ts').AlternativeParent>;
  HsCandidate: ResolverTypeWrapper<HsCandidate>;
  HsCandidates: ResolverTypeWrapper<Omit<HsCandidates, 'questions'> & import('./presenters/parents.ts').CandidatesParent>;
  HsProposal: ResolverTypeWrapper<HsProposal>;
  ID: ResolverTypeWrapper<Scalars['ID']['output']>;
  IdempotencyConflict: ResolverTypeWrapper<IdempotencyConflict>;
  ImportScheme: ImportScheme;
  InputProblem: ResolverTypeWrapper<InputProblem>;
  Int: ResolverTypeWrapper<Scalars['Int']['output']>;
  ItemCategory: ItemCategory;
  ItemEstimate: ResolverTypeWrapper<Omit<Omit<ItemEstimate, 'classification' | 'taxes'> & { classification?: Maybe<ResolversTypes['Classification']>, taxes: ReadonlyArray<ResolversTypes['ItemTax']> }, 'contentItem' | 'classification' | 'total' | 'taxes'> & import('./presenters/parents.ts').ItemParent>;
  ItemQuantity: ResolverTypeWrapper<ItemQuantity>;
  ItemQuantityInput: ItemQuantityInput;
  ItemTax: ResolverTypeWrapper<Omit<Omit<ItemTax, 'line'> & { line: ResolversTypes['TaxLine'] }, 'line'> & import('./presenters/parents.ts').ItemTaxParent>;
  KeptEstimate: ResolverTypeWrapper<KeptEstimate>;
  KeptTaxLine: ResolverTypeWrapper<KeptTaxLine>;
  LandedCost: ResolverTypeWrapper<Omit<Omit<LandedCost, 'declined' | 'options'> & { declined: ReadonlyArray<ResolversTypes['DeclinedProduct']>, options: ReadonlyArray<ResolversTypes['LandedCostOption']> }, 'options' | 'restrictions' | 'declined'> & import('./presenters/parents.ts').LandedCostParent>;
  LandedCostInput: LandedCostInput;
  LandedCostOption: ResolverTypeWrapper<Omit<Omit<LandedCostOption, 'duties' | 'rateOption'> & { duties: ResolversTypes['DutiesEstimate'], rateOption: ResolversTypes['RateOption'] }, 'range'> & import('./presenters/parents.ts').LandedOptionParent>;
  LandedCostPayment: ResolverTypeWrapper<LandedCostPayment>;
  LandedCostResult: ResolverTypeWrapper<ResolversUnionTypes<ResolversTypes>['LandedCostResult']>;
  LimitUnit: LimitUnit;
  MissingField: ResolverTypeWrapper<MissingField>;
  MissingPriceFact: MissingPriceFact;
  Money: ResolverTypeWrapper<Money>;
  MoneyInput: MoneyInput;
  Mutation: ResolverTypeWrapper<Record<PropertyKey, never>>;
  OptionExpired: ResolverTypeWrapper<Omit<OptionExpired, 'currentToken' | 'currentPriceIn'> & import('./presenters/parents.ts').ExpiredParent>;
  OptionNotAvailable: ResolverTypeWrapper<Omit<OptionNotAvailable, 'declined'> & { declined?: Maybe<ResolversTypes['DeclinedProduct']> }>;
  OtherSchemeEstimate: ResolverTypeWrapper<Omit<Omit<OtherSchemeEstimate, 'taxes'> & { taxes: ReadonlyArray<ResolversTypes['TaxLine']> }, 'taxes'> & import('./presenters/parents.ts').VariantParent>;
  Packaging: Packaging;
  PackingGroup: PackingGroup;
  PageInfo: ResolverTypeWrapper<PageInfo>;
  PalletInput: PalletInput;
  ParcelCancellation: ResolverTypeWrapper<ParcelCancellation>;
  ParcelShape: ParcelShape;
  ParcelType: ParcelType;
  ParcelsInput: ParcelsInput;
  PaymentMoment: PaymentMoment;
  PaymentParty: PaymentParty;
  PaymentPurpose: PaymentPurpose;
  PercentRange: ResolverTypeWrapper<PercentRange>;
  Place: ResolverTypeWrapper<Place>;
  PlaceInput: PlaceInput;
  PostalForm: PostalForm;
  PriceLine: ResolverTypeWrapper<Omit<PriceLine, 'rule'> & import('./presenters/parents.ts').PriceLineParent>;
  PriceLineKind: PriceLineKind;
  Problem: ResolverTypeWrapper<ResolversInterfaceTypes<ResolversTypes>['Problem']>;
  ProblemCode: ProblemCode;
  Product: ResolverTypeWrapper<Omit<Product, 'carrier'> & { carrier: ResolversTypes['Carrier'] }>;
  Query: ResolverTypeWrapper<Record<PropertyKey, never>>;
  RateBadge: RateBadge;
  RateFilter: RateFilter;
  RateOption: ResolverTypeWrapper<Omit<Omit<RateOption, 'availableServices' | 'breakdown' | 'product'> & { availableServices: ReadonlyArray<ResolversTypes['AvailableService']>, breakdown: ReadonlyArray<ResolversTypes['PriceLine']>, product: ResolversTypes['Product'] }, 'token' | 'breakdown' | 'chargeable' | 'priceIn' | 'availableServices' | 'pickupDate' | 'earliestDelivery' | 'latestDelivery'> & import('./presenters/parents.ts').OptionParent>;
  RateQuote: ResolverTypeWrapper<Omit<Omit<RateQuote, 'declined' | 'options'> & { declined: ReadonlyArray<ResolversTypes['DeclinedProduct']>, options: ReadonlyArray<ResolversTypes['RateOption']> }, 'options' | 'declined'> & import('./presenters/parents.ts').QuoteParent>;
  RateSort: RateSort;
  RatesBatch: ResolverTypeWrapper<Omit<RatesBatch, 'results'> & { results: ReadonlyArray<ResolversTypes['RatesResult']> }>;
  RatesBatchResult: ResolverTypeWrapper<ResolversUnionTypes<ResolversTypes>['RatesBatchResult']>;
  RatesInput: RatesInput;
  RatesResult: ResolverTypeWrapper<ResolversUnionTypes<ResolversTypes>['RatesResult']>;
  RecipientType: RecipientType;
  Reliability: Reliability;
  ReplayWebhookInput: ReplayWebhookInput;
  ReplayWebhookResult: ResolverTypeWrapper<ResolversUnionTypes<ResolversTypes>['ReplayWebhookResult']>;
  Restriction: ResolverTypeWrapper<Restriction>;
  RestrictionRule: ResolverTypeWrapper<RestrictionRule>;
  RestrictionSeverity: RestrictionSeverity;
  RuleFigure: ResolverTypeWrapper<RuleFigure>;
  SaveEstimateInput: SaveEstimateInput;
  SaveEstimateResult: ResolverTypeWrapper<ResolversUnionTypes<ResolversTypes>['SaveEstimateResult']>;
  SecondOpinion: ResolverTypeWrapper<Omit<SecondOpinion, 'alternatives'> & { alternatives: ReadonlyArray<ResolversTypes['HsAlternative']> }>;
  SecondOpinionLevel: SecondOpinionLevel;
  SellerRegistration: ResolverTypeWrapper<SellerRegistration>;
  SellerScheme: ResolverTypeWrapper<SellerScheme>;
  SellerSchemeBasis: SellerSchemeBasis;
  Service: Service;
  ServiceInput: ServiceInput;
  ServiceInputField: ServiceInputField;
  Shipment: ResolverTypeWrapper<Omit<Omit<Shipment, 'carrier' | 'product'> & { carrier: ResolversTypes['Carrier'], product?: Maybe<ResolversTypes['Product']> }, 'carrier' | 'product' | 'parcels' | 'contentItems' | 'priceValidUntil' | 'trackingEvents' | 'cancelAttempts' | 'pendingCancelAttempt'> & { readonly carrierCode: string; readonly productId: number; readonly rateCardVersion: { readonly code: string; readonly versionNo: number } | undefined; readonly cancelRequestedAt: string | undefined }>;
  ShipmentBooked: ResolverTypeWrapper<Omit<Omit<ShipmentBooked, 'shipment'> & { shipment: ResolversTypes['Shipment'] }, 'shipment'> & { readonly shipmentId: string }>;
  ShipmentCancelled: ResolverTypeWrapper<Omit<Omit<ShipmentCancelled, 'shipment'> & { shipment: ResolversTypes['Shipment'] }, 'shipment'> & { readonly shipmentId: string }>;
  ShipmentConnection: ResolverTypeWrapper<Omit<Omit<ShipmentConnection, 'edges' | 'nodes'> & { edges: ReadonlyArray<ResolversTypes['ShipmentEdge']>, nodes: ReadonlyArray<ResolversTypes['Shipment']> }, 'totalCount'> & import('./presenters/parents.ts').ConnectionParent>;
  ShipmentEdge: ResolverTypeWrapper<Omit<ShipmentEdge, 'node'> & { node: ResolversTypes['Shipment'] }>;
  ShipmentFilter: ShipmentFilter;
  ShipmentNotBooked: ResolverTypeWrapper<Omit<Omit<ShipmentNotBooked, 'shipment'> & { shipment: ResolversTypes['Shipment'] }, 'shipment'> & { readonly shipmentId: string }>;
  ShipmentNotCancelled: ResolverTypeWrapper<Omit<Omit<ShipmentNotCancelled, 'shipment'> & { shipment: ResolversTypes['Shipment'] }, 'shipment'> & { readonly shipmentId: string }>;
  ShipmentNotFound: ResolverTypeWrapper<ShipmentNotFound>;
  ShipmentParcel: ResolverTypeWrapper<ShipmentParcel>;
  ShipmentService: ResolverTypeWrapper<ShipmentService>;
  ShipmentSort: ShipmentSort;
  ShipmentState: ShipmentState;
  String: ResolverTypeWrapper<Scalars['String']['output']>;
  TariffQuota: ResolverTypeWrapper<TariffQuota>;
  TaxCollector: TaxCollector;
  TaxCoverage: ResolverTypeWrapper<TaxCoverage>;
  TaxKind: TaxKind;
  TaxLine: ResolverTypeWrapper<Omit<Omit<TaxLine, 'items'> & { items: ReadonlyArray<ResolversTypes['TaxedItem']> }, 'ratePercent' | 'summary' | 'description' | 'reliability' | 'basis' | 'rateRange' | 'formula' | 'rule' | 'quotas' | 'items'> & import('./presenters/parents.ts').TaxLineParent>;
  TaxedItem: ResolverTypeWrapper<Omit<TaxedItem, 'contentItem'> & import('./presenters/parents.ts').TaxedItemParent>;
  TrackingEvent: ResolverTypeWrapper<TrackingEvent>;
  TrackingEventConnection: ResolverTypeWrapper<TrackingEventConnection>;
  TrackingEventEdge: ResolverTypeWrapper<TrackingEventEdge>;
  TrackingEventType: TrackingEventType;
  TransitTime: ResolverTypeWrapper<TransitTime>;
  VatCollection: VatCollection;
  WebhookDelivery: ResolverTypeWrapper<WebhookDelivery>;
  WebhookDeliveryConnection: ResolverTypeWrapper<WebhookDeliveryConnection>;
  WebhookDeliveryEdge: ResolverTypeWrapper<WebhookDeliveryEdge>;
  WebhookEndpoint: ResolverTypeWrapper<Omit<WebhookEndpoint, 'deliveries'>>;
  WebhookEndpointState: WebhookEndpointState;
  WebhookNotFound: ResolverTypeWrapper<WebhookNotFound>;
  WebhookReplayed: ResolverTypeWrapper<Omit<WebhookReplayed, 'endpoint'> & { endpoint: ResolversTypes['WebhookEndpoint'] }>;
  Weekday: Weekday;
  Weight: ResolverTypeWrapper<Weight>;
  _Any: ResolverTypeWrapper<Scalars['_Any']['output']>;
  _Entity: ResolverTypeWrapper<ResolversUnionTypes<ResolversTypes>['_Entity']>;
  _Service: ResolverTypeWrapper<Omit<_Service, 'sdl'>>;
  federation__FieldSet: ResolverTypeWrapper<Scalars['federation__FieldSet']['output']>;
  link__Import: ResolverTypeWrapper<Scalars['link__Import']['output']>;
  link__Purpose: Link__Purpose;
};

/** Mapping between all available schema types and the resolvers parents */
export type ResolversParentTypes = {
  AlternativeEstimate: Omit<Omit<AlternativeEstimate, 'taxes'> & { taxes: ReadonlyArray<ResolversParentTypes['TaxLine']> }, 'taxes'> & import('./presenters/parents.ts').VariantParent;
  AppliedRule: AppliedRule;
  AvailableService: Omit<AvailableService, 'priceIn'> & import('./presenters/parents.ts').ServiceParent;
  BookShipmentInput: BookShipmentInput;
  BookShipmentResult: ResolversUnionTypes<ResolversParentTypes>['BookShipmentResult'];
  Boolean: Scalars['Boolean']['output'];
  BoxInput: BoxInput;
  CancelAttempt: CancelAttempt;
  CancelShipmentInput: CancelShipmentInput;
  CancelShipmentResult: ResolversUnionTypes<ResolversParentTypes>['CancelShipmentResult'];
  CancellationPending: Omit<Omit<CancellationPending, 'shipment'> & { shipment: ResolversParentTypes['Shipment'] }, 'shipment' | 'parcels'> & { readonly shipmentId: string };
  Carrier: Omit<Omit<Carrier, 'products'> & { products: ReadonlyArray<ResolversParentTypes['Product']> }, 'products'>;
  CashOnDeliveryInput: CashOnDeliveryInput;
  ChapterCoverage: ChapterCoverage;
  ChargeableParcel: ChargeableParcel;
  CheckoutToken: CheckoutToken;
  Classification: Omit<Omit<Classification, 'alternatives' | 'secondOpinion'> & { alternatives: ReadonlyArray<ResolversParentTypes['HsAlternative']>, secondOpinion?: Maybe<ResolversParentTypes['SecondOpinion']> }, 'secondOpinion' | 'alternatives' | 'openQuestions'> & import('./presenters/parents.ts').ClassificationParent;
  ClassificationAnswerInput: ClassificationAnswerInput;
  ClassificationOption: ClassificationOption;
  ClassificationQuestion: ClassificationQuestion;
  ClassifyResult: ResolversUnionTypes<ResolversParentTypes>['ClassifyResult'];
  ClearanceFee: ClearanceFee;
  CollectedAmount: CollectedAmount;
  Contact: Contact;
  ContactInput: ContactInput;
  ContentItem: ContentItem;
  ContentItemInput: ContentItemInput;
  ConvertedPrice: ConvertedPrice;
  CountryCode: Scalars['CountryCode']['output'];
  CountryCoverage: CountryCoverage;
  CreateCheckoutTokenInput: CreateCheckoutTokenInput;
  CreateCheckoutTokenResult: ResolversUnionTypes<ResolversParentTypes>['CreateCheckoutTokenResult'];
  CreateDraftShipmentInput: CreateDraftShipmentInput;
  CreateDraftShipmentResult: ResolversUnionTypes<ResolversParentTypes>['CreateDraftShipmentResult'];
  CustomsCoverage: CustomsCoverage;
  CustomsCoverageResult: ResolversUnionTypes<ResolversParentTypes>['CustomsCoverageResult'];
  CustomsDeclaration: CustomsDeclaration;
  CustomsDeclarationInput: CustomsDeclarationInput;
  CustomsDeclarationResult: ResolversUnionTypes<ResolversParentTypes>['CustomsDeclarationResult'];
  CustomsRule: CustomsRule;
  DangerousGoods: DangerousGoods;
  DangerousGoodsInput: DangerousGoodsInput;
  DataSet: DataSet;
  Date: Scalars['Date']['output'];
  DateTime: Scalars['DateTime']['output'];
  Decimal: Scalars['Decimal']['output'];
  DeclarationField: DeclarationField;
  DeclarationItemInput: DeclarationItemInput;
  DeclaredItem: DeclaredItem;
  DeclinedProduct: Omit<DeclinedProduct, 'product'> & { product: ResolversParentTypes['Product'] };
  DescriptionProblem: DescriptionProblem;
  DocumentInput: DocumentInput;
  DraftPriceExpired: Omit<Omit<DraftPriceExpired, 'shipment'> & { shipment: ResolversParentTypes['Shipment'] }, 'shipment'> & { readonly shipmentId: string };
  DraftQuotaExceeded: DraftQuotaExceeded;
  DraftShipmentCreated: Omit<Omit<DraftShipmentCreated, 'shipment'> & { shipment: ResolversParentTypes['Shipment'] }, 'shipment'> & { readonly shipmentId: string };
  DutiesEstimate: Omit<Omit<DutiesEstimate, 'items' | 'taxes' | 'underOtherScheme'> & { items: ReadonlyArray<ResolversParentTypes['ItemEstimate']>, taxes: ReadonlyArray<ResolversParentTypes['TaxLine']>, underOtherScheme?: Maybe<ResolversParentTypes['OtherSchemeEstimate']> }, 'taxes' | 'items' | 'reliability' | 'range' | 'restrictions' | 'underOtherScheme'> & import('./presenters/parents.ts').EstimateParent;
  DutiesEstimateInput: DutiesEstimateInput;
  DutiesEstimateResult: ResolversUnionTypes<ResolversParentTypes>['DutiesEstimateResult'];
  EstimateQuotaExceeded: EstimateQuotaExceeded;
  EstimateRange: EstimateRange;
  EstimateSaved: EstimateSaved;
  ExchangeRate: ExchangeRate;
  FieldProblem: FieldProblem;
  Float: Scalars['Float']['output'];
  GoodsFacts: GoodsFacts;
  GoodsFactsInput: GoodsFactsInput;
  H7Declaration: H7Declaration;
  HsAlternative: Omit<Omit<HsAlternative, 'estimate'> & { estimate: ResolversParentTypes['AlternativeEstimate'] }, 'estimate'> & import('./presenters/parents.ts').AlternativeParent;
  HsCandidate: HsCandidate;
  HsCandidates: Omit<HsCandidates, 'questions'> & import('./presenters/parents.ts').CandidatesParent;
  HsProposal: HsProposal;
  ID: Scalars['ID']['output'];
  IdempotencyConflict: IdempotencyConflict;
  InputProblem: InputProblem;
  Int: Scalars['Int']['output'];
  ItemEstimate: Omit<Omit<ItemEstimate, 'classification' | 'taxes'> & { classification?: Maybe<ResolversParentTypes['Classification']>, taxes: ReadonlyArray<ResolversParentTypes['ItemTax']> }, 'contentItem' | 'classification' | 'total' | 'taxes'> & import('./presenters/parents.ts').ItemParent;
  ItemQuantity: ItemQuantity;
  ItemQuantityInput: ItemQuantityInput;
  ItemTax: Omit<Omit<ItemTax, 'line'> & { line: ResolversParentTypes['TaxLine'] }, 'line'> & import('./presenters/parents.ts').ItemTaxParent;
  KeptEstimate: KeptEstimate;
  KeptTaxLine: KeptTaxLine;
  LandedCost: Omit<Omit<LandedCost, 'declined' | 'options'> & { declined: ReadonlyArray<ResolversParentTypes['DeclinedProduct']>, options: ReadonlyArray<ResolversParentTypes['LandedCostOption']> }, 'options' | 'restrictions' | 'declined'> & import('./presenters/parents.ts').LandedCostParent;
  LandedCostInput: LandedCostInput;
  LandedCostOption: Omit<Omit<LandedCostOption, 'duties' | 'rateOption'> & { duties: ResolversParentTypes['DutiesEstimate'], rateOption: ResolversParentTypes['RateOption'] }, 'range'> & import('./presenters/parents.ts').LandedOptionParent;
  LandedCostPayment: LandedCostPayment;
  LandedCostResult: ResolversUnionTypes<ResolversParentTypes>['LandedCostResult'];
  MissingField: MissingField;
  Money: Money;
  MoneyInput: MoneyInput;
  Mutation: Record<PropertyKey, never>;
  OptionExpired: Omit<OptionExpired, 'currentToken' | 'currentPriceIn'> & import('./presenters/parents.ts').ExpiredParent;
  OptionNotAvailable: Omit<OptionNotAvailable, 'declined'> & { declined?: Maybe<ResolversParentTypes['DeclinedProduct']> };
  OtherSchemeEstimate: Omit<Omit<OtherSchemeEstimate, 'taxes'> & { taxes: ReadonlyArray<ResolversParentTypes['TaxLine']> }, 'taxes'> & import('./presenters/parents.ts').VariantParent;
  PageInfo: PageInfo;
  PalletInput: PalletInput;
  ParcelCancellation: ParcelCancellation;
  ParcelsInput: ParcelsInput;
  PercentRange: PercentRange;
  Place: Place;
  PlaceInput: PlaceInput;
  PriceLine: Omit<PriceLine, 'rule'> & import('./presenters/parents.ts').PriceLineParent;
  Problem: ResolversInterfaceTypes<ResolversParentTypes>['Problem'];
  Product: Omit<Product, 'carrier'> & { carrier: ResolversParentTypes['Carrier'] };
  Query: Record<PropertyKey, never>;
  RateFilter: RateFilter;
  RateOption: Omit<Omit<RateOption, 'availableServices' | 'breakdown' | 'product'> & { availableServices: ReadonlyArray<ResolversParentTypes['AvailableService']>, breakdown: ReadonlyArray<ResolversParentTypes['PriceLine']>, product: ResolversParentTypes['Product'] }, 'token' | 'breakdown' | 'chargeable' | 'priceIn' | 'availableServices' | 'pickupDate' | 'earliestDelivery' | 'latestDelivery'> & import('./presenters/parents.ts').OptionParent;
  RateQuote: Omit<Omit<RateQuote, 'declined' | 'options'> & { declined: ReadonlyArray<ResolversParentTypes['DeclinedProduct']>, options: ReadonlyArray<ResolversParentTypes['RateOption']> }, 'options' | 'declined'> & import('./presenters/parents.ts').QuoteParent;
  RatesBatch: Omit<RatesBatch, 'results'> & { results: ReadonlyArray<ResolversParentTypes['RatesResult']> };
  RatesBatchResult: ResolversUnionTypes<ResolversParentTypes>['RatesBatchResult'];
  RatesInput: RatesInput;
  RatesResult: ResolversUnionTypes<ResolversParentTypes>['RatesResult'];
  ReplayWebhookInput: ReplayWebhookInput;
  ReplayWebhookResult: ResolversUnionTypes<ResolversParentTypes>['ReplayWebhookResult'];
  Restriction: Restriction;
  RestrictionRule: RestrictionRule;
  RuleFigure: RuleFigure;
  SaveEstimateInput: SaveEstimateInput;
  SaveEstimateResult: ResolversUnionTypes<ResolversParentTypes>['SaveEstimateResult'];
  SecondOpinion: Omit<SecondOpinion, 'alternatives'> & { alternatives: ReadonlyArray<ResolversParentTypes['HsAlternative']> };
  SellerRegistration: SellerRegistration;
  SellerScheme: SellerScheme;
  ServiceInput: ServiceInput;
  Shipment: Omit<Omit<Shipment, 'carrier' | 'product'> & { carrier: ResolversParentTypes['Carrier'], product?: Maybe<ResolversParentTypes['Product']> }, 'carrier' | 'product' | 'parcels' | 'contentItems' | 'priceValidUntil' | 'trackingEvents' | 'cancelAttempts' | 'pendingCancelAttempt'> & { readonly carrierCode: string; readonly productId: number; readonly rateCardVersion: { readonly code: string; readonly versionNo: number } | undefined; readonly cancelRequestedAt: string | undefined };
  ShipmentBooked: Omit<Omit<ShipmentBooked, 'shipment'> & { shipment: ResolversParentTypes['Shipment'] }, 'shipment'> & { readonly shipmentId: string };
  ShipmentCancelled: Omit<Omit<ShipmentCancelled, 'shipment'> & { shipment: ResolversParentTypes['Shipment'] }, 'shipment'> & { readonly shipmentId: string };
  ShipmentConnection: Omit<Omit<ShipmentConnection, 'edges' | 'nodes'> & { edges: ReadonlyArray<ResolversParentTypes['ShipmentEdge']>, nodes: ReadonlyArray<ResolversParentTypes['Shipment']> }, 'totalCount'> & import('./presenters/parents.ts').ConnectionParent;
  ShipmentEdge: Omit<ShipmentEdge, 'node'> & { node: ResolversParentTypes['Shipment'] };
  ShipmentFilter: ShipmentFilter;
  ShipmentNotBooked: Omit<Omit<ShipmentNotBooked, 'shipment'> & { shipment: ResolversParentTypes['Shipment'] }, 'shipment'> & { readonly shipmentId: string };
  ShipmentNotCancelled: Omit<Omit<ShipmentNotCancelled, 'shipment'> & { shipment: ResolversParentTypes['Shipment'] }, 'shipment'> & { readonly shipmentId: string };
  ShipmentNotFound: ShipmentNotFound;
  ShipmentParcel: ShipmentParcel;
  ShipmentService: ShipmentService;
  String: Scalars['String']['output'];
  TariffQuota: TariffQuota;
  TaxCoverage: TaxCoverage;
  TaxLine: Omit<Omit<TaxLine, 'items'> & { items: ReadonlyArray<ResolversParentTypes['TaxedItem']> }, 'ratePercent' | 'summary' | 'description' | 'reliability' | 'basis' | 'rateRange' | 'formula' | 'rule' | 'quotas' | 'items'> & import('./presenters/parents.ts').TaxLineParent;
  TaxedItem: Omit<TaxedItem, 'contentItem'> & import('./presenters/parents.ts').TaxedItemParent;
  TrackingEvent: TrackingEvent;
  TrackingEventConnection: TrackingEventConnection;
  TrackingEventEdge: TrackingEventEdge;
  TransitTime: TransitTime;
  WebhookDelivery: WebhookDelivery;
  WebhookDeliveryConnection: WebhookDeliveryConnection;
  WebhookDeliveryEdge: WebhookDeliveryEdge;
  WebhookEndpoint: Omit<WebhookEndpoint, 'deliveries'>;
  WebhookNotFound: WebhookNotFound;
  WebhookReplayed: Omit<WebhookReplayed, 'endpoint'> & { endpoint: ResolversParentTypes['WebhookEndpoint'] };
  Weight: Weight;
  _Any: Scalars['_Any']['output'];
  _Entity: ResolversUnionTypes<ResolversParentTypes>['_Entity'];
  _Service: Omit<_Service, 'sdl'>;
  federation__FieldSet: Scalars['federation__FieldSet']['output'];
  link__Import: Scalars['link__Import']['output'];
};

export type CostDirectiveArgs = {
  weight: Scalars['String']['input'];
};

export type CostDirectiveResolver<Result, Parent, ContextType = Context, Args = CostDirectiveArgs> = DirectiveResolverFn<Result, Parent, ContextType, Args>;

export type KeyDirectiveArgs = {
  fields: Scalars['federation__FieldSet']['input'];
  resolvable?: Maybe<Scalars['Boolean']['input']>;
};

export type KeyDirectiveResolver<Result, Parent, ContextType = Context, Args = KeyDirectiveArgs> = DirectiveResolverFn<Result, Parent, ContextType, Args>;

export type LinkDirectiveArgs = {
  as?: Maybe<Scalars['String']['input']>;
  for?: Maybe<Link__Purpose>;
  import?: Maybe<ReadonlyArray<Maybe<Scalars['link__Import']['input']>>>;
  url: Scalars['String']['input'];
};

export type LinkDirectiveResolver<Result, Parent, ContextType = Context, Args = LinkDirectiveArgs> = DirectiveResolverFn<Result, Parent, ContextType, Args>;

export type ListSizeDirectiveArgs = {
  assumedSize?: Maybe<Scalars['Int']['input']>;
  requireOneSlicingArgument?: Maybe<Scalars['Boolean']['input']>;
  sizedFields?: Maybe<ReadonlyArray<Scalars['String']['input']>>;
  slicingArguments?: Maybe<ReadonlyArray<Scalars['String']['input']>>;
};

export type ListSizeDirectiveResolver<Result, Parent, ContextType = Context, Args = ListSizeDirectiveArgs> = DirectiveResolverFn<Result, Parent, ContextType, Args>;

export type ShareableDirectiveArgs = { };

export type ShareableDirectiveResolver<Result, Parent, ContextType = Context, Args = ShareableDirectiveArgs> = DirectiveResolverFn<Result, Parent, ContextType, Args>;

export type AlternativeEstimateResolvers<ContextType = Context, ParentType extends ResolversParentTypes['AlternativeEstimate'] = ResolversParentTypes['AlternativeEstimate']> = {
  complete?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  difference?: Resolver<ResolversTypes['Money'], ParentType, ContextType>;
  taxes?: Resolver<ReadonlyArray<ResolversTypes['TaxLine']>, ParentType, ContextType>;
  total?: Resolver<ResolversTypes['Money'], ParentType, ContextType>;
};

export type AppliedRuleResolvers<ContextType = Context, ParentType extends ResolversParentTypes['AppliedRule'] = ResolversParentTypes['AppliedRule']> = {
  figures?: Resolver<ReadonlyArray<ResolversTypes['RuleFigure']>, ParentType, ContextType>;
  formula?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  rateCardVersion?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  ruleId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  validFrom?: Resolver<ResolversTypes['Date'], ParentType, ContextType>;
};

export type AvailableServiceResolvers<ContextType = Context, ParentType extends ResolversParentTypes['AvailableService'] = ResolversParentTypes['AvailableService']> = {
  maxAmount?: Resolver<Maybe<ResolversTypes['Money']>, ParentType, ContextType>;
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  price?: Resolver<Maybe<ResolversTypes['Money']>, ParentType, ContextType>;
  priceIn?: Resolver<Maybe<ResolversTypes['ConvertedPrice']>, ParentType, ContextType, Partial<AvailableServicePriceInArgs>>;
  requiredInput?: Resolver<Maybe<ResolversTypes['ServiceInputField']>, ParentType, ContextType>;
  service?: Resolver<ResolversTypes['Service'], ParentType, ContextType>;
  slot?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  weekdays?: Resolver<ReadonlyArray<ResolversTypes['Weekday']>, ParentType, ContextType>;
};

export type BookShipmentResultResolvers<ContextType = Context, ParentType extends ResolversParentTypes['BookShipmentResult'] = ResolversParentTypes['BookShipmentResult']> = {
  __resolveType: TypeResolveFn<'DraftPriceExpired' | 'ShipmentBooked' | 'ShipmentNotBooked' | 'ShipmentNotFound', ParentType, ContextType>;
};

export type CancelAttemptResolvers<ContextType = Context, ParentType extends ResolversParentTypes['CancelAttempt'] = ResolversParentTypes['CancelAttempt']> = {
  carrierReason?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  carrierRefusalCode?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  createdAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  nextTryAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  outcome?: Resolver<ResolversTypes['CancelAttemptOutcome'], ParentType, ContextType>;
  parcels?: Resolver<ReadonlyArray<ResolversTypes['ParcelCancellation']>, ParentType, ContextType>;
  refusalCode?: Resolver<Maybe<ResolversTypes['CancelRefusalCode']>, ParentType, ContextType>;
  retryAfterSeconds?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
  sends?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  settledAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  settledBy?: Resolver<Maybe<ResolversTypes['CancelAttemptSettledBy']>, ParentType, ContextType>;
};

export type CancelShipmentResultResolvers<ContextType = Context, ParentType extends ResolversParentTypes['CancelShipmentResult'] = ResolversParentTypes['CancelShipmentResult']> = {
  __resolveType: TypeResolveFn<'CancellationPending' | 'ShipmentCancelled' | 'ShipmentNotCancelled' | 'ShipmentNotFound', ParentType, ContextType>;
};

export type CancellationPendingResolvers<ContextType = Context, ParentType extends ResolversParentTypes['CancellationPending'] = ResolversParentTypes['CancellationPending']> = {
  message?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  parcels?: Resolver<ReadonlyArray<ResolversTypes['ParcelCancellation']>, ParentType, ContextType>;
  retryAfterSeconds?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  shipment?: Resolver<ResolversTypes['Shipment'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type CarrierResolvers<ContextType = Context, ParentType extends ResolversParentTypes['Carrier'] = ResolversParentTypes['Carrier']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  products?: Resolver<ReadonlyArray<ResolversTypes['Product']>, ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type ChapterCoverageResolvers<ContextType = Context, ParentType extends ResolversParentTypes['ChapterCoverage'] = ResolversParentTypes['ChapterCoverage']> = {
  groupAverage?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  nationalLine?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  notLoaded?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  subheading?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
};

export type ChargeableParcelResolvers<ContextType = Context, ParentType extends ResolversParentTypes['ChargeableParcel'] = ResolversParentTypes['ChargeableParcel']> = {
  actual?: Resolver<ResolversTypes['Weight'], ParentType, ContextType>;
  chargeable?: Resolver<ResolversTypes['Weight'], ParentType, ContextType>;
  count?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  divisor?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
  parcelIndex?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  volumetric?: Resolver<ResolversTypes['Weight'], ParentType, ContextType>;
};

export type CheckoutTokenResolvers<ContextType = Context, ParentType extends ResolversParentTypes['CheckoutToken'] = ResolversParentTypes['CheckoutToken']> = {
  expiresAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  token?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type ClassificationResolvers<ContextType = Context, ParentType extends ResolversParentTypes['Classification'] = ResolversParentTypes['Classification']> = {
  alternatives?: Resolver<ReadonlyArray<ResolversTypes['HsAlternative']>, ParentType, ContextType>;
  becauseOf?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  becauseOfText?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  confidence?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
  hsCode?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  openQuestions?: Resolver<ReadonlyArray<ResolversTypes['ClassificationQuestion']>, ParentType, ContextType>;
  questions?: Resolver<ReadonlyArray<ResolversTypes['String']>, ParentType, ContextType>;
  secondOpinion?: Resolver<Maybe<ResolversTypes['SecondOpinion']>, ParentType, ContextType>;
  source?: Resolver<ResolversTypes['ClassificationSource'], ParentType, ContextType>;
};

export type ClassificationOptionResolvers<ContextType = Context, ParentType extends ResolversParentTypes['ClassificationOption'] = ResolversParentTypes['ClassificationOption']> = {
  difference?: Resolver<Maybe<ResolversTypes['Money']>, ParentType, ContextType>;
  hsCode?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  label?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  value?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type ClassificationQuestionResolvers<ContextType = Context, ParentType extends ResolversParentTypes['ClassificationQuestion'] = ResolversParentTypes['ClassificationQuestion']> = {
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  options?: Resolver<ReadonlyArray<ResolversTypes['ClassificationOption']>, ParentType, ContextType>;
  text?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type ClassifyResultResolvers<ContextType = Context, ParentType extends ResolversParentTypes['ClassifyResult'] = ResolversParentTypes['ClassifyResult']> = {
  __resolveType: TypeResolveFn<'HsCandidates' | 'InputProblem', ParentType, ContextType>;
};

export type ClearanceFeeResolvers<ContextType = Context, ParentType extends ResolversParentTypes['ClearanceFee'] = ResolversParentTypes['ClearanceFee']> = {
  amount?: Resolver<ResolversTypes['Money'], ParentType, ContextType>;
  calculated?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  description?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type CollectedAmountResolvers<ContextType = Context, ParentType extends ResolversParentTypes['CollectedAmount'] = ResolversParentTypes['CollectedAmount']> = {
  amount?: Resolver<ResolversTypes['Decimal'], ParentType, ContextType>;
  currency?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type ContactResolvers<ContextType = Context, ParentType extends ResolversParentTypes['Contact'] = ResolversParentTypes['Contact']> = {
  company?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  email?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  eoriNumber?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  name?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  phone?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  street?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  vatNumber?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type ContentItemResolvers<ContextType = Context, ParentType extends ResolversParentTypes['ContentItem'] = ResolversParentTypes['ContentItem']> = {
  additionalCode?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  alcoholPercent?: Resolver<Maybe<ResolversTypes['Decimal']>, ParentType, ContextType>;
  count?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  description?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  facts?: Resolver<Maybe<ResolversTypes['GoodsFacts']>, ParentType, ContextType>;
  hsCode?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  originCountry?: Resolver<Maybe<ResolversTypes['CountryCode']>, ParentType, ContextType>;
  quantities?: Resolver<ReadonlyArray<ResolversTypes['ItemQuantity']>, ParentType, ContextType>;
  sku?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  value?: Resolver<ResolversTypes['Money'], ParentType, ContextType>;
  weight?: Resolver<Maybe<ResolversTypes['Weight']>, ParentType, ContextType>;
};

export type ConvertedPriceResolvers<ContextType = Context, ParentType extends ResolversParentTypes['ConvertedPrice'] = ResolversParentTypes['ConvertedPrice']> = {
  amount?: Resolver<Maybe<ResolversTypes['Decimal']>, ParentType, ContextType>;
  amountWithVat?: Resolver<Maybe<ResolversTypes['Decimal']>, ParentType, ContextType>;
  currency?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  exchangeRates?: Resolver<ReadonlyArray<ResolversTypes['ExchangeRate']>, ParentType, ContextType>;
  missing?: Resolver<ReadonlyArray<ResolversTypes['MissingPriceFact']>, ParentType, ContextType>;
  vatRatePercent?: Resolver<Maybe<ResolversTypes['Decimal']>, ParentType, ContextType>;
};

export interface CountryCodeScalarConfig extends GraphQLScalarTypeConfig<ResolversTypes['CountryCode'], any> {
  name: 'CountryCode';
}

export type CountryCoverageResolvers<ContextType = Context, ParentType extends ResolversParentTypes['CountryCoverage'] = ResolversParentTypes['CountryCoverage']> = {
  agreements?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  agreementsWithoutRates?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  basis?: Resolver<ResolversTypes['DutyBasis'], ParentType, ContextType>;
  chapters?: Resolver<ResolversTypes['ChapterCoverage'], ParentType, ContextType>;
  country?: Resolver<ResolversTypes['CountryCode'], ParentType, ContextType>;
  dataSets?: Resolver<ReadonlyArray<ResolversTypes['DataSet']>, ParentType, ContextType>;
  dutyRules?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  hasAllRules?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  reliability?: Resolver<ResolversTypes['Reliability'], ParentType, ContextType>;
  taxRules?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  taxes?: Resolver<ReadonlyArray<ResolversTypes['TaxCoverage']>, ParentType, ContextType>;
};

export type CreateCheckoutTokenResultResolvers<ContextType = Context, ParentType extends ResolversParentTypes['CreateCheckoutTokenResult'] = ResolversParentTypes['CreateCheckoutTokenResult']> = {
  __resolveType: TypeResolveFn<'CheckoutToken' | 'InputProblem', ParentType, ContextType>;
};

export type CreateDraftShipmentResultResolvers<ContextType = Context, ParentType extends ResolversParentTypes['CreateDraftShipmentResult'] = ResolversParentTypes['CreateDraftShipmentResult']> = {
  __resolveType: TypeResolveFn<'DraftQuotaExceeded' | 'DraftShipmentCreated' | 'IdempotencyConflict' | 'InputProblem' | 'OptionExpired' | 'OptionNotAvailable', ParentType, ContextType>;
};

export type CustomsCoverageResolvers<ContextType = Context, ParentType extends ResolversParentTypes['CustomsCoverage'] = ResolversParentTypes['CustomsCoverage']> = {
  countries?: Resolver<ReadonlyArray<ResolversTypes['CountryCoverage']>, ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type CustomsCoverageResultResolvers<ContextType = Context, ParentType extends ResolversParentTypes['CustomsCoverageResult'] = ResolversParentTypes['CustomsCoverageResult']> = {
  __resolveType: TypeResolveFn<'CustomsCoverage' | 'InputProblem', ParentType, ContextType>;
};

export type CustomsDeclarationResolvers<ContextType = Context, ParentType extends ResolversParentTypes['CustomsDeclaration'] = ResolversParentTypes['CustomsDeclaration']> = {
  boxes?: Resolver<ReadonlyArray<ResolversTypes['DeclarationField']>, ParentType, ContextType>;
  complete?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  form?: Resolver<Maybe<ResolversTypes['PostalForm']>, ParentType, ContextType>;
  formReason?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  grossWeight?: Resolver<Maybe<ResolversTypes['Weight']>, ParentType, ContextType>;
  h7?: Resolver<Maybe<ResolversTypes['H7Declaration']>, ParentType, ContextType>;
  h7Reason?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  items?: Resolver<ReadonlyArray<ResolversTypes['DeclaredItem']>, ParentType, ContextType>;
  missing?: Resolver<ReadonlyArray<ResolversTypes['MissingField']>, ParentType, ContextType>;
  netWeight?: Resolver<Maybe<ResolversTypes['Weight']>, ParentType, ContextType>;
  totalValue?: Resolver<ResolversTypes['Money'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type CustomsDeclarationResultResolvers<ContextType = Context, ParentType extends ResolversParentTypes['CustomsDeclarationResult'] = ResolversParentTypes['CustomsDeclarationResult']> = {
  __resolveType: TypeResolveFn<'CustomsDeclaration' | 'InputProblem', ParentType, ContextType>;
};

export type CustomsRuleResolvers<ContextType = Context, ParentType extends ResolversParentTypes['CustomsRule'] = ResolversParentTypes['CustomsRule']> = {
  agreement?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  dataSet?: Resolver<Maybe<ResolversTypes['DataSet']>, ParentType, ContextType>;
  hsCodePrefix?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  origin?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  publishedRange?: Resolver<Maybe<ResolversTypes['PercentRange']>, ParentType, ContextType>;
  publishedRate?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  reliability?: Resolver<ResolversTypes['Reliability'], ParentType, ContextType>;
  type?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  validFrom?: Resolver<Maybe<ResolversTypes['Date']>, ParentType, ContextType>;
  validTo?: Resolver<Maybe<ResolversTypes['Date']>, ParentType, ContextType>;
};

export type DangerousGoodsResolvers<ContextType = Context, ParentType extends ResolversParentTypes['DangerousGoods'] = ResolversParentTypes['DangerousGoods']> = {
  hazardClass?: Resolver<Maybe<ResolversTypes['HazardClass']>, ParentType, ContextType>;
  limitedQuantity?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  netWeightKg?: Resolver<Maybe<ResolversTypes['Decimal']>, ParentType, ContextType>;
  packages?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
  packingGroup?: Resolver<Maybe<ResolversTypes['PackingGroup']>, ParentType, ContextType>;
  unNumber?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type DataSetResolvers<ContextType = Context, ParentType extends ResolversParentTypes['DataSet'] = ResolversParentTypes['DataSet']> = {
  date?: Resolver<ResolversTypes['Date'], ParentType, ContextType>;
  isOverdue?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  nextEditionDue?: Resolver<Maybe<ResolversTypes['Date']>, ParentType, ContextType>;
  source?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  title?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export interface DateScalarConfig extends GraphQLScalarTypeConfig<ResolversTypes['Date'], any> {
  name: 'Date';
}

export interface DateTimeScalarConfig extends GraphQLScalarTypeConfig<ResolversTypes['DateTime'], any> {
  name: 'DateTime';
}

export interface DecimalScalarConfig extends GraphQLScalarTypeConfig<ResolversTypes['Decimal'], any> {
  name: 'Decimal';
}

export type DeclarationFieldResolvers<ContextType = Context, ParentType extends ResolversParentTypes['DeclarationField'] = ResolversParentTypes['DeclarationField']> = {
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  number?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  value?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type DeclaredItemResolvers<ContextType = Context, ParentType extends ResolversParentTypes['DeclaredItem'] = ResolversParentTypes['DeclaredItem']> = {
  boxes?: Resolver<ReadonlyArray<ResolversTypes['DeclarationField']>, ParentType, ContextType>;
  descriptionProblem?: Resolver<Maybe<ResolversTypes['DescriptionProblem']>, ParentType, ContextType>;
  h7Elements?: Resolver<ReadonlyArray<ResolversTypes['DeclarationField']>, ParentType, ContextType>;
  index?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  netWeight?: Resolver<Maybe<ResolversTypes['Weight']>, ParentType, ContextType>;
  proposedHsCode?: Resolver<Maybe<ResolversTypes['HsProposal']>, ParentType, ContextType>;
  value?: Resolver<ResolversTypes['Money'], ParentType, ContextType>;
};

export type DeclinedProductResolvers<ContextType = Context, ParentType extends ResolversParentTypes['DeclinedProduct'] = ResolversParentTypes['DeclinedProduct']> = {
  actual?: Resolver<Maybe<ResolversTypes['Decimal']>, ParentType, ContextType>;
  code?: Resolver<ResolversTypes['DeclineCode'], ParentType, ContextType>;
  limit?: Resolver<Maybe<ResolversTypes['Decimal']>, ParentType, ContextType>;
  message?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  product?: Resolver<ResolversTypes['Product'], ParentType, ContextType>;
  service?: Resolver<Maybe<ResolversTypes['Service']>, ParentType, ContextType>;
  unit?: Resolver<Maybe<ResolversTypes['LimitUnit']>, ParentType, ContextType>;
};

export type DescriptionProblemResolvers<ContextType = Context, ParentType extends ResolversParentTypes['DescriptionProblem'] = ResolversParentTypes['DescriptionProblem']> = {
  code?: Resolver<ResolversTypes['DescriptionProblemCode'], ParentType, ContextType>;
  message?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  terms?: Resolver<ReadonlyArray<ResolversTypes['String']>, ParentType, ContextType>;
};

export type DraftPriceExpiredResolvers<ContextType = Context, ParentType extends ResolversParentTypes['DraftPriceExpired'] = ResolversParentTypes['DraftPriceExpired']> = {
  code?: Resolver<ResolversTypes['ProblemCode'], ParentType, ContextType>;
  currentPrice?: Resolver<Maybe<ResolversTypes['Money']>, ParentType, ContextType>;
  message?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  price?: Resolver<ResolversTypes['Money'], ParentType, ContextType>;
  retryable?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  shipment?: Resolver<ResolversTypes['Shipment'], ParentType, ContextType>;
  validUntil?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type DraftQuotaExceededResolvers<ContextType = Context, ParentType extends ResolversParentTypes['DraftQuotaExceeded'] = ResolversParentTypes['DraftQuotaExceeded']> = {
  code?: Resolver<ResolversTypes['ProblemCode'], ParentType, ContextType>;
  message?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  retryable?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type DraftShipmentCreatedResolvers<ContextType = Context, ParentType extends ResolversParentTypes['DraftShipmentCreated'] = ResolversParentTypes['DraftShipmentCreated']> = {
  alreadyCreated?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  shipment?: Resolver<ResolversTypes['Shipment'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type DutiesEstimateResolvers<ContextType = Context, ParentType extends ResolversParentTypes['DutiesEstimate'] = ResolversParentTypes['DutiesEstimate']> = {
  complete?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  customsValue?: Resolver<ResolversTypes['Money'], ParentType, ContextType>;
  date?: Resolver<ResolversTypes['Date'], ParentType, ContextType>;
  dueAtCheckout?: Resolver<ResolversTypes['Money'], ParentType, ContextType>;
  dueOnDelivery?: Resolver<ResolversTypes['Money'], ParentType, ContextType>;
  hsCode?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  items?: Resolver<ReadonlyArray<ResolversTypes['ItemEstimate']>, ParentType, ContextType>;
  range?: Resolver<ResolversTypes['EstimateRange'], ParentType, ContextType>;
  reliability?: Resolver<ResolversTypes['Reliability'], ParentType, ContextType>;
  restrictions?: Resolver<ReadonlyArray<ResolversTypes['Restriction']>, ParentType, ContextType>;
  sellerScheme?: Resolver<Maybe<ResolversTypes['SellerScheme']>, ParentType, ContextType>;
  taxes?: Resolver<ReadonlyArray<ResolversTypes['TaxLine']>, ParentType, ContextType>;
  total?: Resolver<ResolversTypes['Money'], ParentType, ContextType>;
  underOtherScheme?: Resolver<Maybe<ResolversTypes['OtherSchemeEstimate']>, ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type DutiesEstimateResultResolvers<ContextType = Context, ParentType extends ResolversParentTypes['DutiesEstimateResult'] = ResolversParentTypes['DutiesEstimateResult']> = {
  __resolveType: TypeResolveFn<'DutiesEstimate' | 'InputProblem', ParentType, ContextType>;
};

export type EstimateQuotaExceededResolvers<ContextType = Context, ParentType extends ResolversParentTypes['EstimateQuotaExceeded'] = ResolversParentTypes['EstimateQuotaExceeded']> = {
  code?: Resolver<ResolversTypes['ProblemCode'], ParentType, ContextType>;
  message?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  retryable?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type EstimateRangeResolvers<ContextType = Context, ParentType extends ResolversParentTypes['EstimateRange'] = ResolversParentTypes['EstimateRange']> = {
  decision?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  least?: Resolver<ResolversTypes['Money'], ParentType, ContextType>;
  likely?: Resolver<ResolversTypes['Money'], ParentType, ContextType>;
  most?: Resolver<Maybe<ResolversTypes['Money']>, ParentType, ContextType>;
  withoutBound?: Resolver<ReadonlyArray<ResolversTypes['String']>, ParentType, ContextType>;
};

export type EstimateSavedResolvers<ContextType = Context, ParentType extends ResolversParentTypes['EstimateSaved'] = ResolversParentTypes['EstimateSaved']> = {
  alreadySaved?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  estimate?: Resolver<ResolversTypes['KeptEstimate'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type ExchangeRateResolvers<ContextType = Context, ParentType extends ResolversParentTypes['ExchangeRate'] = ResolversParentTypes['ExchangeRate']> = {
  currency?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  unitsPerEuro?: Resolver<ResolversTypes['Decimal'], ParentType, ContextType>;
  validFrom?: Resolver<ResolversTypes['Date'], ParentType, ContextType>;
};

export type FieldProblemResolvers<ContextType = Context, ParentType extends ResolversParentTypes['FieldProblem'] = ResolversParentTypes['FieldProblem']> = {
  code?: Resolver<ResolversTypes['FieldProblemCode'], ParentType, ContextType>;
  message?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  path?: Resolver<ReadonlyArray<ResolversTypes['String']>, ParentType, ContextType>;
};

export type GoodsFactsResolvers<ContextType = Context, ParentType extends ResolversParentTypes['GoodsFacts'] = ResolversParentTypes['GoodsFacts']> = {
  brand?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  category?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  composition?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  construction?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  madeFor?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  material?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  use?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type H7DeclarationResolvers<ContextType = Context, ParentType extends ResolversParentTypes['H7Declaration'] = ResolversParentTypes['H7Declaration']> = {
  elements?: Resolver<ReadonlyArray<ResolversTypes['DeclarationField']>, ParentType, ContextType>;
};

export type HsAlternativeResolvers<ContextType = Context, ParentType extends ResolversParentTypes['HsAlternative'] = ResolversParentTypes['HsAlternative']> = {
  becauseOf?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  becauseOfText?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  confidence?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  description?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  estimate?: Resolver<ResolversTypes['AlternativeEstimate'], ParentType, ContextType>;
  heading?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  hsCode?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  matchedTerms?: Resolver<ReadonlyArray<ResolversTypes['String']>, ParentType, ContextType>;
  questions?: Resolver<ReadonlyArray<ResolversTypes['String']>, ParentType, ContextType>;
};

export type HsCandidateResolvers<ContextType = Context, ParentType extends ResolversParentTypes['HsCandidate'] = ResolversParentTypes['HsCandidate']> = {
  becauseOf?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  becauseOfText?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  confidence?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  description?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  heading?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  hsCode?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  matchedTerms?: Resolver<ReadonlyArray<ResolversTypes['String']>, ParentType, ContextType>;
  questions?: Resolver<ReadonlyArray<ResolversTypes['String']>, ParentType, ContextType>;
};

export type HsCandidatesResolvers<ContextType = Context, ParentType extends ResolversParentTypes['HsCandidates'] = ResolversParentTypes['HsCandidates']> = {
  candidates?: Resolver<ReadonlyArray<ResolversTypes['HsCandidate']>, ParentType, ContextType>;
  questions?: Resolver<ReadonlyArray<ResolversTypes['ClassificationQuestion']>, ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type HsProposalResolvers<ContextType = Context, ParentType extends ResolversParentTypes['HsProposal'] = ResolversParentTypes['HsProposal']> = {
  confidence?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  description?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  hsCode?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type IdempotencyConflictResolvers<ContextType = Context, ParentType extends ResolversParentTypes['IdempotencyConflict'] = ResolversParentTypes['IdempotencyConflict']> = {
  code?: Resolver<ResolversTypes['ProblemCode'], ParentType, ContextType>;
  message?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  retryable?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type InputProblemResolvers<ContextType = Context, ParentType extends ResolversParentTypes['InputProblem'] = ResolversParentTypes['InputProblem']> = {
  code?: Resolver<ResolversTypes['ProblemCode'], ParentType, ContextType>;
  fields?: Resolver<ReadonlyArray<ResolversTypes['FieldProblem']>, ParentType, ContextType>;
  message?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  retryable?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type ItemEstimateResolvers<ContextType = Context, ParentType extends ResolversParentTypes['ItemEstimate'] = ResolversParentTypes['ItemEstimate']> = {
  classification?: Resolver<Maybe<ResolversTypes['Classification']>, ParentType, ContextType>;
  contentItem?: Resolver<ResolversTypes['ContentItem'], ParentType, ContextType>;
  customsValue?: Resolver<ResolversTypes['Money'], ParentType, ContextType>;
  index?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  problem?: Resolver<Maybe<ResolversTypes['InputProblem']>, ParentType, ContextType>;
  taxes?: Resolver<ReadonlyArray<ResolversTypes['ItemTax']>, ParentType, ContextType>;
  total?: Resolver<ResolversTypes['Money'], ParentType, ContextType>;
};

export type ItemQuantityResolvers<ContextType = Context, ParentType extends ResolversParentTypes['ItemQuantity'] = ResolversParentTypes['ItemQuantity']> = {
  amount?: Resolver<ResolversTypes['Decimal'], ParentType, ContextType>;
  unit?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type ItemTaxResolvers<ContextType = Context, ParentType extends ResolversParentTypes['ItemTax'] = ResolversParentTypes['ItemTax']> = {
  amount?: Resolver<ResolversTypes['Money'], ParentType, ContextType>;
  line?: Resolver<ResolversTypes['TaxLine'], ParentType, ContextType>;
};

export type KeptEstimateResolvers<ContextType = Context, ParentType extends ResolversParentTypes['KeptEstimate'] = ResolversParentTypes['KeptEstimate']> = {
  complete?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  createdAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  customsRevision?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  customsValue?: Resolver<ResolversTypes['Money'], ParentType, ContextType>;
  date?: Resolver<ResolversTypes['Date'], ParentType, ContextType>;
  expiresAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  from?: Resolver<ResolversTypes['Place'], ParentType, ContextType>;
  hsCode?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  lines?: Resolver<ReadonlyArray<ResolversTypes['KeptTaxLine']>, ParentType, ContextType>;
  reference?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  shipmentId?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  to?: Resolver<ResolversTypes['Place'], ParentType, ContextType>;
  total?: Resolver<ResolversTypes['Money'], ParentType, ContextType>;
};

export type KeptTaxLineResolvers<ContextType = Context, ParentType extends ResolversParentTypes['KeptTaxLine'] = ResolversParentTypes['KeptTaxLine']> = {
  amount?: Resolver<ResolversTypes['Money'], ParentType, ContextType>;
  calculated?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  hsCode?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  kind?: Resolver<ResolversTypes['TaxKind'], ParentType, ContextType>;
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type LandedCostResolvers<ContextType = Context, ParentType extends ResolversParentTypes['LandedCost'] = ResolversParentTypes['LandedCost']> = {
  declined?: Resolver<ReadonlyArray<ResolversTypes['DeclinedProduct']>, ParentType, ContextType>;
  filteredOut?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  options?: Resolver<ReadonlyArray<ResolversTypes['LandedCostOption']>, ParentType, ContextType>;
  rateCardVersions?: Resolver<ReadonlyArray<ResolversTypes['String']>, ParentType, ContextType>;
  restrictions?: Resolver<ReadonlyArray<ResolversTypes['Restriction']>, ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type LandedCostOptionResolvers<ContextType = Context, ParentType extends ResolversParentTypes['LandedCostOption'] = ResolversParentTypes['LandedCostOption']> = {
  clearanceFees?: Resolver<ReadonlyArray<ResolversTypes['ClearanceFee']>, ParentType, ContextType>;
  dueAtCheckout?: Resolver<ResolversTypes['Money'], ParentType, ContextType>;
  dueOnDelivery?: Resolver<ResolversTypes['Money'], ParentType, ContextType>;
  duties?: Resolver<ResolversTypes['DutiesEstimate'], ParentType, ContextType>;
  goodsValue?: Resolver<ResolversTypes['Money'], ParentType, ContextType>;
  insuranceCost?: Resolver<ResolversTypes['Money'], ParentType, ContextType>;
  invoicedToSender?: Resolver<ResolversTypes['Money'], ParentType, ContextType>;
  payments?: Resolver<ReadonlyArray<ResolversTypes['LandedCostPayment']>, ParentType, ContextType>;
  range?: Resolver<ResolversTypes['EstimateRange'], ParentType, ContextType>;
  rateOption?: Resolver<ResolversTypes['RateOption'], ParentType, ContextType>;
  total?: Resolver<ResolversTypes['Money'], ParentType, ContextType>;
};

export type LandedCostPaymentResolvers<ContextType = Context, ParentType extends ResolversParentTypes['LandedCostPayment'] = ResolversParentTypes['LandedCostPayment']> = {
  amount?: Resolver<ResolversTypes['Money'], ParentType, ContextType>;
  moment?: Resolver<ResolversTypes['PaymentMoment'], ParentType, ContextType>;
  payer?: Resolver<ResolversTypes['PaymentParty'], ParentType, ContextType>;
  purpose?: Resolver<ResolversTypes['PaymentPurpose'], ParentType, ContextType>;
};

export type LandedCostResultResolvers<ContextType = Context, ParentType extends ResolversParentTypes['LandedCostResult'] = ResolversParentTypes['LandedCostResult']> = {
  __resolveType: TypeResolveFn<'InputProblem' | 'LandedCost', ParentType, ContextType>;
};

export type MissingFieldResolvers<ContextType = Context, ParentType extends ResolversParentTypes['MissingField'] = ResolversParentTypes['MissingField']> = {
  document?: Resolver<ResolversTypes['DeclarationDocument'], ParentType, ContextType>;
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  number?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  path?: Resolver<ReadonlyArray<ResolversTypes['String']>, ParentType, ContextType>;
  required?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  requiredBy?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type MoneyResolvers<ContextType = Context, ParentType extends ResolversParentTypes['Money'] = ResolversParentTypes['Money']> = {
  amount?: Resolver<ResolversTypes['Decimal'], ParentType, ContextType>;
  currency?: Resolver<ResolversTypes['CurrencyCode'], ParentType, ContextType>;
};

export type MutationResolvers<ContextType = Context, ParentType extends ResolversParentTypes['Mutation'] = ResolversParentTypes['Mutation']> = {
  bookShipment?: Resolver<ResolversTypes['BookShipmentResult'], ParentType, ContextType, RequireFields<MutationBookShipmentArgs, 'input'>>;
  cancelShipment?: Resolver<ResolversTypes['CancelShipmentResult'], ParentType, ContextType, RequireFields<MutationCancelShipmentArgs, 'input'>>;
  createCheckoutToken?: Resolver<ResolversTypes['CreateCheckoutTokenResult'], ParentType, ContextType, RequireFields<MutationCreateCheckoutTokenArgs, 'input'>>;
  createDraftShipment?: Resolver<ResolversTypes['CreateDraftShipmentResult'], ParentType, ContextType, RequireFields<MutationCreateDraftShipmentArgs, 'input'>>;
  replayWebhook?: Resolver<ResolversTypes['ReplayWebhookResult'], ParentType, ContextType, RequireFields<MutationReplayWebhookArgs, 'input'>>;
  saveEstimate?: Resolver<ResolversTypes['SaveEstimateResult'], ParentType, ContextType, RequireFields<MutationSaveEstimateArgs, 'input'>>;
};

export type OptionExpiredResolvers<ContextType = Context, ParentType extends ResolversParentTypes['OptionExpired'] = ResolversParentTypes['OptionExpired']> = {
  code?: Resolver<ResolversTypes['ProblemCode'], ParentType, ContextType>;
  currentPrice?: Resolver<Maybe<ResolversTypes['Money']>, ParentType, ContextType>;
  currentPriceIn?: Resolver<Maybe<ResolversTypes['ConvertedPrice']>, ParentType, ContextType, Partial<OptionExpiredCurrentPriceInArgs>>;
  currentToken?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  expiredAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  message?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  quotedPrice?: Resolver<ResolversTypes['Money'], ParentType, ContextType>;
  retryable?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type OptionNotAvailableResolvers<ContextType = Context, ParentType extends ResolversParentTypes['OptionNotAvailable'] = ResolversParentTypes['OptionNotAvailable']> = {
  code?: Resolver<ResolversTypes['ProblemCode'], ParentType, ContextType>;
  declined?: Resolver<Maybe<ResolversTypes['DeclinedProduct']>, ParentType, ContextType>;
  message?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  retryable?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type OtherSchemeEstimateResolvers<ContextType = Context, ParentType extends ResolversParentTypes['OtherSchemeEstimate'] = ResolversParentTypes['OtherSchemeEstimate']> = {
  complete?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  difference?: Resolver<ResolversTypes['Money'], ParentType, ContextType>;
  dueAtCheckout?: Resolver<ResolversTypes['Money'], ParentType, ContextType>;
  dueOnDelivery?: Resolver<ResolversTypes['Money'], ParentType, ContextType>;
  importScheme?: Resolver<ResolversTypes['ImportScheme'], ParentType, ContextType>;
  sellerScheme?: Resolver<Maybe<ResolversTypes['SellerScheme']>, ParentType, ContextType>;
  taxes?: Resolver<ReadonlyArray<ResolversTypes['TaxLine']>, ParentType, ContextType>;
  total?: Resolver<ResolversTypes['Money'], ParentType, ContextType>;
};

export type PageInfoResolvers<ContextType = Context, ParentType extends ResolversParentTypes['PageInfo'] = ResolversParentTypes['PageInfo']> = {
  endCursor?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  hasNextPage?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  hasPreviousPage?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  startCursor?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type ParcelCancellationResolvers<ContextType = Context, ParentType extends ResolversParentTypes['ParcelCancellation'] = ResolversParentTypes['ParcelCancellation']> = {
  carrierReason?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  outcome?: Resolver<ResolversTypes['CancelAttemptOutcome'], ParentType, ContextType>;
  refusalCode?: Resolver<Maybe<ResolversTypes['CancelRefusalCode']>, ParentType, ContextType>;
  trackingNumber?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type PercentRangeResolvers<ContextType = Context, ParentType extends ResolversParentTypes['PercentRange'] = ResolversParentTypes['PercentRange']> = {
  highestPercent?: Resolver<ResolversTypes['Decimal'], ParentType, ContextType>;
  lowestPercent?: Resolver<ResolversTypes['Decimal'], ParentType, ContextType>;
};

export type PlaceResolvers<ContextType = Context, ParentType extends ResolversParentTypes['Place'] = ResolversParentTypes['Place']> = {
  city?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  country?: Resolver<ResolversTypes['CountryCode'], ParentType, ContextType>;
  postalCode?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type PriceLineResolvers<ContextType = Context, ParentType extends ResolversParentTypes['PriceLine'] = ResolversParentTypes['PriceLine']> = {
  amount?: Resolver<ResolversTypes['Money'], ParentType, ContextType>;
  kind?: Resolver<ResolversTypes['PriceLineKind'], ParentType, ContextType>;
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  reason?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  rule?: Resolver<ResolversTypes['AppliedRule'], ParentType, ContextType>;
};

export type ProblemResolvers<ContextType = Context, ParentType extends ResolversParentTypes['Problem'] = ResolversParentTypes['Problem']> = {
  __resolveType: TypeResolveFn<'DraftPriceExpired' | 'DraftQuotaExceeded' | 'EstimateQuotaExceeded' | 'IdempotencyConflict' | 'InputProblem' | 'OptionExpired' | 'OptionNotAvailable' | 'ShipmentNotBooked' | 'ShipmentNotCancelled' | 'ShipmentNotFound' | 'WebhookNotFound', ParentType, ContextType>;
};

export type ProductResolvers<ContextType = Context, ParentType extends ResolversParentTypes['Product'] = ResolversParentTypes['Product']> = {
  carrier?: Resolver<ResolversTypes['Carrier'], ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type QueryResolvers<ContextType = Context, ParentType extends ResolversParentTypes['Query'] = ResolversParentTypes['Query']> = {
  _entities?: Resolver<ReadonlyArray<Maybe<ResolversTypes['_Entity']>>, ParentType, ContextType, RequireFields<Query_EntitiesArgs, 'representations'>>;
  _service?: Resolver<ResolversTypes['_Service'], ParentType, ContextType>;
  carrier?: Resolver<Maybe<ResolversTypes['Carrier']>, ParentType, ContextType, RequireFields<QueryCarrierArgs, 'id'>>;
  carriers?: Resolver<ReadonlyArray<ResolversTypes['Carrier']>, ParentType, ContextType>;
  classify?: Resolver<ResolversTypes['ClassifyResult'], ParentType, ContextType, RequireFields<QueryClassifyArgs, 'description' | 'first'>>;
  customsCoverage?: Resolver<ResolversTypes['CustomsCoverageResult'], ParentType, ContextType, Partial<QueryCustomsCoverageArgs>>;
  customsDeclaration?: Resolver<ResolversTypes['CustomsDeclarationResult'], ParentType, ContextType, RequireFields<QueryCustomsDeclarationArgs, 'input'>>;
  dutiesEstimate?: Resolver<ResolversTypes['DutiesEstimateResult'], ParentType, ContextType, RequireFields<QueryDutiesEstimateArgs, 'input'>>;
  keptEstimate?: Resolver<Maybe<ResolversTypes['KeptEstimate']>, ParentType, ContextType, RequireFields<QueryKeptEstimateArgs, 'id'>>;
  landedCost?: Resolver<ResolversTypes['LandedCostResult'], ParentType, ContextType, RequireFields<QueryLandedCostArgs, 'input'>>;
  product?: Resolver<Maybe<ResolversTypes['Product']>, ParentType, ContextType, RequireFields<QueryProductArgs, 'id'>>;
  rates?: Resolver<ResolversTypes['RatesResult'], ParentType, ContextType, RequireFields<QueryRatesArgs, 'input'>>;
  ratesBatch?: Resolver<ResolversTypes['RatesBatchResult'], ParentType, ContextType, RequireFields<QueryRatesBatchArgs, 'inputs'>>;
  sellerRegistrations?: Resolver<ReadonlyArray<ResolversTypes['SellerRegistration']>, ParentType, ContextType>;
  shipment?: Resolver<Maybe<ResolversTypes['Shipment']>, ParentType, ContextType, RequireFields<QueryShipmentArgs, 'id'>>;
  shipments?: Resolver<ResolversTypes['ShipmentConnection'], ParentType, ContextType, RequireFields<QueryShipmentsArgs, 'sort'>>;
  webhookEndpoint?: Resolver<Maybe<ResolversTypes['WebhookEndpoint']>, ParentType, ContextType, RequireFields<QueryWebhookEndpointArgs, 'id'>>;
  webhookEndpoints?: Resolver<ReadonlyArray<ResolversTypes['WebhookEndpoint']>, ParentType, ContextType>;
};

export type RateOptionResolvers<ContextType = Context, ParentType extends ResolversParentTypes['RateOption'] = ResolversParentTypes['RateOption']> = {
  availableServices?: Resolver<ReadonlyArray<ResolversTypes['AvailableService']>, ParentType, ContextType>;
  badges?: Resolver<ReadonlyArray<ResolversTypes['RateBadge']>, ParentType, ContextType>;
  breakdown?: Resolver<ReadonlyArray<ResolversTypes['PriceLine']>, ParentType, ContextType>;
  chargeable?: Resolver<ReadonlyArray<ResolversTypes['ChargeableParcel']>, ParentType, ContextType>;
  earliestDelivery?: Resolver<Maybe<ResolversTypes['Date']>, ParentType, ContextType>;
  latestDelivery?: Resolver<Maybe<ResolversTypes['Date']>, ParentType, ContextType>;
  listPrice?: Resolver<Maybe<ResolversTypes['Money']>, ParentType, ContextType>;
  pickupDate?: Resolver<Maybe<ResolversTypes['Date']>, ParentType, ContextType>;
  price?: Resolver<ResolversTypes['Money'], ParentType, ContextType>;
  priceIn?: Resolver<ResolversTypes['ConvertedPrice'], ParentType, ContextType, Partial<RateOptionPriceInArgs>>;
  product?: Resolver<ResolversTypes['Product'], ParentType, ContextType>;
  rateCardVersion?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  token?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  transit?: Resolver<ResolversTypes['TransitTime'], ParentType, ContextType>;
};

export type RateQuoteResolvers<ContextType = Context, ParentType extends ResolversParentTypes['RateQuote'] = ResolversParentTypes['RateQuote']> = {
  declined?: Resolver<ReadonlyArray<ResolversTypes['DeclinedProduct']>, ParentType, ContextType>;
  filteredOut?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  options?: Resolver<ReadonlyArray<ResolversTypes['RateOption']>, ParentType, ContextType>;
  rateCardVersions?: Resolver<ReadonlyArray<ResolversTypes['String']>, ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type RatesBatchResolvers<ContextType = Context, ParentType extends ResolversParentTypes['RatesBatch'] = ResolversParentTypes['RatesBatch']> = {
  results?: Resolver<ReadonlyArray<ResolversTypes['RatesResult']>, ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type RatesBatchResultResolvers<ContextType = Context, ParentType extends ResolversParentTypes['RatesBatchResult'] = ResolversParentTypes['RatesBatchResult']> = {
  __resolveType: TypeResolveFn<'InputProblem' | 'RatesBatch', ParentType, ContextType>;
};

export type RatesResultResolvers<ContextType = Context, ParentType extends ResolversParentTypes['RatesResult'] = ResolversParentTypes['RatesResult']> = {
  __resolveType: TypeResolveFn<'InputProblem' | 'RateQuote', ParentType, ContextType>;
};

export type ReplayWebhookResultResolvers<ContextType = Context, ParentType extends ResolversParentTypes['ReplayWebhookResult'] = ResolversParentTypes['ReplayWebhookResult']> = {
  __resolveType: TypeResolveFn<'InputProblem' | 'WebhookNotFound' | 'WebhookReplayed', ParentType, ContextType>;
};

export type RestrictionResolvers<ContextType = Context, ParentType extends ResolversParentTypes['Restriction'] = ResolversParentTypes['Restriction']> = {
  itemIndexes?: Resolver<ReadonlyArray<ResolversTypes['Int']>, ParentType, ContextType>;
  rule?: Resolver<ResolversTypes['RestrictionRule'], ParentType, ContextType>;
  severity?: Resolver<ResolversTypes['RestrictionSeverity'], ParentType, ContextType>;
  text?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type RestrictionRuleResolvers<ContextType = Context, ParentType extends ResolversParentTypes['RestrictionRule'] = ResolversParentTypes['RestrictionRule']> = {
  dataSet?: Resolver<Maybe<ResolversTypes['DataSet']>, ParentType, ContextType>;
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  readOn?: Resolver<Maybe<ResolversTypes['Date']>, ParentType, ContextType>;
  reliability?: Resolver<ResolversTypes['Reliability'], ParentType, ContextType>;
  source?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  validFrom?: Resolver<Maybe<ResolversTypes['Date']>, ParentType, ContextType>;
  validTo?: Resolver<Maybe<ResolversTypes['Date']>, ParentType, ContextType>;
};

export type RuleFigureResolvers<ContextType = Context, ParentType extends ResolversParentTypes['RuleFigure'] = ResolversParentTypes['RuleFigure']> = {
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  value?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type SaveEstimateResultResolvers<ContextType = Context, ParentType extends ResolversParentTypes['SaveEstimateResult'] = ResolversParentTypes['SaveEstimateResult']> = {
  __resolveType: TypeResolveFn<'EstimateQuotaExceeded' | 'EstimateSaved' | 'IdempotencyConflict' | 'InputProblem', ParentType, ContextType>;
};

export type SecondOpinionResolvers<ContextType = Context, ParentType extends ResolversParentTypes['SecondOpinion'] = ResolversParentTypes['SecondOpinion']> = {
  alternatives?: Resolver<ReadonlyArray<ResolversTypes['HsAlternative']>, ParentType, ContextType>;
  confidence?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  level?: Resolver<ResolversTypes['SecondOpinionLevel'], ParentType, ContextType>;
  message?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type SellerRegistrationResolvers<ContextType = Context, ParentType extends ResolversParentTypes['SellerRegistration'] = ResolversParentTypes['SellerRegistration']> = {
  number?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  scheme?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  validFrom?: Resolver<Maybe<ResolversTypes['Date']>, ParentType, ContextType>;
  validTo?: Resolver<Maybe<ResolversTypes['Date']>, ParentType, ContextType>;
};

export type SellerSchemeResolvers<ContextType = Context, ParentType extends ResolversParentTypes['SellerScheme'] = ResolversParentTypes['SellerScheme']> = {
  basis?: Resolver<ResolversTypes['SellerSchemeBasis'], ParentType, ContextType>;
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  scheme?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type ShipmentResolvers<ContextType = Context, ParentType extends ResolversParentTypes['Shipment'] = ResolversParentTypes['Shipment']> = {
  bookedAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  cancelAttempts?: Resolver<ReadonlyArray<ResolversTypes['CancelAttempt']>, ParentType, ContextType>;
  cancellable?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  cancelledAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  carrier?: Resolver<ResolversTypes['Carrier'], ParentType, ContextType>;
  contentItems?: Resolver<ReadonlyArray<ResolversTypes['ContentItem']>, ParentType, ContextType>;
  createdAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  deliveredAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  from?: Resolver<ResolversTypes['Place'], ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  parcels?: Resolver<ReadonlyArray<ResolversTypes['ShipmentParcel']>, ParentType, ContextType>;
  pendingCancelAttempt?: Resolver<Maybe<ResolversTypes['CancelAttempt']>, ParentType, ContextType>;
  price?: Resolver<ResolversTypes['Money'], ParentType, ContextType>;
  priceValidUntil?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  product?: Resolver<Maybe<ResolversTypes['Product']>, ParentType, ContextType>;
  recipient?: Resolver<Maybe<ResolversTypes['Contact']>, ParentType, ContextType>;
  reference?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  sender?: Resolver<Maybe<ResolversTypes['Contact']>, ParentType, ContextType>;
  services?: Resolver<ReadonlyArray<ResolversTypes['ShipmentService']>, ParentType, ContextType>;
  state?: Resolver<ResolversTypes['ShipmentState'], ParentType, ContextType>;
  to?: Resolver<ResolversTypes['Place'], ParentType, ContextType>;
  trackingEvents?: Resolver<ResolversTypes['TrackingEventConnection'], ParentType, ContextType, Partial<ShipmentTrackingEventsArgs>>;
  trackingNumber?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  trackingNumbers?: Resolver<ReadonlyArray<ResolversTypes['String']>, ParentType, ContextType>;
  updatedAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type ShipmentBookedResolvers<ContextType = Context, ParentType extends ResolversParentTypes['ShipmentBooked'] = ResolversParentTypes['ShipmentBooked']> = {
  alreadyBooked?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  shipment?: Resolver<ResolversTypes['Shipment'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type ShipmentCancelledResolvers<ContextType = Context, ParentType extends ResolversParentTypes['ShipmentCancelled'] = ResolversParentTypes['ShipmentCancelled']> = {
  alreadyCancelled?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  carrierNotified?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  labelMustBeDestroyed?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  message?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  shipment?: Resolver<ResolversTypes['Shipment'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type ShipmentConnectionResolvers<ContextType = Context, ParentType extends ResolversParentTypes['ShipmentConnection'] = ResolversParentTypes['ShipmentConnection']> = {
  edges?: Resolver<ReadonlyArray<ResolversTypes['ShipmentEdge']>, ParentType, ContextType>;
  nodes?: Resolver<ReadonlyArray<ResolversTypes['Shipment']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
  totalCount?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
};

export type ShipmentEdgeResolvers<ContextType = Context, ParentType extends ResolversParentTypes['ShipmentEdge'] = ResolversParentTypes['ShipmentEdge']> = {
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  node?: Resolver<ResolversTypes['Shipment'], ParentType, ContextType>;
};

export type ShipmentNotBookedResolvers<ContextType = Context, ParentType extends ResolversParentTypes['ShipmentNotBooked'] = ResolversParentTypes['ShipmentNotBooked']> = {
  carrierReason?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  carrierRefusalCode?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  code?: Resolver<ResolversTypes['ProblemCode'], ParentType, ContextType>;
  message?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  retryable?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  shipment?: Resolver<ResolversTypes['Shipment'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type ShipmentNotCancelledResolvers<ContextType = Context, ParentType extends ResolversParentTypes['ShipmentNotCancelled'] = ResolversParentTypes['ShipmentNotCancelled']> = {
  carrierReason?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  code?: Resolver<ResolversTypes['ProblemCode'], ParentType, ContextType>;
  message?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  refusalCode?: Resolver<Maybe<ResolversTypes['CancelRefusalCode']>, ParentType, ContextType>;
  retryable?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  shipment?: Resolver<ResolversTypes['Shipment'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type ShipmentNotFoundResolvers<ContextType = Context, ParentType extends ResolversParentTypes['ShipmentNotFound'] = ResolversParentTypes['ShipmentNotFound']> = {
  code?: Resolver<ResolversTypes['ProblemCode'], ParentType, ContextType>;
  message?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  retryable?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type ShipmentParcelResolvers<ContextType = Context, ParentType extends ResolversParentTypes['ShipmentParcel'] = ResolversParentTypes['ShipmentParcel']> = {
  count?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  freightClass?: Resolver<Maybe<ResolversTypes['Decimal']>, ParentType, ContextType>;
  heightCm?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
  lengthCm?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
  packaging?: Resolver<Maybe<ResolversTypes['Packaging']>, ParentType, ContextType>;
  shape?: Resolver<Maybe<ResolversTypes['ParcelShape']>, ParentType, ContextType>;
  stackable?: Resolver<Maybe<ResolversTypes['Boolean']>, ParentType, ContextType>;
  type?: Resolver<ResolversTypes['ParcelType'], ParentType, ContextType>;
  weight?: Resolver<Maybe<ResolversTypes['Weight']>, ParentType, ContextType>;
  widthCm?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
};

export type ShipmentServiceResolvers<ContextType = Context, ParentType extends ResolversParentTypes['ShipmentService'] = ResolversParentTypes['ShipmentService']> = {
  cashOnDelivery?: Resolver<Maybe<ResolversTypes['CollectedAmount']>, ParentType, ContextType>;
  dangerousGoods?: Resolver<ReadonlyArray<ResolversTypes['DangerousGoods']>, ParentType, ContextType>;
  service?: Resolver<ResolversTypes['Service'], ParentType, ContextType>;
  slot?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type TariffQuotaResolvers<ContextType = Context, ParentType extends ResolversParentTypes['TariffQuota'] = ResolversParentTypes['TariffQuota']> = {
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  orderNumber?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  ratePercent?: Resolver<Maybe<ResolversTypes['Decimal']>, ParentType, ContextType>;
  rule?: Resolver<ResolversTypes['CustomsRule'], ParentType, ContextType>;
};

export type TaxCoverageResolvers<ContextType = Context, ParentType extends ResolversParentTypes['TaxCoverage'] = ResolversParentTypes['TaxCoverage']> = {
  levied?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  ratePercent?: Resolver<Maybe<ResolversTypes['Decimal']>, ParentType, ContextType>;
};

export type TaxLineResolvers<ContextType = Context, ParentType extends ResolversParentTypes['TaxLine'] = ResolversParentTypes['TaxLine']> = {
  amount?: Resolver<ResolversTypes['Money'], ParentType, ContextType>;
  base?: Resolver<ResolversTypes['Money'], ParentType, ContextType>;
  basis?: Resolver<Maybe<ResolversTypes['DutyBasis']>, ParentType, ContextType>;
  calculated?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  collectedBy?: Resolver<ResolversTypes['TaxCollector'], ParentType, ContextType>;
  description?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  formula?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  hsCode?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  items?: Resolver<ReadonlyArray<ResolversTypes['TaxedItem']>, ParentType, ContextType>;
  kind?: Resolver<ResolversTypes['TaxKind'], ParentType, ContextType>;
  leastAmount?: Resolver<Maybe<ResolversTypes['Money']>, ParentType, ContextType>;
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  quotas?: Resolver<ReadonlyArray<ResolversTypes['TariffQuota']>, ParentType, ContextType>;
  ratePercent?: Resolver<Maybe<ResolversTypes['Decimal']>, ParentType, ContextType>;
  rateRange?: Resolver<Maybe<ResolversTypes['PercentRange']>, ParentType, ContextType>;
  reliability?: Resolver<ResolversTypes['Reliability'], ParentType, ContextType>;
  rule?: Resolver<Maybe<ResolversTypes['CustomsRule']>, ParentType, ContextType>;
  summary?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type TaxedItemResolvers<ContextType = Context, ParentType extends ResolversParentTypes['TaxedItem'] = ResolversParentTypes['TaxedItem']> = {
  amount?: Resolver<ResolversTypes['Money'], ParentType, ContextType>;
  contentItem?: Resolver<ResolversTypes['ContentItem'], ParentType, ContextType>;
  index?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
};

export type TrackingEventResolvers<ContextType = Context, ParentType extends ResolversParentTypes['TrackingEvent'] = ResolversParentTypes['TrackingEvent']> = {
  occurredAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  trackingNumber?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  type?: Resolver<ResolversTypes['TrackingEventType'], ParentType, ContextType>;
};

export type TrackingEventConnectionResolvers<ContextType = Context, ParentType extends ResolversParentTypes['TrackingEventConnection'] = ResolversParentTypes['TrackingEventConnection']> = {
  edges?: Resolver<ReadonlyArray<ResolversTypes['TrackingEventEdge']>, ParentType, ContextType>;
  nodes?: Resolver<ReadonlyArray<ResolversTypes['TrackingEvent']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
};

export type TrackingEventEdgeResolvers<ContextType = Context, ParentType extends ResolversParentTypes['TrackingEventEdge'] = ResolversParentTypes['TrackingEventEdge']> = {
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  node?: Resolver<ResolversTypes['TrackingEvent'], ParentType, ContextType>;
};

export type TransitTimeResolvers<ContextType = Context, ParentType extends ResolversParentTypes['TransitTime'] = ResolversParentTypes['TransitTime']> = {
  maxWorkingDays?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  minWorkingDays?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
};

export type WebhookDeliveryResolvers<ContextType = Context, ParentType extends ResolversParentTypes['WebhookDelivery'] = ResolversParentTypes['WebhookDelivery']> = {
  durationMs?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  endedAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  failure?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  sequence?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  shipmentId?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  status?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
  type?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type WebhookDeliveryConnectionResolvers<ContextType = Context, ParentType extends ResolversParentTypes['WebhookDeliveryConnection'] = ResolversParentTypes['WebhookDeliveryConnection']> = {
  edges?: Resolver<ReadonlyArray<ResolversTypes['WebhookDeliveryEdge']>, ParentType, ContextType>;
  nodes?: Resolver<ReadonlyArray<ResolversTypes['WebhookDelivery']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
};

export type WebhookDeliveryEdgeResolvers<ContextType = Context, ParentType extends ResolversParentTypes['WebhookDeliveryEdge'] = ResolversParentTypes['WebhookDeliveryEdge']> = {
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  node?: Resolver<ResolversTypes['WebhookDelivery'], ParentType, ContextType>;
};

export type WebhookEndpointResolvers<ContextType = Context, ParentType extends ResolversParentTypes['WebhookEndpoint'] = ResolversParentTypes['WebhookEndpoint']> = {
  createdAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  deliveries?: Resolver<ResolversTypes['WebhookDeliveryConnection'], ParentType, ContextType, Partial<WebhookEndpointDeliveriesArgs>>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  nextTryAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  state?: Resolver<ResolversTypes['WebhookEndpointState'], ParentType, ContextType>;
  types?: Resolver<Maybe<ReadonlyArray<ResolversTypes['String']>>, ParentType, ContextType>;
  url?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  waiting?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
};

export type WebhookNotFoundResolvers<ContextType = Context, ParentType extends ResolversParentTypes['WebhookNotFound'] = ResolversParentTypes['WebhookNotFound']> = {
  code?: Resolver<ResolversTypes['ProblemCode'], ParentType, ContextType>;
  message?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  retryable?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type WebhookReplayedResolvers<ContextType = Context, ParentType extends ResolversParentTypes['WebhookReplayed'] = ResolversParentTypes['WebhookReplayed']> = {
  alreadyReplayed?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  endpoint?: Resolver<ResolversTypes['WebhookEndpoint'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type WeightResolvers<ContextType = Context, ParentType extends ResolversParentTypes['Weight'] = ResolversParentTypes['Weight']> = {
  kilograms?: Resolver<ResolversTypes['Decimal'], ParentType, ContextType>;
};

export interface _AnyScalarConfig extends GraphQLScalarTypeConfig<ResolversTypes['_Any'], any> {
  name: '_Any';
}

export type _EntityResolvers<ContextType = Context, ParentType extends ResolversParentTypes['_Entity'] = ResolversParentTypes['_Entity']> = {
  __resolveType: TypeResolveFn<'Carrier' | 'Product' | 'Shipment', ParentType, ContextType>;
};

export type _ServiceResolvers<ContextType = Context, ParentType extends ResolversParentTypes['_Service'] = ResolversParentTypes['_Service']> = {
  sdl?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export interface Federation__FieldSetScalarConfig extends GraphQLScalarTypeConfig<ResolversTypes['federation__FieldSet'], any> {
  name: 'federation__FieldSet';
}

export interface Link__ImportScalarConfig extends GraphQLScalarTypeConfig<ResolversTypes['link__Import'], any> {
  name: 'link__Import';
}

export type Resolvers<ContextType = Context> = {
  AlternativeEstimate?: AlternativeEstimateResolvers<ContextType>;
  AppliedRule?: AppliedRuleResolvers<ContextType>;
  AvailableService?: AvailableServiceResolvers<ContextType>;
  BookShipmentResult?: BookShipmentResultResolvers<ContextType>;
  CancelAttempt?: CancelAttemptResolvers<ContextType>;
  CancelShipmentResult?: CancelShipmentResultResolvers<ContextType>;
  CancellationPending?: CancellationPendingResolvers<ContextType>;
  Carrier?: CarrierResolvers<ContextType>;
  ChapterCoverage?: ChapterCoverageResolvers<ContextType>;
  ChargeableParcel?: ChargeableParcelResolvers<ContextType>;
  CheckoutToken?: CheckoutTokenResolvers<ContextType>;
  Classification?: ClassificationResolvers<ContextType>;
  ClassificationOption?: ClassificationOptionResolvers<ContextType>;
  ClassificationQuestion?: ClassificationQuestionResolvers<ContextType>;
  ClassifyResult?: ClassifyResultResolvers<ContextType>;
  ClearanceFee?: ClearanceFeeResolvers<ContextType>;
  CollectedAmount?: CollectedAmountResolvers<ContextType>;
  Contact?: ContactResolvers<ContextType>;
  ContentItem?: ContentItemResolvers<ContextType>;
  ConvertedPrice?: ConvertedPriceResolvers<ContextType>;
  CountryCode?: GraphQLScalarType;
  CountryCoverage?: CountryCoverageResolvers<ContextType>;
  CreateCheckoutTokenResult?: CreateCheckoutTokenResultResolvers<ContextType>;
  CreateDraftShipmentResult?: CreateDraftShipmentResultResolvers<ContextType>;
  CustomsCoverage?: CustomsCoverageResolvers<ContextType>;
  CustomsCoverageResult?: CustomsCoverageResultResolvers<ContextType>;
  CustomsDeclaration?: CustomsDeclarationResolvers<ContextType>;
  CustomsDeclarationResult?: CustomsDeclarationResultResolvers<ContextType>;
  CustomsRule?: CustomsRuleResolvers<ContextType>;
  DangerousGoods?: DangerousGoodsResolvers<ContextType>;
  DataSet?: DataSetResolvers<ContextType>;
  Date?: GraphQLScalarType;
  DateTime?: GraphQLScalarType;
  Decimal?: GraphQLScalarType;
  DeclarationField?: DeclarationFieldResolvers<ContextType>;
  DeclaredItem?: DeclaredItemResolvers<ContextType>;
  DeclinedProduct?: DeclinedProductResolvers<ContextType>;
  DescriptionProblem?: DescriptionProblemResolvers<ContextType>;
  DraftPriceExpired?: DraftPriceExpiredResolvers<ContextType>;
  DraftQuotaExceeded?: DraftQuotaExceededResolvers<ContextType>;
  DraftShipmentCreated?: DraftShipmentCreatedResolvers<ContextType>;
  DutiesEstimate?: DutiesEstimateResolvers<ContextType>;
  DutiesEstimateResult?: DutiesEstimateResultResolvers<ContextType>;
  EstimateQuotaExceeded?: EstimateQuotaExceededResolvers<ContextType>;
  EstimateRange?: EstimateRangeResolvers<ContextType>;
  EstimateSaved?: EstimateSavedResolvers<ContextType>;
  ExchangeRate?: ExchangeRateResolvers<ContextType>;
  FieldProblem?: FieldProblemResolvers<ContextType>;
  GoodsFacts?: GoodsFactsResolvers<ContextType>;
  H7Declaration?: H7DeclarationResolvers<ContextType>;
  HsAlternative?: HsAlternativeResolvers<ContextType>;
  HsCandidate?: HsCandidateResolvers<ContextType>;
  HsCandidates?: HsCandidatesResolvers<ContextType>;
  HsProposal?: HsProposalResolvers<ContextType>;
  IdempotencyConflict?: IdempotencyConflictResolvers<ContextType>;
  InputProblem?: InputProblemResolvers<ContextType>;
  ItemEstimate?: ItemEstimateResolvers<ContextType>;
  ItemQuantity?: ItemQuantityResolvers<ContextType>;
  ItemTax?: ItemTaxResolvers<ContextType>;
  KeptEstimate?: KeptEstimateResolvers<ContextType>;
  KeptTaxLine?: KeptTaxLineResolvers<ContextType>;
  LandedCost?: LandedCostResolvers<ContextType>;
  LandedCostOption?: LandedCostOptionResolvers<ContextType>;
  LandedCostPayment?: LandedCostPaymentResolvers<ContextType>;
  LandedCostResult?: LandedCostResultResolvers<ContextType>;
  MissingField?: MissingFieldResolvers<ContextType>;
  Money?: MoneyResolvers<ContextType>;
  Mutation?: MutationResolvers<ContextType>;
  OptionExpired?: OptionExpiredResolvers<ContextType>;
  OptionNotAvailable?: OptionNotAvailableResolvers<ContextType>;
  OtherSchemeEstimate?: OtherSchemeEstimateResolvers<ContextType>;
  PageInfo?: PageInfoResolvers<ContextType>;
  ParcelCancellation?: ParcelCancellationResolvers<ContextType>;
  PercentRange?: PercentRangeResolvers<ContextType>;
  Place?: PlaceResolvers<ContextType>;
  PriceLine?: PriceLineResolvers<ContextType>;
  Problem?: ProblemResolvers<ContextType>;
  Product?: ProductResolvers<ContextType>;
  Query?: QueryResolvers<ContextType>;
  RateOption?: RateOptionResolvers<ContextType>;
  RateQuote?: RateQuoteResolvers<ContextType>;
  RatesBatch?: RatesBatchResolvers<ContextType>;
  RatesBatchResult?: RatesBatchResultResolvers<ContextType>;
  RatesResult?: RatesResultResolvers<ContextType>;
  ReplayWebhookResult?: ReplayWebhookResultResolvers<ContextType>;
  Restriction?: RestrictionResolvers<ContextType>;
  RestrictionRule?: RestrictionRuleResolvers<ContextType>;
  RuleFigure?: RuleFigureResolvers<ContextType>;
  SaveEstimateResult?: SaveEstimateResultResolvers<ContextType>;
  SecondOpinion?: SecondOpinionResolvers<ContextType>;
  SellerRegistration?: SellerRegistrationResolvers<ContextType>;
  SellerScheme?: SellerSchemeResolvers<ContextType>;
  Shipment?: ShipmentResolvers<ContextType>;
  ShipmentBooked?: ShipmentBookedResolvers<ContextType>;
  ShipmentCancelled?: ShipmentCancelledResolvers<ContextType>;
  ShipmentConnection?: ShipmentConnectionResolvers<ContextType>;
  ShipmentEdge?: ShipmentEdgeResolvers<ContextType>;
  ShipmentNotBooked?: ShipmentNotBookedResolvers<ContextType>;
  ShipmentNotCancelled?: ShipmentNotCancelledResolvers<ContextType>;
  ShipmentNotFound?: ShipmentNotFoundResolvers<ContextType>;
  ShipmentParcel?: ShipmentParcelResolvers<ContextType>;
  ShipmentService?: ShipmentServiceResolvers<ContextType>;
  TariffQuota?: TariffQuotaResolvers<ContextType>;
  TaxCoverage?: TaxCoverageResolvers<ContextType>;
  TaxLine?: TaxLineResolvers<ContextType>;
  TaxedItem?: TaxedItemResolvers<ContextType>;
  TrackingEvent?: TrackingEventResolvers<ContextType>;
  TrackingEventConnection?: TrackingEventConnectionResolvers<ContextType>;
  TrackingEventEdge?: TrackingEventEdgeResolvers<ContextType>;
  TransitTime?: TransitTimeResolvers<ContextType>;
  WebhookDelivery?: WebhookDeliveryResolvers<ContextType>;
  WebhookDeliveryConnection?: WebhookDeliveryConnectionResolvers<ContextType>;
  WebhookDeliveryEdge?: WebhookDeliveryEdgeResolvers<ContextType>;
  WebhookEndpoint?: WebhookEndpointResolvers<ContextType>;
  WebhookNotFound?: WebhookNotFoundResolvers<ContextType>;
  WebhookReplayed?: WebhookReplayedResolvers<ContextType>;
  Weight?: WeightResolvers<ContextType>;
  _Any?: GraphQLScalarType;
  _Entity?: _EntityResolvers<ContextType>;
  _Service?: _ServiceResolvers<ContextType>;
  federation__FieldSet?: GraphQLScalarType;
  link__Import?: GraphQLScalarType;
};

export type DirectiveResolvers<ContextType = Context> = {
  cost?: CostDirectiveResolver<any, any, ContextType>;
  key?: KeyDirectiveResolver<any, any, ContextType>;
  link?: LinkDirectiveResolver<any, any, ContextType>;
  listSize?: ListSizeDirectiveResolver<any, any, ContextType>;
  shareable?: ShareableDirectiveResolver<any, any, ContextType>;
};
