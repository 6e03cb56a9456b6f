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
  /** A country: ISO 3166-1 alpha-2, such as "NL". */
  CountryCode: { input: string; output: string; }
  /** An instant, ISO 8601 with an offset, such as "2026-11-21T09:30:00Z". */
  DateTime: { input: string; output: string; }
  /** An exact decimal, sent and returned as text such as "12.50". Never a float. Numbers are accepted as input too. */
  Decimal: { input: string; output: string; }
};

/** The estimate of the same request, were the code of one item another one. */
export type AlternativeOutcome = {
  readonly __typename?: 'AlternativeOutcome';
  /** False when a line could not be computed or an item has no code. */
  readonly complete: Scalars['Boolean']['output'];
  /** What the total would be more, or less, than the estimate as it stands, in euro. */
  readonly difference: Money;
  /** The total in euro: exactly the sum of `taxes`. */
  readonly estimate: Money;
  /** One line per commodity code and tax. */
  readonly taxes: ReadonlyArray<TaxLine>;
};

/** The rule behind one item of a price. */
export type AppliedRule = {
  readonly __typename?: 'AppliedRule';
  /** The code of the rate card, such as "demo", that the rule stands in or that it was applied to. */
  readonly card: Scalars['String']['output'];
  /** The calculation in words and figures; says so where an amount is rounded. */
  readonly formula: Scalars['String']['output'];
  /** Names the rule within the version of the card. */
  readonly id: Scalars['ID']['output'];
  /** All that went into it by name: the figures of the formula, and what they rest on. Names are unique within a rule. */
  readonly inputs: ReadonlyArray<RuleInput>;
  /** The first day the rule holds, YYYY-MM-DD. */
  readonly validFrom: Scalars['String']['output'];
  /** The number of the card's version; versions never change. */
  readonly version: Scalars['Int']['output'];
};

/** Which draft to book. */
export type BookShipmentInput = {
  /** The id of a draft. */
  readonly shipmentId: Scalars['ID']['input'];
};

/** How booking ended. */
export type BookShipmentResult = ShipmentBooked | ShipmentNotBooked | ShipmentNotFound;

/** One attempt to cancel a shipment at its carrier. */
export type CancelAttempt = {
  readonly __typename?: 'CancelAttempt';
  /** When it began. */
  readonly at: Scalars['DateTime']['output'];
  /** The carrier's own code of its refusal; null where it has none. */
  readonly carrierCode?: Maybe<Scalars['String']['output']>;
  /** Why the carrier refused, in its own words; null unless it did. */
  readonly carrierMessage?: Maybe<Scalars['String']['output']>;
  /** When the carrier is asked again at the latest, unless an answer comes before; null once its end is known. */
  readonly nextTryAt?: Maybe<Scalars['DateTime']['output']>;
  /** How it ended, or that it has not. */
  readonly outcome: CancelAttemptOutcome;
  /** Why the carrier refused, in words that are the same for all carriers; null unless it did. */
  readonly refusalCode?: Maybe<CancelRefusalCode>;
  /** How often the carrier was asked; always with the same idempotency key. 0 where the carrier had cancelled by itself. */
  readonly sends: Scalars['Int']['output'];
  /** When its end was known; null while it is open. */
  readonly settledAt?: Maybe<Scalars['DateTime']['output']>;
};

/** How an attempt to cancel stands. */
export type CancelAttemptOutcome =
  /** The carrier cancelled. */
  | 'ACCEPTED'
  /** The carrier has not confirmed yet. */
  | 'PENDING'
  /** The carrier refused for good. */
  | 'REFUSED';

/** Why a carrier refuses to cancel, whatever its own codes are. */
export type CancelRefusalCode =
  /** Any other final no; the carrier's words say more. */
  | 'NOT_CANCELLABLE'
  /** The parcel is picked up or scanned. */
  | 'SCANNED'
  /** The carrier knows no such parcel. */
  | 'UNKNOWN_PARCEL'
  /** The carrier's time for cancelling has passed. */
  | 'WINDOW_CLOSED';

/** Which shipment to cancel. */
export type CancelShipmentInput = {
  /** The id returned when it was created. */
  readonly shipmentId: Scalars['ID']['input'];
};

/** How a cancellation ended. */
export type CancelShipmentResult = CancellationPending | ShipmentCancelled | ShipmentNotCancelled | ShipmentNotFound;

/** The carrier was asked and has not confirmed. The attempt is kept; repeat the same request to learn its end. */
export type CancellationPending = Problem & {
  readonly __typename?: 'CancellationPending';
  /** CARRIER_UNREACHABLE. */
  readonly code: ProblemCode;
  /** For people. */
  readonly message: Scalars['String']['output'];
  /** Always true. */
  readonly retryable: Scalars['Boolean']['output'];
  /** The shipment as it stands. */
  readonly shipment: Shipment;
};

/** A carrier whose products are sold here. */
export type Carrier = {
  readonly __typename?: 'Carrier';
  /** Its code, such as "rondeel". */
  readonly id: Scalars['ID']['output'];
  /** Its name, such as "Rondeel Parcel". */
  readonly name: Scalars['String']['output'];
  /** Its products in the published rate cards, by id. */
  readonly products: ReadonlyArray<Product>;
};

/** The weights of one unit of a parcel row. */
export type ChargeableParcel = {
  readonly __typename?: 'ChargeableParcel';
  /** The weight on the scales. */
  readonly actual: Weight;
  /** The weight that is billed: the larger of the two, rounded up to the rate card's step. */
  readonly chargeable: Weight;
  /** How many units the row has. */
  readonly count: Scalars['Int']['output'];
  /** Cubic centimetres per kilogram; null where the product does not divide volume. */
  readonly divisor?: Maybe<Scalars['Int']['output']>;
  /** Which row of the input, from 0. */
  readonly parcelIndex: Scalars['Int']['output'];
  /** The weight its volume counts as; 0 where the product has no such rule. */
  readonly volumetric: Weight;
};

/** The code of an item. */
export type Classification = {
  readonly __typename?: 'Classification';
  /** Other codes the description may mean, likeliest first, at most five; empty for a given code. */
  readonly alternatives: ReadonlyArray<HsAlternative>;
  /** The digits as given, or six digits when found from the description. */
  readonly code: Scalars['String']['output'];
  /** How sure a found code is: the share of descriptions like this one for which the first code was right, 0 to 1; null for a given one. */
  readonly confidence?: Maybe<Scalars['Float']['output']>;
  /** What would have to be known to be sure of a found code, such as "Knitted or woven?"; empty where nothing is open, and for a given code. */
  readonly questions: ReadonlyArray<Scalars['String']['output']>;
  /** Where a given code and the description disagree: what the description rather means. Null where they agree, where the description says too little, and for a found code. The estimate always uses the given code. */
  readonly secondOpinion?: Maybe<SecondOpinion>;
  /** Where the code comes from. */
  readonly source: ClassificationSource;
};

/** Where a code comes from. */
export type ClassificationSource =
  /** Found from the description. */
  | 'FROM_DESCRIPTION'
  /** The caller gave it. */
  | 'GIVEN';

/** How sure a figure of the reference data is. */
export type Confidence =
  /** Sure. */
  | 'HIGH'
  /** Unsure, or not verified; `description` says so. */
  | 'LOW'
  /** Less sure; `description` says so. */
  | 'MEDIUM';

/** One kind of goods in a shipment. */
export type ContentItemInput = {
  /** Value of one of them in euro, at most four decimals and 1,000,000,000; all of them together at most 10,000,000,000. */
  readonly cost: Scalars['Decimal']['input'];
  /** A clear description of the goods, at most 500 characters; the HS code is found from it when `tariff` is not given. */
  readonly description: Scalars['String']['input'];
  /** How many of them, 1 to 1,000,000. */
  readonly numberOfItems: Scalars['Int']['input'];
  /** Country of origin of the goods; never assumed for a relief. */
  readonly originCountry?: InputMaybe<Scalars['CountryCode']['input']>;
  /** Other quantities of one item that a tariff may charge by, 1 to 10 of them. */
  readonly quantities?: InputMaybe<ReadonlyArray<ItemQuantityInput>>;
  /** HS or commodity code, 6 to 12 digits, of which the first 10 count; dots and blanks are ignored. */
  readonly tariff?: InputMaybe<Scalars['String']['input']>;
  /** Net weight of one item in kilograms, at most three decimals and 1,000,000; duties per weight cannot be worked out without it. */
  readonly weightKg?: InputMaybe<Scalars['Decimal']['input']>;
};

/** A rates request and the option to keep. */
export type CreateDraftShipmentInput = {
  /** The product id of one of its options. */
  readonly preferredShippingOption: Scalars['ID']['input'];
  /** The request, as for `rates`. `asOf` is refused, since a shipment is created at the price of now; so are `filter` and a `sort` other than PRICE, since the option is chosen by its id. */
  readonly rates: RatesInput;
};

/** How creating a draft ended. */
export type CreateDraftShipmentResult = DraftShipmentCreated | InputProblem | OptionNotAvailable;

/** The currencies prices and estimates come in. */
export type CurrencyCode =
  /** Euro. */
  | 'EUR';

/** A set of reference data. */
export type DataSet = {
  readonly __typename?: 'DataSet';
  /** The day it was published or gathered, YYYY-MM-DD. */
  readonly date: Scalars['String']['output'];
  /** Its name here, such as "tariff-eu". */
  readonly name: Scalars['String']['output'];
  /** Who published it, and where it was taken from. */
  readonly source: Scalars['String']['output'];
  /** What it is called in descriptions of lines. */
  readonly title: Scalars['String']['output'];
};

/** Why a product is not offered. */
export type DeclineCode =
  /** The account's contract leaves the product out. */
  | 'NOT_ON_ACCOUNT'
  /** A unit is too large. */
  | 'OVER_SIZE'
  /** A unit or the whole shipment is too heavy. */
  | 'OVER_WEIGHT'
  /** The product is not for this kind of recipient. */
  | 'RECIPIENT_NOT_SERVED'
  /** The product does not run between these places. */
  | 'ROUTE_NOT_SERVED'
  /** The shipment has more units than the product takes. */
  | 'TOO_MANY_UNITS'
  /** The product does not carry this parcel type. */
  | 'TYPE_NOT_CARRIED'
  /** The value cannot be insured with this product. */
  | 'VALUE_NOT_INSURABLE';

/** A product that was looked at and not offered. */
export type DeclinedProduct = {
  readonly __typename?: 'DeclinedProduct';
  /** The actual figure, in the unit the message names; null where there is none. */
  readonly actual?: Maybe<Scalars['Decimal']['output']>;
  /** The reason, for programs. */
  readonly code: DeclineCode;
  /** The limit that was passed, in the unit the message names; null where there is none. */
  readonly limit?: Maybe<Scalars['Decimal']['output']>;
  /** The reason, for people, with limit and actual figure. */
  readonly message: Scalars['String']['output'];
  /** The product. */
  readonly product: Product;
};

/** The draft is kept. */
export type DraftShipmentCreated = {
  readonly __typename?: 'DraftShipmentCreated';
  /** The new shipment, in state DRAFT. */
  readonly shipment: Shipment;
};

/** Estimated import duties and taxes. What customs charges may differ. */
export type DutiesEstimate = {
  readonly __typename?: 'DutiesEstimate';
  /** False when a line could not be computed or an item has no code; the lines and problems say which. */
  readonly complete: Scalars['Boolean']['output'];
  /** Customs value of all items in euro: the goods, with freight and insurance where the destination counts them. */
  readonly customsValue: Money;
  /** The day whose rules were used, in UTC, YYYY-MM-DD. */
  readonly date: Scalars['String']['output'];
  /** The total in euro: exactly the sum of `taxes`. */
  readonly estimate: Money;
  /** Code of the item with the greatest customs value; empty when no item has a code. */
  readonly hsCode: Scalars['String']['output'];
  /** The items, in the order of the input. */
  readonly items: ReadonlyArray<ItemEstimate>;
  /** One line per commodity code and tax, duties before taxes, in the order of the items. */
  readonly taxes: ReadonlyArray<TaxLine>;
};

/** A route and the goods sent on it. */
export type DutiesEstimateInput = {
  /** Estimate with the rules in force on the UTC day of this instant. Default: now. */
  readonly asOf?: InputMaybe<Scalars['DateTime']['input']>;
  /** The goods: 1 to 99 kinds. */
  readonly contentItems: ReadonlyArray<ContentItemInput>;
  /** Where the goods are sent from. */
  readonly from: PlaceInput;
  /** Insurance to the border of the destination in euro, at most two decimals and 1,000,000,000; it counts where `shippingCost` does. Default: none is known of. */
  readonly insurance?: InputMaybe<Scalars['Decimal']['input']>;
  /** Whether preferences of trade agreements are claimed for items that name their origin; false: the duty that all others pay. */
  readonly preferences?: InputMaybe<Scalars['Boolean']['input']>;
  /** Who receives the goods; some low-value rules are for individuals only. Default: INDIVIDUAL, as in a sale to a consumer, and the lines that rest on it say so. */
  readonly recipientType?: InputMaybe<RecipientType>;
  /** Transport cost to the border of the destination in euro, at most two decimals and 1,000,000,000; in the customs value where the destination counts it. Default: none is known of. */
  readonly shippingCost?: InputMaybe<Scalars['Decimal']['input']>;
  /** Where they are imported. */
  readonly to: PlaceInput;
};

/** Either an estimate or what is wrong with the input. */
export type DutiesEstimateResult = DutiesEstimate | InputProblem;

/** One fault of one input field. */
export type FieldProblem = {
  readonly __typename?: 'FieldProblem';
  /** Why, for programs: REQUIRED, WRONG_TYPE, MALFORMED, OUT_OF_RANGE, TOO_LONG, TOO_MANY, UNKNOWN_VALUE, CONFLICT or UNCLASSIFIABLE. */
  readonly code: Scalars['String']['output'];
  /** Why, for people. */
  readonly message: Scalars['String']['output'];
  /** Where, from the input inwards: ["parcels", "0", "weightKg"]. */
  readonly path: ReadonlyArray<Scalars['String']['output']>;
};

/** Another code that a description may mean, and what it would cost. */
export type HsAlternative = {
  readonly __typename?: 'HsAlternative';
  /** Six digits, HS 2022. */
  readonly code: Scalars['String']['output'];
  /** How sure, 0 to 1. */
  readonly confidence: Scalars['Float']['output'];
  /** What the code covers, in short. */
  readonly description: Scalars['String']['output'];
  /** What its heading (the first four digits) covers, in short; null where that is not known. */
  readonly heading?: Maybe<Scalars['String']['output']>;
  /** The words and phrases that led to it. */
  readonly matchedTerms: ReadonlyArray<Scalars['String']['output']>;
  /** The estimate if the item had this code, all other items as they are. It costs another estimate of all items for each alternative of each item; `difference` alone costs less than `taxes`. */
  readonly outcome: AlternativeOutcome;
  /** What would decide for it rather than for the first code, such as "Of which material?"; empty where the goods themselves would have to be others. */
  readonly questions: ReadonlyArray<Scalars['String']['output']>;
};

/** An HS code that a description may mean. */
export type HsCandidate = {
  readonly __typename?: 'HsCandidate';
  /** Six digits, HS 2022. */
  readonly code: Scalars['String']['output'];
  /** How sure, 0 to 1. For the first one: the share of descriptions like this one for which the first code was right; the others share what is left. */
  readonly confidence: Scalars['Float']['output'];
  /** What the code covers, in short. */
  readonly description: Scalars['String']['output'];
  /** What its heading (the first four digits) covers, in short; null where that is not known. */
  readonly heading?: Maybe<Scalars['String']['output']>;
  /** The words and phrases that led to it. */
  readonly matchedTerms: ReadonlyArray<Scalars['String']['output']>;
  /** For the first code, what would have to be known to be sure of it ("Knitted or woven?"); for another, what would decide for it. Empty where the goods themselves would have to be others. */
  readonly questions: ReadonlyArray<Scalars['String']['output']>;
};

/** The input cannot be carried out as it stands. All faults are named at once, up to a limit. */
export type InputProblem = Problem & {
  readonly __typename?: 'InputProblem';
  /** INVALID_INPUT or UNCLASSIFIABLE. */
  readonly code: ProblemCode;
  /** Every fault, in the order of the input: 100 at most. Where there are more, the last entry has an empty path and says how many. */
  readonly fields: ReadonlyArray<FieldProblem>;
  /** A summary; the faults are in `fields`. */
  readonly message: Scalars['String']['output'];
  /** Always false: the same input fails again. */
  readonly retryable: Scalars['Boolean']['output'];
};

/** One item of the input. */
export type ItemEstimate = {
  readonly __typename?: 'ItemEstimate';
  /** Its code and where it comes from; null when none could be found. */
  readonly classification?: Maybe<Classification>;
  /** Value per item times number of items in euro, with its share of freight and insurance where the destination counts them. */
  readonly customsValue: Money;
  /** Its share of all lines in euro: exactly the sum of `taxes`. The shares of all items add up to `DutiesEstimate.estimate`. */
  readonly estimate: Money;
  /** Which item of the input, from 0. */
  readonly index: Scalars['Int']['output'];
  /** Why the item has no lines; null when all is well. */
  readonly problem?: Maybe<InputProblem>;
  /** Its share of each line that it is in: by customs value, in whole cents that add up to the line. */
  readonly taxes: ReadonlyArray<ItemTax>;
};

/** A quantity of one item, such as 0.75 "l" or 2 "m2". */
export type ItemQuantityInput = {
  /** How many of the unit one item has, at most six decimals and 1,000,000. */
  readonly amount: Scalars['Decimal']['input'];
  /** The unit, as tariffs spell it: "l", "hl", "m", "m2", "m3", "l pure alcohol", "kg net drained wt"… A unit that is not known counts for tariffs that spell it the same. */
  readonly unit: Scalars['String']['input'];
};

/** What an item bears of a line. */
export type ItemTax = {
  readonly __typename?: 'ItemTax';
  /** The item's share of the line's amount, in euro. */
  readonly amount: Money;
  /** The commodity code of the line. */
  readonly harmonizedCode: Scalars['String']['output'];
  /** Which line of `DutiesEstimate.taxes`, from 0. */
  readonly line: Scalars['Int']['output'];
  /** The name of the line. */
  readonly name: Scalars['String']['output'];
};

/** What goods cost when they have arrived, for each way to send them. */
export type LandedCost = {
  readonly __typename?: 'LandedCost';
  /** Products that were looked at and not offered, with the reason. The filter does not touch them. */
  readonly declined: ReadonlyArray<DeclinedProduct>;
  /** How many options the filter left out. */
  readonly filteredOut: Scalars['Int']['output'];
  /** The options that pass the filter, in the order that `rates` has them. */
  readonly options: ReadonlyArray<LandedCostOption>;
  /** The published rate cards that priced the options, such as "demo@1". */
  readonly tariffVersion: Scalars['String']['output'];
};

/** Goods and the shipping options to compare for them. */
export type LandedCostInput = {
  /** The goods in the parcels: 1 to 99 kinds. They need not add up to `totalValue`. */
  readonly contentItems: ReadonlyArray<ContentItemInput>;
  /** Insurance bought elsewhere, in euro, at most two decimals and 1,000,000,000: in the customs value where freight is, and in the total. Insurance with the carrier (`rates.insured`) is in the options' prices already. Default: none. */
  readonly insurance?: InputMaybe<Scalars['Decimal']['input']>;
  /** Whether preferences of trade agreements are claimed for items that name their origin; false: the duty that all others pay. */
  readonly preferences?: InputMaybe<Scalars['Boolean']['input']>;
  /** The route, the parcels and who receives them, as for `rates`; `filter` and `sort` choose the options, `asOf` the day of prices, duties and taxes alike. */
  readonly rates: RatesInput;
};

/** A shipping option with the duties and taxes on goods that are sent with it. */
export type LandedCostOption = {
  readonly __typename?: 'LandedCostOption';
  /** Duties and taxes with the option's whole price as transport cost to the border: it is in the customs value, or in the base of the tax, where the destination counts freight. Insurance within the price is not told apart. The price is without VAT; tax on transport is in the estimate only where the destination counts freight. */
  readonly duties: DutiesEstimate;
  /** Value of the goods in euro: value per item times number of items, all items together, rounded once. */
  readonly goods: Money;
  /** The option, exactly as `rates` has it. */
  readonly rate: RateOption;
  /** The landed cost in euro: exactly `goods`, `rate.price`, the `insurance` of the input and `duties.estimate` together. It is as complete as `duties` is: see `duties.complete`. */
  readonly total: Money;
};

/** Either the landed cost of each option or what is wrong with the input. */
export type LandedCostResult = InputProblem | LandedCost;

/** The published rule behind a line, as the data set has it. */
export type MeasureSource = {
  readonly __typename?: 'MeasureSource';
  /** The agreement of a preference ("EU-UK TCA") or the law of an additional duty; null where there is none to name. */
  readonly agreement?: Maybe<Scalars['String']['output']>;
  /** The digits it is published for; null where it is for all codes. */
  readonly codePrefix?: Maybe<Scalars['String']['output']>;
  /** How sure the figure is. */
  readonly confidence: Confidence;
  /** Where the figure was published; null when the data set is not described. */
  readonly dataSet?: Maybe<DataSet>;
  /** The country of origin or group of countries it is for; null where it is for all. */
  readonly origin?: Maybe<Scalars['String']['output']>;
  /** Where the code stands for several national lines of different rates: the range of them, `rate` being the usual one. Null where they are all the same, or one line decided. */
  readonly range?: Maybe<RateRange>;
  /** The rate as published, such as "12%" or "9% + 9 EUR/100 kg"; null where none is. */
  readonly rate?: Maybe<Scalars['String']['output']>;
  /** What it is, in the data's own word: the type of a measure ("third_country_duty"), the code of a tax ("VAT") or fee, or the kind of a low-value rule ("relief_up_to"). */
  readonly type: Scalars['String']['output'];
  /** The first day it holds, YYYY-MM-DD; null where it is not said. */
  readonly validFrom?: Maybe<Scalars['String']['output']>;
  /** The first day it holds no more, YYYY-MM-DD; null while no end is known. */
  readonly validTo?: Maybe<Scalars['String']['output']>;
};

/** An amount of money. */
export type Money = {
  readonly __typename?: 'Money';
  /** Exact to the cent, two decimals: "12.50". */
  readonly amount: Scalars['Decimal']['output'];
  /** The currency of `amount`. */
  readonly currency: CurrencyCode;
};

export type Mutation = {
  readonly __typename?: 'Mutation';
  /** Books a draft with its carrier. Safe to repeat. */
  readonly bookShipment: BookShipmentResult;
  /** Cancels a draft here, or a booked shipment with its carrier. Safe to repeat. */
  readonly cancelShipment: CancelShipmentResult;
  /** Keeps a rate option as a draft shipment; nothing is sent to a carrier. */
  readonly createDraftShipment: CreateDraftShipmentResult;
};


export type MutationBookShipmentArgs = {
  input: BookShipmentInput;
};


export type MutationCancelShipmentArgs = {
  input: CancelShipmentInput;
};


export type MutationCreateDraftShipmentArgs = {
  input: CreateDraftShipmentInput;
};

/** The preferred shipping option is not offered for this request. */
export type OptionNotAvailable = Problem & {
  readonly __typename?: 'OptionNotAvailable';
  /** OPTION_NOT_AVAILABLE. */
  readonly code: ProblemCode;
  /** For people; says why the product was declined where it is known. */
  readonly message: Scalars['String']['output'];
  /** Always false. */
  readonly retryable: Scalars['Boolean']['output'];
};

/** Where a page of a connection lies. */
export type PageInfo = {
  readonly __typename?: 'PageInfo';
  /** Cursor of the last edge, for `after`; null on an empty page. */
  readonly endCursor?: Maybe<Scalars['String']['output']>;
  /** More edges follow. */
  readonly hasNextPage: Scalars['Boolean']['output'];
  /** Edges precede this page. */
  readonly hasPreviousPage: Scalars['Boolean']['output'];
  /** Cursor of the first edge; null on an empty page. */
  readonly startCursor?: Maybe<Scalars['String']['output']>;
};

/** One row of equal parcels. */
export type ParcelInput = {
  /** How many units, 1 to 999. */
  readonly count: Scalars['Int']['input'];
  /** Height of one unit in whole centimetres; required for NONDOC and PALLET. */
  readonly heightCm?: InputMaybe<Scalars['Int']['input']>;
  /** Length of one unit in whole centimetres; required for NONDOC and PALLET. */
  readonly lengthCm?: InputMaybe<Scalars['Int']['input']>;
  /** Whether other freight may stand on the pallet; required for PALLET. */
  readonly stackable?: InputMaybe<Scalars['Boolean']['input']>;
  /** What the row holds. */
  readonly type: ParcelType;
  /** Weight of one unit in kilograms, at most one decimal; required for NONDOC and PALLET. */
  readonly weightKg?: InputMaybe<Scalars['Decimal']['input']>;
  /** Width of one unit in whole centimetres; required for NONDOC and PALLET. */
  readonly widthCm?: InputMaybe<Scalars['Int']['input']>;
};

/** What a parcel row holds. All rows of one request are of the same type. */
export type ParcelType =
  /** Documents. */
  | 'DOC'
  /** A parcel. */
  | 'NONDOC'
  /** A pallet. */
  | 'PALLET';

/** One end of a route, as the caller gave it. */
export type Place = {
  readonly __typename?: 'Place';
  /** City as given. */
  readonly city?: Maybe<Scalars['String']['output']>;
  /** Country of this end. */
  readonly country: Scalars['CountryCode']['output'];
  /** Postal code as given. */
  readonly zipcode?: Maybe<Scalars['String']['output']>;
};

/** One end of a route. Without zipcode and city the capital of the country is meant. */
export type PlaceInput = {
  /** City. It counts where there is no zipcode, or where a carrier lists places of the country by city alone; a city that nobody lists gets the country's defaults. */
  readonly city?: InputMaybe<Scalars['String']['input']>;
  /** Country of this end. */
  readonly country: Scalars['CountryCode']['input'];
  /** Postal code, in the country's own notation; it decides areas and special territories. */
  readonly zipcode?: InputMaybe<Scalars['String']['input']>;
};

/** One item of a price. */
export type PriceLine = {
  readonly __typename?: 'PriceLine';
  /** Its amount in euro, excluding VAT; below zero where it takes something off. */
  readonly amount: Money;
  /** Its name, such as "Freight" or "Fuel surcharge". */
  readonly item: Scalars['String']['output'];
  /** What kind of item it is. */
  readonly kind: PriceLineKind;
  /** For surcharges: why it applies. */
  readonly reason?: Maybe<Scalars['String']['output']>;
  /** The rule that it was worked out by, and with which figures: enough to do the sum by hand. */
  readonly rule: AppliedRule;
};

/** The kinds of price items. */
export type PriceLineKind =
  /** The freight itself, as listed. */
  | 'BASE'
  /** What the account's contract takes off the freight, or adds. */
  | 'DISCOUNT'
  /** Fuel surcharge. */
  | 'FUEL'
  /** Heavy, not stackable or otherwise handled by hand. */
  | 'HANDLING'
  /** Insurance of the declared value. */
  | 'INSURANCE'
  /** Any other surcharge, such as a road toll or a season. */
  | 'OTHER'
  /** Larger than the carrier's machines take. */
  | 'OVERSIZE'
  /** Remote, island or overseas area at either end. */
  | 'REMOTE_AREA'
  /** Delivery to a private person. */
  | 'RESIDENTIAL';

/** Any end of an operation that is not success. */
export type Problem = {
  /** The reason, for programs. */
  readonly code: ProblemCode;
  /** The reason, for people. */
  readonly message: Scalars['String']['output'];
  /** True when the same request may succeed later. */
  readonly retryable: Scalars['Boolean']['output'];
};

/** Why an operation did not end in success, for programs. `message` says it for people. */
export type ProblemCode =
  /** The parcel is already on its way. */
  | 'ALREADY_IN_TRANSIT'
  /** The carrier refused. */
  | 'CARRIER_REFUSED'
  /** The carrier cannot be asked at the moment, and nothing was sent; repeat the request later. */
  | 'CARRIER_UNAVAILABLE'
  /** The carrier was asked and has not confirmed; repeat the request. */
  | 'CARRIER_UNREACHABLE'
  /** A field of the input is missing or wrong: see `fields`. */
  | 'INVALID_INPUT'
  /** The shipment's state does not allow booking. */
  | 'NOT_BOOKABLE'
  /** No such thing in the caller's account. */
  | 'NOT_FOUND'
  /** The preferred shipping option is not offered for this request. */
  | 'OPTION_NOT_AVAILABLE'
  /** No HS code could be found from a description. */
  | 'UNCLASSIFIABLE';

/** A product of a carrier. Its id is what `preferredShippingOption` takes. */
export type Product = {
  readonly __typename?: 'Product';
  /** The carrier that performs it. */
  readonly carrier: Carrier;
  /** The numeric product id, as text. */
  readonly id: Scalars['ID']['output'];
  /** Its name, such as "Priority". */
  readonly name: Scalars['String']['output'];
};

export type Query = {
  readonly __typename?: 'Query';
  /** All carriers, by name; `products` lists what the published rate cards offer. */
  readonly carriers: ReadonlyArray<Carrier>;
  /** HS codes a description may mean, likeliest first; empty when nothing fits. */
  readonly classify: ReadonlyArray<HsCandidate>;
  /** Estimated import duties and taxes for goods on a route. */
  readonly dutiesEstimate: DutiesEstimateResult;
  /** Shipping options with duties and taxes worked out for each, and the total per option. It costs an estimate of all items for each option. */
  readonly landedCost: LandedCostResult;
  /** Shipping options of all carriers for a route and parcels, priced for the caller's account, cheapest first. */
  readonly rates: RatesResult;
  /** What-ifs side by side: each request answered as `rates` would, all with the same rate cards on the same day. One request at fault does not touch the others. Give the inputs as a variable, since a query may not be long. */
  readonly ratesBatch: ReadonlyArray<RatesResult>;
  /** A shipment of the caller's account; null when there is none of that id. */
  readonly shipment?: Maybe<Shipment>;
  /** The caller's shipments, newest first. */
  readonly shipments: ShipmentConnection;
};


export type QueryClassifyArgs = {
  description: Scalars['String']['input'];
  limit?: InputMaybe<Scalars['Int']['input']>;
};


export type QueryDutiesEstimateArgs = {
  input: DutiesEstimateInput;
};


export type QueryLandedCostArgs = {
  input: LandedCostInput;
};


export type QueryRatesArgs = {
  input: RatesInput;
};


export type QueryRatesBatchArgs = {
  inputs: ReadonlyArray<RatesInput>;
};


export type QueryShipmentArgs = {
  id: Scalars['ID']['input'];
};


export type QueryShipmentsArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  state?: InputMaybe<ShipmentState>;
};

/**
 * What stands out among the options that are shown. Each badge is given to one option: the first in the order of that
 * name.
 */
export type RateBadge =
  /** The lowest price relative to the cheapest plus working days at the latest (at least 1) relative to the fastest; of equals the cheapest. */
  | 'BEST_VALUE'
  /** The lowest price; of equals the lowest product id. */
  | 'CHEAPEST'
  /** The fewest working days at the latest, then at the earliest; of equals the cheapest. */
  | 'FASTEST';

/**
 * Which options to show; an option must pass every field that is given. A name that does not exist is a fault of the
 * input, not an empty answer.
 */
export type RateFilter = {
  /** Ids of carriers, 1 to 100: only their products. */
  readonly carriers?: InputMaybe<ReadonlyArray<Scalars['ID']['input']>>;
  /** At most this price in euro, excluding VAT, at most two decimals; inclusive. */
  readonly maxPrice?: InputMaybe<Scalars['Decimal']['input']>;
  /** At most this many working days at the latest, 0 to 1000; inclusive. */
  readonly maxTransitDays?: InputMaybe<Scalars['Int']['input']>;
  /** Product ids, 1 to 100: only these products. */
  readonly products?: InputMaybe<ReadonlyArray<Scalars['ID']['input']>>;
};

/** A product at its price for this request and account. */
export type RateOption = {
  readonly __typename?: 'RateOption';
  /** What stands out about it among the options that are shown; most options have none. */
  readonly badges: ReadonlyArray<RateBadge>;
  /** How the price is built up. */
  readonly breakdown: ReadonlyArray<PriceLine>;
  /** The weights the price rests on, one entry per parcel row. */
  readonly chargeable: ReadonlyArray<ChargeableParcel>;
  /** The price in euro, excluding VAT, that it would be without the account's contract; null where no contract applies, or where only contracts sell the product. */
  readonly listPrice?: Maybe<Money>;
  /** The price in euro, excluding VAT, including insurance when asked for: exactly the sum of `breakdown`. */
  readonly price: Money;
  /** What is offered; its id goes into `preferredShippingOption`. */
  readonly product: Product;
  /** The published version of the rate card that priced it, such as "demo@1". */
  readonly rateCard: Scalars['String']['output'];
  /** How long it takes. */
  readonly transit: TransitTime;
};

/** The products offered for a request, and those that are not. */
export type RateQuote = {
  readonly __typename?: 'RateQuote';
  /** Products that were looked at and not offered, with the reason. The filter does not touch them. */
  readonly declined: ReadonlyArray<DeclinedProduct>;
  /** How many options the filter left out. */
  readonly filteredOut: Scalars['Int']['output'];
  /** The options that pass the filter, in the order asked for; cheapest first unless told otherwise. */
  readonly options: ReadonlyArray<RateOption>;
  /** The published rate cards that priced it, such as "demo@1". */
  readonly tariffVersion: Scalars['String']['output'];
};

/** The lowest and the highest of several rates; amounts per quantity beside them are not in it. */
export type RateRange = {
  readonly __typename?: 'RateRange';
  /** The highest rate in percent. */
  readonly highest: Scalars['Decimal']['output'];
  /** The lowest rate in percent. */
  readonly lowest: Scalars['Decimal']['output'];
};

/** The order of options; equal ones go by price, then by product id. */
export type RateSort =
  /** Cheapest first. */
  | 'PRICE'
  /** Fastest first: by the working days at the latest, then at the earliest. */
  | 'TRANSIT'
  /** Best value first: lowest price relative to the cheapest option plus working days at the latest (at least 1) relative to the fastest, among the options that are shown. */
  | 'VALUE';

/** A route and what is to be sent on it. */
export type RatesInput = {
  /** Price as it stands on the UTC day of this instant (rate card, contract, surcharges, fuel, seasons), as far back as the service keeps rate cards (ten years). Default: now. */
  readonly asOf?: InputMaybe<Scalars['DateTime']['input']>;
  /** Which options to show. Default: all. It never changes a price. */
  readonly filter?: InputMaybe<RateFilter>;
  /** Where the shipment is picked up. */
  readonly from: PlaceInput;
  /** True adds insurance to every price; `totalValue` is then required. */
  readonly insured?: InputMaybe<Scalars['Boolean']['input']>;
  /** What is sent: 1 to 99 rows of one parcel type, 999 units at most. */
  readonly parcels: ReadonlyArray<ParcelInput>;
  /** Who receives it; required for PALLET; otherwise INDIVIDUAL is assumed, which never understates a price and leaves out products for businesses only. */
  readonly recipientType?: InputMaybe<RecipientType>;
  /** The order of the options. */
  readonly sort?: InputMaybe<RateSort>;
  /** Where it is delivered. */
  readonly to: PlaceInput;
  /** Value of the whole shipment in euro, at most two decimals. */
  readonly totalValue?: InputMaybe<Scalars['Decimal']['input']>;
};

/** Either a quote or what is wrong with the input. */
export type RatesResult = InputProblem | RateQuote;

/** Who receives the shipment; delivery to individuals may cost more. */
export type RecipientType =
  /** A company. */
  | 'BUSINESS'
  /** A private person. */
  | 'INDIVIDUAL';

/** One figure that went into a rule. */
export type RuleInput = {
  readonly __typename?: 'RuleInput';
  /** What the figure is, such as "weight billed" or "row 1 units"; rows of the request are counted from 1. */
  readonly name: Scalars['String']['output'];
  /** The figure with its unit, such as "12.4 kg", "9.50 EUR" or "9.5%", or words; exact. */
  readonly value: Scalars['String']['output'];
};

/** A warning that a given code is not what the description says. It never changes an estimate. */
export type SecondOpinion = {
  readonly __typename?: 'SecondOpinion';
  /** The codes that the description means, likeliest first, with the estimate each would lead to. */
  readonly candidates: ReadonlyArray<HsAlternative>;
  /** How sure the classifier is of the code it would have chosen, 0 to 1. */
  readonly confidence: Scalars['Float']['output'];
  /** Whether the heading (four digits) disagrees, or only the last two digits of six. */
  readonly level: SecondOpinionLevel;
  /** What disagrees, in a sentence. */
  readonly message: Scalars['String']['output'];
};

/** How far a given code is from the description. */
export type SecondOpinionLevel =
  /** Other goods: the first four digits differ. */
  | 'HEADING'
  /** The same goods, of another material, make or use: the fifth or sixth digit differs. */
  | 'SUBHEADING';

/** A shipment of the caller's account. */
export type Shipment = {
  readonly __typename?: 'Shipment';
  /** Whether cancelling may still succeed. */
  readonly cancellable: Scalars['Boolean']['output'];
  /** The attempts to cancel it at the carrier, oldest first; empty for drafts. */
  readonly cancellations: ReadonlyArray<CancelAttempt>;
  /** When it was cancelled; null unless it is. */
  readonly cancelledAt?: Maybe<Scalars['DateTime']['output']>;
  /** The carrier of its product. */
  readonly carrier: Carrier;
  /** The carrier's tracking number; null before booking. */
  readonly carrierReference?: Maybe<Scalars['String']['output']>;
  /** When it was created. */
  readonly createdAt: Scalars['DateTime']['output'];
  /** Where it is picked up. */
  readonly from: Place;
  /** Its id. */
  readonly id: Scalars['ID']['output'];
  /** The price it was created at, excluding VAT. */
  readonly price: Money;
  /** The product it travels with; null when no published rate card lists it any more. */
  readonly product?: Maybe<Product>;
  /** Where it stands. */
  readonly state: ShipmentState;
  /** Where it is delivered. */
  readonly to: Place;
};

/** The shipment is booked, now or already before. */
export type ShipmentBooked = {
  readonly __typename?: 'ShipmentBooked';
  /** True when it had been booked before this call. */
  readonly alreadyBooked: Scalars['Boolean']['output'];
  /** The booked shipment with its carrier reference. */
  readonly shipment: Shipment;
};

/** The shipment is cancelled, now or already before. */
export type ShipmentCancelled = {
  readonly __typename?: 'ShipmentCancelled';
  /** True when it had been cancelled before this call. */
  readonly alreadyCancelled: Scalars['Boolean']['output'];
  /** True when this cancellation went to the carrier; false for drafts, and for carriers that take no cancellations. */
  readonly carrierNotified: Scalars['Boolean']['output'];
  /** True when the carrier takes no cancellations and had not scanned the parcel: whoever holds the label destroys it. */
  readonly labelMustBeDestroyed: Scalars['Boolean']['output'];
  /** For people. */
  readonly message: Scalars['String']['output'];
  /** The cancelled shipment. */
  readonly shipment: Shipment;
};

/** Shipments, newest first. */
export type ShipmentConnection = {
  readonly __typename?: 'ShipmentConnection';
  /** The shipments of this page. */
  readonly edges: ReadonlyArray<ShipmentEdge>;
  /** Where this page lies. */
  readonly pageInfo: PageInfo;
};

/** A shipment in a connection. */
export type ShipmentEdge = {
  readonly __typename?: 'ShipmentEdge';
  /** Opaque; for `after`. */
  readonly cursor: Scalars['String']['output'];
  /** The shipment. */
  readonly node: Shipment;
};

/** The shipment is not booked: its state does not allow it, or the carrier did not take it. */
export type ShipmentNotBooked = Problem & {
  readonly __typename?: 'ShipmentNotBooked';
  /** NOT_BOOKABLE, CARRIER_REFUSED, CARRIER_UNREACHABLE or CARRIER_UNAVAILABLE. */
  readonly code: ProblemCode;
  /** For people. */
  readonly message: Scalars['String']['output'];
  /** True when the carrier has not confirmed or cannot be asked. */
  readonly retryable: Scalars['Boolean']['output'];
  /** The shipment as it stands. */
  readonly shipment: Shipment;
};

/** The shipment stays as it is: it is on its way, the carrier refused, or the carrier cannot be asked now. */
export type ShipmentNotCancelled = Problem & {
  readonly __typename?: 'ShipmentNotCancelled';
  /** The carrier's own words; null unless it refused. */
  readonly carrierReason?: Maybe<Scalars['String']['output']>;
  /** ALREADY_IN_TRANSIT, CARRIER_REFUSED or CARRIER_UNAVAILABLE. */
  readonly code: ProblemCode;
  /** For people; holds the carrier's reason when it refused. */
  readonly message: Scalars['String']['output'];
  /** Why the carrier refused, in words that are the same for all carriers; null unless it did. */
  readonly refusalCode?: Maybe<CancelRefusalCode>;
  /** True for CARRIER_UNAVAILABLE alone: nothing was sent. */
  readonly retryable: Scalars['Boolean']['output'];
  /** The shipment as it stands. */
  readonly shipment: Shipment;
};

/** No such shipment in the caller's account. */
export type ShipmentNotFound = Problem & {
  readonly __typename?: 'ShipmentNotFound';
  /** NOT_FOUND. */
  readonly code: ProblemCode;
  /** For people; the same for a wrong id and for another account's shipment. */
  readonly message: Scalars['String']['output'];
  /** Always false. */
  readonly retryable: Scalars['Boolean']['output'];
};

/** The states of a shipment. */
export type ShipmentState =
  /** Announced to the carrier. */
  | 'BOOKED'
  /** Cancelled for good. */
  | 'CANCELLED'
  /** Priced and kept here; no carrier knows of it. */
  | 'DRAFT'
  /** Picked up or scanned by the carrier. */
  | 'IN_TRANSIT';

/** Kinds of duties and taxes. */
export type TaxKind =
  /** Import duty. */
  | 'DUTY'
  /** Excise. */
  | 'EXCISE'
  /** A fee of an authority. */
  | 'FEE'
  /** Goods and services tax on import. */
  | 'GST'
  /** Value added tax on import. */
  | 'VAT';

/** One tax on one commodity code. */
export type TaxLine = {
  readonly __typename?: 'TaxLine';
  /** The amount in euro. */
  readonly amount: Money;
  /** What the rate was applied to, in euro. */
  readonly base: Money;
  /** False when the amount could not be computed and stands at zero. */
  readonly computed: Scalars['Boolean']['output'];
  /** Rate, basis, assumption, data set and date; or why the amount is zero. */
  readonly description: Scalars['String']['output'];
  /** How the amount comes about, in euro unless it says otherwise: "12% × EUR 200.00 = EUR 24.00"; null where nothing was worked out. Figures in it are rounded for reading, the amount is rounded once. */
  readonly formula?: Maybe<Scalars['String']['output']>;
  /** The national commodity code (8 to 10 digits) where one is known, otherwise the HS code. */
  readonly harmonizedCode: Scalars['String']['output'];
  /** The items of the input that the line is for, by index from 0, in order. */
  readonly items: ReadonlyArray<Scalars['Int']['output']>;
  /** What kind of tax. */
  readonly kind: TaxKind;
  /** The published measure, tax, fee or low-value rule that decided; where goods of several origins share the line, that of the first. Null where there is none to name. */
  readonly measure?: Maybe<MeasureSource>;
  /** Its name, such as "Value added tax". */
  readonly name: Scalars['String']['output'];
  /** The rate in percent; null where the tax is no share of its base. */
  readonly rate?: Maybe<Scalars['Decimal']['output']>;
};

/** Transit time in working days; the day of dispatch is not counted. */
export type TransitTime = {
  readonly __typename?: 'TransitTime';
  /** At the latest. */
  readonly maxWorkingDays: Scalars['Int']['output'];
  /** At the earliest. */
  readonly minWorkingDays: Scalars['Int']['output'];
};

/** A weight. */
export type Weight = {
  readonly __typename?: 'Weight';
  /** Kilograms, at most three decimals: "12.4". */
  readonly kilograms: Scalars['Decimal']['output'];
};



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
    | ( Omit<Omit<ShipmentBooked, 'shipment'> & { shipment: _RefType['Shipment'] }, 'shipment'> & { readonly shipmentId: string } & { __typename: 'ShipmentBooked' } )
    | ( Omit<Omit<ShipmentNotBooked, 'shipment'> & { shipment: _RefType['Shipment'] }, 'shipment'> & { readonly shipmentId: string } & { __typename: 'ShipmentNotBooked' } )
    | ( ShipmentNotFound & { __typename: 'ShipmentNotFound' } )
  ;
  CancelShipmentResult:
    | ( Omit<Omit<CancellationPending, 'shipment'> & { shipment: _RefType['Shipment'] }, 'shipment'> & { readonly shipmentId: string } & { __typename: 'CancellationPending' } )
    | ( Omit<Omit<ShipmentCancelled, 'shipment'> & { shipment: _RefType['Shipment'] }, 'shipment'> & { readonly shipmentId: string } & { __typename: 'ShipmentCancelled' } )
    | ( Omit<Omit<ShipmentNotCancelled, 'shipment'> & { shipment: _RefType['Shipment'] }, 'shipment'> & { readonly shipmentId: string } & { __typename: 'ShipmentNotCancelled' } )
    | ( ShipmentNotFound & { __typename: 'ShipmentNotFound' } )
  ;
  CreateDraftShipmentResult:
    | ( Omit<Omit<DraftShipmentCreated, 'shipment'> & { shipment: _RefType['Shipment'] }, 'shipment'> & { readonly shipmentId: string } & { __typename: 'DraftShipmentCreated' } )
    | ( InputProblem & { __typename: 'InputProblem' } )
    | ( OptionNotAvailable & { __typename: 'OptionNotAvailable' } )
  ;
  DutiesEstimateResult:
    | ( Omit<Omit<DutiesEstimate, 'items' | 'taxes'> & { items: ReadonlyArray<_RefType['ItemEstimate']>, taxes: ReadonlyArray<_RefType['TaxLine']> }, 'taxes' | 'items'> & { readonly taxes: () => readonly (Pick<Omit<DutiesEstimate, 'items' | 'taxes'> & { items: ReadonlyArray<_RefType['ItemEstimate']>, taxes: ReadonlyArray<_RefType['TaxLine']> }, 'taxes'>['taxes'][number] | Promise<Pick<Omit<DutiesEstimate, 'items' | 'taxes'> & { items: ReadonlyArray<_RefType['ItemEstimate']>, taxes: ReadonlyArray<_RefType['TaxLine']> }, 'taxes'>['taxes'][number]>)[]; readonly items: () => readonly (Pick<Omit<DutiesEstimate, 'items' | 'taxes'> & { items: ReadonlyArray<_RefType['ItemEstimate']>, taxes: ReadonlyArray<_RefType['TaxLine']> }, 'items'>['items'][number] | Promise<Pick<Omit<DutiesEstimate, 'items' | 'taxes'> & { items: ReadonlyArray<_RefType['ItemEstimate']>, taxes: ReadonlyArray<_RefType['TaxLine']> }, 'items'>['items'][number]>)[] } & { __typename: 'DutiesEstimate' } )
    | ( InputProblem & { __typename: 'InputProblem' } )
  ;
  LandedCostResult:
    | ( InputProblem & { __typename: 'InputProblem' } )
    | ( Omit<Omit<LandedCost, 'declined' | 'options'> & { declined: ReadonlyArray<_RefType['DeclinedProduct']>, options: ReadonlyArray<_RefType['LandedCostOption']> }, 'options'> & { readonly options: () => readonly (Pick<Omit<LandedCost, 'declined' | 'options'> & { declined: ReadonlyArray<_RefType['DeclinedProduct']>, options: ReadonlyArray<_RefType['LandedCostOption']> }, 'options'>['options'][number] | Promise<Pick<Omit<LandedCost, 'declined' | 'options'> & { declined: ReadonlyArray<_RefType['DeclinedProduct']>, options: ReadonlyArray<_RefType['LandedCostOption']> }, 'options'>['options'][number]>)[] } & { __typename: 'LandedCost' } )
  ;
  RatesResult:
    | ( InputProblem & { __typename: 'InputProblem' } )
    | ( Omit<Omit<RateQuote, 'declined' | 'options'> & { declined: ReadonlyArray<_RefType['DeclinedProduct']>, options: ReadonlyArray<_RefType['RateOption']> }, 'options'> & { readonly options: () => readonly (Pick<Omit<RateQuote, 'declined' | 'options'> & { declined: ReadonlyArray<_RefType['DeclinedProduct']>, options: ReadonlyArray<_RefType['RateOption']> }, 'options'>['options'][number] | Promise<Pick<Omit<RateQuote, 'declined' | 'options'> & { declined: ReadonlyArray<_RefType['DeclinedProduct']>, options: ReadonlyArray<_RefType['RateOption']> }, 'options'>['options'][number]>)[] } & { __typename: 'RateQuote' } )
  ;
};

/** Mapping of interface types */
export type ResolversInterfaceTypes<_RefType extends Record<string, unknown>> = {
  Problem:
    | ( Omit<Omit<CancellationPending, 'shipment'> & { shipment: _RefType['Shipment'] }, 'shipment'> & { readonly shipmentId: string } )
    | ( InputProblem )
    | ( OptionNotAvailable )
    | ( Omit<Omit<ShipmentNotBooked, 'shipment'> & { shipment: _RefType['Shipment'] }, 'shipment'> & { readonly shipmentId: string } )
    | ( Omit<Omit<ShipmentNotCancelled, 'shipment'> & { shipment: _RefType['Shipment'] }, 'shipment'> & { readonly shipmentId: string } )
    | ( ShipmentNotFound )
  ;
};

/** Mapping between all available schema types and the resolvers types */
export type ResolversTypes = {
  AlternativeOutcome: ResolverTypeWrapper<Omit<Omit<AlternativeOutcome, 'taxes'> & { taxes: ReadonlyArray<ResolversTypes['TaxLine']> }, 'taxes'> & { readonly taxes: () => readonly (Pick<Omit<AlternativeOutcome, 'taxes'> & { taxes: ReadonlyArray<ResolversTypes['TaxLine']> }, 'taxes'>['taxes'][number] | Promise<Pick<Omit<AlternativeOutcome, 'taxes'> & { taxes: ReadonlyArray<ResolversTypes['TaxLine']> }, 'taxes'>['taxes'][number]>)[] }>;
  AppliedRule: ResolverTypeWrapper<AppliedRule>;
  BookShipmentInput: BookShipmentInput;
  BookShipmentResult: ResolverTypeWrapper<ResolversUnionTypes<ResolversTypes>['BookShipmentResult']>;
  Boolean: ResolverTypeWrapper<Scalars['Boolean']['output']>;
  CancelAttempt: ResolverTypeWrapper<CancelAttempt>;
  CancelAttemptOutcome: CancelAttemptOutcome;
  CancelRefusalCode: CancelRefusalCode;
  CancelShipmentInput: CancelShipmentInput;
  CancelShipmentResult: ResolverTypeWrapper<ResolversUnionTypes<ResolversTypes>['CancelShipmentResult']>;
  CancellationPending: ResolverTypeWrapper<Omit<Omit<CancellationPending, 'shipment'> & { shipment: ResolversTypes['Shipment'] }, 'shipment'> & { readonly shipmentId: string }>;
  Carrier: ResolverTypeWrapper<Omit<Omit<Carrier, 'products'> & { products: ReadonlyArray<ResolversTypes['Product']> }, 'products'>>;
  ChargeableParcel: ResolverTypeWrapper<ChargeableParcel>;
  Classification: ResolverTypeWrapper<Omit<Omit<Classification, 'alternatives' | 'secondOpinion'> & { alternatives: ReadonlyArray<ResolversTypes['HsAlternative']>, secondOpinion?: Maybe<ResolversTypes['SecondOpinion']> }, 'secondOpinion'> & { readonly secondOpinion: () => Promise<Pick<Omit<Classification, 'alternatives' | 'secondOpinion'> & { alternatives: ReadonlyArray<ResolversTypes['HsAlternative']>, secondOpinion?: Maybe<ResolversTypes['SecondOpinion']> }, 'secondOpinion'>['secondOpinion']> }>;
  ClassificationSource: ClassificationSource;
  Confidence: Confidence;
  ContentItemInput: ContentItemInput;
  CountryCode: ResolverTypeWrapper<Scalars['CountryCode']['output']>;
  CreateDraftShipmentInput: CreateDraftShipmentInput;
  CreateDraftShipmentResult: ResolverTypeWrapper<ResolversUnionTypes<ResolversTypes>['CreateDraftShipmentResult']>;
  CurrencyCode: CurrencyCode;
  DataSet: ResolverTypeWrapper<DataSet>;
  DateTime: ResolverTypeWrapper<Scalars['DateTime']['output']>;
  Decimal: ResolverTypeWrapper<Scalars['Decimal']['output']>;
  DeclineCode: DeclineCode;
  DeclinedProduct: ResolverTypeWrapper<Omit<DeclinedProduct, 'product'> & { product: ResolversTypes['Product'] }>;
  DraftShipmentCreated: ResolverTypeWrapper<Omit<Omit<DraftShipmentCreated, 'shipment'> & { shipment: ResolversTypes['Shipment'] }, 'shipment'> & { readonly shipmentId: string }>;
  DutiesEstimate: ResolverTypeWrapper<Omit<Omit<DutiesEstimate, 'items' | 'taxes'> & { items: ReadonlyArray<ResolversTypes['ItemEstimate']>, taxes: ReadonlyArray<ResolversTypes['TaxLine']> }, 'taxes' | 'items'> & { readonly taxes: () => readonly (Pick<Omit<DutiesEstimate, 'items' | 'taxes'> & { items: ReadonlyArray<ResolversTypes['ItemEstimate']>, taxes: ReadonlyArray<ResolversTypes['TaxLine']> }, 'taxes'>['taxes'][number] | Promise<Pick<Omit<DutiesEstimate, 'items' | 'taxes'> & { items: ReadonlyArray<ResolversTypes['ItemEstimate']>, taxes: ReadonlyArray<ResolversTypes['TaxLine']> }, 'taxes'>['taxes'][number]>)[]; readonly items: () => readonly (Pick<Omit<DutiesEstimate, 'items' | 'taxes'> & { items: ReadonlyArray<ResolversTypes['ItemEstimate']>, taxes: ReadonlyArray<ResolversTypes['TaxLine']> }, 'items'>['items'][number] | Promise<Pick<Omit<DutiesEstimate, 'items' | 'taxes'> & { items: ReadonlyArray<ResolversTypes['ItemEstimate']>, taxes: ReadonlyArray<ResolversTypes['TaxLine']> }, 'items'>['items'][number]>)[] }>;
  DutiesEstimateInput: DutiesEstimateInput;
  DutiesEstimateResult: ResolverTypeWrapper<ResolversUnionTypes<ResolversTypes>['DutiesEstimateResult']>;
  FieldProblem: ResolverTypeWrapper<FieldProblem>;
  Float: ResolverTypeWrapper<Scalars['Float']['output']>;
  HsAlternative: ResolverTypeWrapper<Omit<Omit<HsAlternative, 'outcome'> & { outcome: ResolversTypes['AlternativeOutcome'] }, 'outcome'> & { readonly outcome: () => Promise<Pick<Omit<HsAlternative, 'outcome'> & { outcome: ResolversTypes['AlternativeOutcome'] }, 'outcome'>['outcome']> }>;
  HsCandidate: ResolverTypeWrapper<HsCandidate>;
  ID: ResolverTypeWrapper<Scalars['ID']['output']>;
  InputProblem: ResolverTypeWrapper<InputProblem>;
  Int: ResolverTypeWrapper<Scalars['Int']['output']>;
  ItemEstimate: ResolverTypeWrapper<Omit<Omit<ItemEstimate, 'classification'> & { classification?: Maybe<ResolversTypes['Classification']> }, 'estimate' | 'taxes'> & { readonly estimate: () => Pick<Omit<ItemEstimate, 'classification'> & { classification?: Maybe<ResolversTypes['Classification']> }, 'estimate'>['estimate']; readonly taxes: () => Pick<Omit<ItemEstimate, 'classification'> & { classification?: Maybe<ResolversTypes['Classification']> }, 'taxes'>['taxes'] }>;
  ItemQuantityInput: ItemQuantityInput;
  ItemTax: ResolverTypeWrapper<ItemTax>;
  LandedCost: ResolverTypeWrapper<Omit<Omit<LandedCost, 'declined' | 'options'> & { declined: ReadonlyArray<ResolversTypes['DeclinedProduct']>, options: ReadonlyArray<ResolversTypes['LandedCostOption']> }, 'options'> & { readonly options: () => readonly (Pick<Omit<LandedCost, 'declined' | 'options'> & { declined: ReadonlyArray<ResolversTypes['DeclinedProduct']>, options: ReadonlyArray<ResolversTypes['LandedCostOption']> }, 'options'>['options'][number] | Promise<Pick<Omit<LandedCost, 'declined' | 'options'> & { declined: ReadonlyArray<ResolversTypes['DeclinedProduct']>, options: ReadonlyArray<ResolversTypes['LandedCostOption']> }, 'options'>['options'][number]>)[] }>;
  LandedCostInput: LandedCostInput;
  LandedCostOption: ResolverTypeWrapper<Omit<LandedCostOption, 'duties' | 'rate'> & { duties: ResolversTypes['DutiesEstimate'], rate: ResolversTypes['RateOption'] }>;
  LandedCostResult: ResolverTypeWrapper<ResolversUnionTypes<ResolversTypes>['LandedCostResult']>;
  MeasureSource: ResolverTypeWrapper<MeasureSource>;
  Money: ResolverTypeWrapper<Money>;
  Mutation: ResolverTypeWrapper<Record<PropertyKey, never>>;
  OptionNotAvailable: ResolverTypeWrapper<OptionNotAvailable>;
  PageInfo: ResolverTypeWrapper<PageInfo>;
  ParcelInput: ParcelInput;
  ParcelType: ParcelType;
  Place: ResolverTypeWrapper<Place>;
  PlaceInput: PlaceInput;
  PriceLine: ResolverTypeWrapper<Omit<PriceLine, 'rule'> & { readonly rule: () => Pick<PriceLine, 'rule'>['rule'] }>;
  PriceLineKind: PriceLineKind;
  Problem: ResolverTypeWrapper<ResolversInterfaceTypes<ResolversTypes>['Problem']>;
  ProblemCode: ProblemCode;
  Product: ResolverTypeWrapper<Omit<Product, 'carrier'> & { carrier: ResolversTypes['Carrier'] }>;
  Query: ResolverTypeWrapper<Record<PropertyKey, never>>;
  RateBadge: RateBadge;
  RateFilter: RateFilter;
  RateOption: ResolverTypeWrapper<Omit<Omit<RateOption, 'breakdown' | 'product'> & { breakdown: ReadonlyArray<ResolversTypes['PriceLine']>, product: ResolversTypes['Product'] }, 'chargeable'> & { readonly chargeable: () => Pick<Omit<RateOption, 'breakdown' | 'product'> & { breakdown: ReadonlyArray<ResolversTypes['PriceLine']>, product: ResolversTypes['Product'] }, 'chargeable'>['chargeable'] }>;
  RateQuote: ResolverTypeWrapper<Omit<Omit<RateQuote, 'declined' | 'options'> & { declined: ReadonlyArray<ResolversTypes['DeclinedProduct']>, options: ReadonlyArray<ResolversTypes['RateOption']> }, 'options'> & { readonly options: () => readonly (Pick<Omit<RateQuote, 'declined' | 'options'> & { declined: ReadonlyArray<ResolversTypes['DeclinedProduct']>, options: ReadonlyArray<ResolversTypes['RateOption']> }, 'options'>['options'][number] | Promise<Pick<Omit<RateQuote, 'declined' | 'options'> & { declined: ReadonlyArray<ResolversTypes['DeclinedProduct']>, options: ReadonlyArray<ResolversTypes['RateOption']> }, 'options'>['options'][number]>)[] }>;
  RateRange: ResolverTypeWrapper<RateRange>;
  RateSort: RateSort;
  RatesInput: RatesInput;
  RatesResult: ResolverTypeWrapper<ResolversUnionTypes<ResolversTypes>['RatesResult']>;
  RecipientType: RecipientType;
  RuleInput: ResolverTypeWrapper<RuleInput>;
  SecondOpinion: ResolverTypeWrapper<Omit<SecondOpinion, 'candidates'> & { candidates: ReadonlyArray<ResolversTypes['HsAlternative']> }>;
  SecondOpinionLevel: SecondOpinionLevel;
  Shipment: ResolverTypeWrapper<Omit<Omit<Shipment, 'carrier' | 'product'> & { carrier: ResolversTypes['Carrier'], product?: Maybe<ResolversTypes['Product']> }, 'carrier' | 'product' | 'cancellations'> & { readonly carrierCode: string; readonly productId: number }>;
  ShipmentBooked: ResolverTypeWrapper<Omit<Omit<ShipmentBooked, 'shipment'> & { shipment: ResolversTypes['Shipment'] }, 'shipment'> & { readonly shipmentId: string }>;
  ShipmentCancelled: ResolverTypeWrapper<Omit<Omit<ShipmentCancelled, 'shipment'> & { shipment: ResolversTypes['Shipment'] }, 'shipment'> & { readonly shipmentId: string }>;
  ShipmentConnection: ResolverTypeWrapper<Omit<ShipmentConnection, 'edges'> & { edges: ReadonlyArray<ResolversTypes['ShipmentEdge']> }>;
  ShipmentEdge: ResolverTypeWrapper<Omit<ShipmentEdge, 'node'> & { node: ResolversTypes['Shipment'] }>;
  ShipmentNotBooked: ResolverTypeWrapper<Omit<Omit<ShipmentNotBooked, 'shipment'> & { shipment: ResolversTypes['Shipment'] }, 'shipment'> & { readonly shipmentId: string }>;
  ShipmentNotCancelled: ResolverTypeWrapper<Omit<Omit<ShipmentNotCancelled, 'shipment'> & { shipment: ResolversTypes['Shipment'] }, 'shipment'> & { readonly shipmentId: string }>;
  ShipmentNotFound: ResolverTypeWrapper<ShipmentNotFound>;
  ShipmentState: ShipmentState;
  String: ResolverTypeWrapper<Scalars['String']['output']>;
  TaxKind: TaxKind;
  TaxLine: ResolverTypeWrapper<Omit<TaxLine, 'rate' | 'description' | 'formula' | 'measure'> & { readonly rate: () => Pick<TaxLine, 'rate'>['rate']; readonly description: () => Pick<TaxLine, 'description'>['description']; readonly formula: () => Pick<TaxLine, 'formula'>['formula']; readonly measure: () => Pick<TaxLine, 'measure'>['measure'] }>;
  TransitTime: ResolverTypeWrapper<TransitTime>;
  Weight: ResolverTypeWrapper<Weight>;
};

/** Mapping between all available schema types and the resolvers parents */
export type ResolversParentTypes = {
  AlternativeOutcome: Omit<Omit<AlternativeOutcome, 'taxes'> & { taxes: ReadonlyArray<ResolversParentTypes['TaxLine']> }, 'taxes'> & { readonly taxes: () => readonly (Pick<Omit<AlternativeOutcome, 'taxes'> & { taxes: ReadonlyArray<ResolversParentTypes['TaxLine']> }, 'taxes'>['taxes'][number] | Promise<Pick<Omit<AlternativeOutcome, 'taxes'> & { taxes: ReadonlyArray<ResolversParentTypes['TaxLine']> }, 'taxes'>['taxes'][number]>)[] };
  AppliedRule: AppliedRule;
  BookShipmentInput: BookShipmentInput;
  BookShipmentResult: ResolversUnionTypes<ResolversParentTypes>['BookShipmentResult'];
  Boolean: Scalars['Boolean']['output'];
  CancelAttempt: CancelAttempt;
  CancelShipmentInput: CancelShipmentInput;
  CancelShipmentResult: ResolversUnionTypes<ResolversParentTypes>['CancelShipmentResult'];
  CancellationPending: Omit<Omit<CancellationPending, 'shipment'> & { shipment: ResolversParentTypes['Shipment'] }, 'shipment'> & { readonly shipmentId: string };
  Carrier: Omit<Omit<Carrier, 'products'> & { products: ReadonlyArray<ResolversParentTypes['Product']> }, 'products'>;
  ChargeableParcel: ChargeableParcel;
  Classification: Omit<Omit<Classification, 'alternatives' | 'secondOpinion'> & { alternatives: ReadonlyArray<ResolversParentTypes['HsAlternative']>, secondOpinion?: Maybe<ResolversParentTypes['SecondOpinion']> }, 'secondOpinion'> & { readonly secondOpinion: () => Promise<Pick<Omit<Classification, 'alternatives' | 'secondOpinion'> & { alternatives: ReadonlyArray<ResolversParentTypes['HsAlternative']>, secondOpinion?: Maybe<ResolversParentTypes['SecondOpinion']> }, 'secondOpinion'>['secondOpinion']> };
  ContentItemInput: ContentItemInput;
  CountryCode: Scalars['CountryCode']['output'];
  CreateDraftShipmentInput: CreateDraftShipmentInput;
  CreateDraftShipmentResult: ResolversUnionTypes<ResolversParentTypes>['CreateDraftShipmentResult'];
  DataSet: DataSet;
  DateTime: Scalars['DateTime']['output'];
  Decimal: Scalars['Decimal']['output'];
  DeclinedProduct: Omit<DeclinedProduct, 'product'> & { product: ResolversParentTypes['Product'] };
  DraftShipmentCreated: Omit<Omit<DraftShipmentCreated, 'shipment'> & { shipment: ResolversParentTypes['Shipment'] }, 'shipment'> & { readonly shipmentId: string };
  DutiesEstimate: Omit<Omit<DutiesEstimate, 'items' | 'taxes'> & { items: ReadonlyArray<ResolversParentTypes['ItemEstimate']>, taxes: ReadonlyArray<ResolversParentTypes['TaxLine']> }, 'taxes' | 'items'> & { readonly taxes: () => readonly (Pick<Omit<DutiesEstimate, 'items' | 'taxes'> & { items: ReadonlyArray<ResolversParentTypes['ItemEstimate']>, taxes: ReadonlyArray<ResolversParentTypes['TaxLine']> }, 'taxes'>['taxes'][number] | Promise<Pick<Omit<DutiesEstimate, 'items' | 'taxes'> & { items: ReadonlyArray<ResolversParentTypes['ItemEstimate']>, taxes: ReadonlyArray<ResolversParentTypes['TaxLine']> }, 'taxes'>['taxes'][number]>)[]; readonly items: () => readonly (Pick<Omit<DutiesEstimate, 'items' | 'taxes'> & { items: ReadonlyArray<ResolversParentTypes['ItemEstimate']>, taxes: ReadonlyArray<ResolversParentTypes['TaxLine']> }, 'items'>['items'][number] | Promise<Pick<Omit<DutiesEstimate, 'items' | 'taxes'> & { items: ReadonlyArray<ResolversParentTypes['ItemEstimate']>, taxes: ReadonlyArray<ResolversParentTypes['TaxLine']> }, 'items'>['items'][number]>)[] };
  DutiesEstimateInput: DutiesEstimateInput;
  DutiesEstimateResult: ResolversUnionTypes<ResolversParentTypes>['DutiesEstimateResult'];
  FieldProblem: FieldProblem;
  Float: Scalars['Float']['output'];
  HsAlternative: Omit<Omit<HsAlternative, 'outcome'> & { outcome: ResolversParentTypes['AlternativeOutcome'] }, 'outcome'> & { readonly outcome: () => Promise<Pick<Omit<HsAlternative, 'outcome'> & { outcome: ResolversParentTypes['AlternativeOutcome'] }, 'outcome'>['outcome']> };
  HsCandidate: HsCandidate;
  ID: Scalars['ID']['output'];
  InputProblem: InputProblem;
  Int: Scalars['Int']['output'];
  ItemEstimate: Omit<Omit<ItemEstimate, 'classification'> & { classification?: Maybe<ResolversParentTypes['Classification']> }, 'estimate' | 'taxes'> & { readonly estimate: () => Pick<Omit<ItemEstimate, 'classification'> & { classification?: Maybe<ResolversParentTypes['Classification']> }, 'estimate'>['estimate']; readonly taxes: () => Pick<Omit<ItemEstimate, 'classification'> & { classification?: Maybe<ResolversParentTypes['Classification']> }, 'taxes'>['taxes'] };
  ItemQuantityInput: ItemQuantityInput;
  ItemTax: ItemTax;
  LandedCost: Omit<Omit<LandedCost, 'declined' | 'options'> & { declined: ReadonlyArray<ResolversParentTypes['DeclinedProduct']>, options: ReadonlyArray<ResolversParentTypes['LandedCostOption']> }, 'options'> & { readonly options: () => readonly (Pick<Omit<LandedCost, 'declined' | 'options'> & { declined: ReadonlyArray<ResolversParentTypes['DeclinedProduct']>, options: ReadonlyArray<ResolversParentTypes['LandedCostOption']> }, 'options'>['options'][number] | Promise<Pick<Omit<LandedCost, 'declined' | 'options'> & { declined: ReadonlyArray<ResolversParentTypes['DeclinedProduct']>, options: ReadonlyArray<ResolversParentTypes['LandedCostOption']> }, 'options'>['options'][number]>)[] };
  LandedCostInput: LandedCostInput;
  LandedCostOption: Omit<LandedCostOption, 'duties' | 'rate'> & { duties: ResolversParentTypes['DutiesEstimate'], rate: ResolversParentTypes['RateOption'] };
  LandedCostResult: ResolversUnionTypes<ResolversParentTypes>['LandedCostResult'];
  MeasureSource: MeasureSource;
  Money: Money;
  Mutation: Record<PropertyKey, never>;
  OptionNotAvailable: OptionNotAvailable;
  PageInfo: PageInfo;
  ParcelInput: ParcelInput;
  Place: Place;
  PlaceInput: PlaceInput;
  PriceLine: Omit<PriceLine, 'rule'> & { readonly rule: () => Pick<PriceLine, 'rule'>['rule'] };
  Problem: ResolversInterfaceTypes<ResolversParentTypes>['Problem'];
  Product: Omit<Product, 'carrier'> & { carrier: ResolversParentTypes['Carrier'] };
  Query: Record<PropertyKey, never>;
  RateFilter: RateFilter;
  RateOption: Omit<Omit<RateOption, 'breakdown' | 'product'> & { breakdown: ReadonlyArray<ResolversParentTypes['PriceLine']>, product: ResolversParentTypes['Product'] }, 'chargeable'> & { readonly chargeable: () => Pick<Omit<RateOption, 'breakdown' | 'product'> & { breakdown: ReadonlyArray<ResolversParentTypes['PriceLine']>, product: ResolversParentTypes['Product'] }, 'chargeable'>['chargeable'] };
  RateQuote: Omit<Omit<RateQuote, 'declined' | 'options'> & { declined: ReadonlyArray<ResolversParentTypes['DeclinedProduct']>, options: ReadonlyArray<ResolversParentTypes['RateOption']> }, 'options'> & { readonly options: () => readonly (Pick<Omit<RateQuote, 'declined' | 'options'> & { declined: ReadonlyArray<ResolversParentTypes['DeclinedProduct']>, options: ReadonlyArray<ResolversParentTypes['RateOption']> }, 'options'>['options'][number] | Promise<Pick<Omit<RateQuote, 'declined' | 'options'> & { declined: ReadonlyArray<ResolversParentTypes['DeclinedProduct']>, options: ReadonlyArray<ResolversParentTypes['RateOption']> }, 'options'>['options'][number]>)[] };
  RateRange: RateRange;
  RatesInput: RatesInput;
  RatesResult: ResolversUnionTypes<ResolversParentTypes>['RatesResult'];
  RuleInput: RuleInput;
  SecondOpinion: Omit<SecondOpinion, 'candidates'> & { candidates: ReadonlyArray<ResolversParentTypes['HsAlternative']> };
  Shipment: Omit<Omit<Shipment, 'carrier' | 'product'> & { carrier: ResolversParentTypes['Carrier'], product?: Maybe<ResolversParentTypes['Product']> }, 'carrier' | 'product' | 'cancellations'> & { readonly carrierCode: string; readonly productId: number };
  ShipmentBooked: Omit<Omit<ShipmentBooked, 'shipment'> & { shipment: ResolversParentTypes['Shipment'] }, 'shipment'> & { readonly shipmentId: string };
  ShipmentCancelled: Omit<Omit<ShipmentCancelled, 'shipment'> & { shipment: ResolversParentTypes['Shipment'] }, 'shipment'> & { readonly shipmentId: string };
  ShipmentConnection: Omit<ShipmentConnection, 'edges'> & { edges: ReadonlyArray<ResolversParentTypes['ShipmentEdge']> };
  ShipmentEdge: Omit<ShipmentEdge, 'node'> & { node: ResolversParentTypes['Shipment'] };
  ShipmentNotBooked: Omit<Omit<ShipmentNotBooked, 'shipment'> & { shipment: ResolversParentTypes['Shipment'] }, 'shipment'> & { readonly shipmentId: string };
  ShipmentNotCancelled: Omit<Omit<ShipmentNotCancelled, 'shipment'> & { shipment: ResolversParentTypes['Shipment'] }, 'shipment'> & { readonly shipmentId: string };
  ShipmentNotFound: ShipmentNotFound;
  String: Scalars['String']['output'];
  TaxLine: Omit<TaxLine, 'rate' | 'description' | 'formula' | 'measure'> & { readonly rate: () => Pick<TaxLine, 'rate'>['rate']; readonly description: () => Pick<TaxLine, 'description'>['description']; readonly formula: () => Pick<TaxLine, 'formula'>['formula']; readonly measure: () => Pick<TaxLine, 'measure'>['measure'] };
  TransitTime: TransitTime;
  Weight: Weight;
};

export type AlternativeOutcomeResolvers<ContextType = Context, ParentType extends ResolversParentTypes['AlternativeOutcome'] = ResolversParentTypes['AlternativeOutcome']> = {
  complete?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  difference?: Resolver<ResolversTypes['Money'], ParentType, ContextType>;
  estimate?: Resolver<ResolversTypes['Money'], ParentType, ContextType>;
  taxes?: Resolver<ReadonlyArray<ResolversTypes['TaxLine']>, ParentType, ContextType>;
};

export type AppliedRuleResolvers<ContextType = Context, ParentType extends ResolversParentTypes['AppliedRule'] = ResolversParentTypes['AppliedRule']> = {
  card?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  formula?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  inputs?: Resolver<ReadonlyArray<ResolversTypes['RuleInput']>, ParentType, ContextType>;
  validFrom?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  version?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
};

export type BookShipmentResultResolvers<ContextType = Context, ParentType extends ResolversParentTypes['BookShipmentResult'] = ResolversParentTypes['BookShipmentResult']> = {
  __resolveType: TypeResolveFn<'ShipmentBooked' | 'ShipmentNotBooked' | 'ShipmentNotFound', ParentType, ContextType>;
};

export type CancelAttemptResolvers<ContextType = Context, ParentType extends ResolversParentTypes['CancelAttempt'] = ResolversParentTypes['CancelAttempt']> = {
  at?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  carrierCode?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  carrierMessage?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  nextTryAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  outcome?: Resolver<ResolversTypes['CancelAttemptOutcome'], ParentType, ContextType>;
  refusalCode?: Resolver<Maybe<ResolversTypes['CancelRefusalCode']>, ParentType, ContextType>;
  sends?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  settledAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
};

export type CancelShipmentResultResolvers<ContextType = Context, ParentType extends ResolversParentTypes['CancelShipmentResult'] = ResolversParentTypes['CancelShipmentResult']> = {
  __resolveType: TypeResolveFn<'CancellationPending' | 'ShipmentCancelled' | 'ShipmentNotCancelled' | 'ShipmentNotFound', ParentType, ContextType>;
};

export type CancellationPendingResolvers<ContextType = Context, ParentType extends ResolversParentTypes['CancellationPending'] = ResolversParentTypes['CancellationPending']> = {
  code?: Resolver<ResolversTypes['ProblemCode'], ParentType, ContextType>;
  message?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  retryable?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  shipment?: Resolver<ResolversTypes['Shipment'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type CarrierResolvers<ContextType = Context, ParentType extends ResolversParentTypes['Carrier'] = ResolversParentTypes['Carrier']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  products?: Resolver<ReadonlyArray<ResolversTypes['Product']>, ParentType, ContextType>;
};

export type ChargeableParcelResolvers<ContextType = Context, ParentType extends ResolversParentTypes['ChargeableParcel'] = ResolversParentTypes['ChargeableParcel']> = {
  actual?: Resolver<ResolversTypes['Weight'], ParentType, ContextType>;
  chargeable?: Resolver<ResolversTypes['Weight'], ParentType, ContextType>;
  count?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  divisor?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
  parcelIndex?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  volumetric?: Resolver<ResolversTypes['Weight'], ParentType, ContextType>;
};

export type ClassificationResolvers<ContextType = Context, ParentType extends ResolversParentTypes['Classification'] = ResolversParentTypes['Classification']> = {
  alternatives?: Resolver<ReadonlyArray<ResolversTypes['HsAlternative']>, ParentType, ContextType>;
  code?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  confidence?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
  questions?: Resolver<ReadonlyArray<ResolversTypes['String']>, ParentType, ContextType>;
  secondOpinion?: Resolver<Maybe<ResolversTypes['SecondOpinion']>, ParentType, ContextType>;
  source?: Resolver<ResolversTypes['ClassificationSource'], ParentType, ContextType>;
};

export interface CountryCodeScalarConfig extends GraphQLScalarTypeConfig<ResolversTypes['CountryCode'], any> {
  name: 'CountryCode';
}

export type CreateDraftShipmentResultResolvers<ContextType = Context, ParentType extends ResolversParentTypes['CreateDraftShipmentResult'] = ResolversParentTypes['CreateDraftShipmentResult']> = {
  __resolveType: TypeResolveFn<'DraftShipmentCreated' | 'InputProblem' | 'OptionNotAvailable', ParentType, ContextType>;
};

export type DataSetResolvers<ContextType = Context, ParentType extends ResolversParentTypes['DataSet'] = ResolversParentTypes['DataSet']> = {
  date?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  source?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  title?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export interface DateTimeScalarConfig extends GraphQLScalarTypeConfig<ResolversTypes['DateTime'], any> {
  name: 'DateTime';
}

export interface DecimalScalarConfig extends GraphQLScalarTypeConfig<ResolversTypes['Decimal'], any> {
  name: 'Decimal';
}

export type DeclinedProductResolvers<ContextType = Context, ParentType extends ResolversParentTypes['DeclinedProduct'] = ResolversParentTypes['DeclinedProduct']> = {
  actual?: Resolver<Maybe<ResolversTypes['Decimal']>, ParentType, ContextType>;
  code?: Resolver<ResolversTypes['DeclineCode'], ParentType, ContextType>;
  limit?: Resolver<Maybe<ResolversTypes['Decimal']>, ParentType, ContextType>;
  message?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  product?: Resolver<ResolversTypes['Product'], ParentType, ContextType>;
};

export type DraftShipmentCreatedResolvers<ContextType = Context, ParentType extends ResolversParentTypes['DraftShipmentCreated'] = ResolversParentTypes['DraftShipmentCreated']> = {
  shipment?: Resolver<ResolversTypes['Shipment'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type DutiesEstimateResolvers<ContextType = Context, ParentType extends ResolversParentTypes['DutiesEstimate'] = ResolversParentTypes['DutiesEstimate']> = {
  complete?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  customsValue?: Resolver<ResolversTypes['Money'], ParentType, ContextType>;
  date?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  estimate?: Resolver<ResolversTypes['Money'], ParentType, ContextType>;
  hsCode?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  items?: Resolver<ReadonlyArray<ResolversTypes['ItemEstimate']>, ParentType, ContextType>;
  taxes?: Resolver<ReadonlyArray<ResolversTypes['TaxLine']>, ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type DutiesEstimateResultResolvers<ContextType = Context, ParentType extends ResolversParentTypes['DutiesEstimateResult'] = ResolversParentTypes['DutiesEstimateResult']> = {
  __resolveType: TypeResolveFn<'DutiesEstimate' | 'InputProblem', ParentType, ContextType>;
};

export type FieldProblemResolvers<ContextType = Context, ParentType extends ResolversParentTypes['FieldProblem'] = ResolversParentTypes['FieldProblem']> = {
  code?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  message?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  path?: Resolver<ReadonlyArray<ResolversTypes['String']>, ParentType, ContextType>;
};

export type HsAlternativeResolvers<ContextType = Context, ParentType extends ResolversParentTypes['HsAlternative'] = ResolversParentTypes['HsAlternative']> = {
  code?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  confidence?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  description?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  heading?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  matchedTerms?: Resolver<ReadonlyArray<ResolversTypes['String']>, ParentType, ContextType>;
  outcome?: Resolver<ResolversTypes['AlternativeOutcome'], ParentType, ContextType>;
  questions?: Resolver<ReadonlyArray<ResolversTypes['String']>, ParentType, ContextType>;
};

export type HsCandidateResolvers<ContextType = Context, ParentType extends ResolversParentTypes['HsCandidate'] = ResolversParentTypes['HsCandidate']> = {
  code?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  confidence?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  description?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  heading?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  matchedTerms?: Resolver<ReadonlyArray<ResolversTypes['String']>, ParentType, ContextType>;
  questions?: Resolver<ReadonlyArray<ResolversTypes['String']>, ParentType, ContextType>;
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
  customsValue?: Resolver<ResolversTypes['Money'], ParentType, ContextType>;
  estimate?: Resolver<ResolversTypes['Money'], ParentType, ContextType>;
  index?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  problem?: Resolver<Maybe<ResolversTypes['InputProblem']>, ParentType, ContextType>;
  taxes?: Resolver<ReadonlyArray<ResolversTypes['ItemTax']>, ParentType, ContextType>;
};

export type ItemTaxResolvers<ContextType = Context, ParentType extends ResolversParentTypes['ItemTax'] = ResolversParentTypes['ItemTax']> = {
  amount?: Resolver<ResolversTypes['Money'], ParentType, ContextType>;
  harmonizedCode?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  line?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type LandedCostResolvers<ContextType = Context, ParentType extends ResolversParentTypes['LandedCost'] = ResolversParentTypes['LandedCost']> = {
  declined?: Resolver<ReadonlyArray<ResolversTypes['DeclinedProduct']>, ParentType, ContextType>;
  filteredOut?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  options?: Resolver<ReadonlyArray<ResolversTypes['LandedCostOption']>, ParentType, ContextType>;
  tariffVersion?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type LandedCostOptionResolvers<ContextType = Context, ParentType extends ResolversParentTypes['LandedCostOption'] = ResolversParentTypes['LandedCostOption']> = {
  duties?: Resolver<ResolversTypes['DutiesEstimate'], ParentType, ContextType>;
  goods?: Resolver<ResolversTypes['Money'], ParentType, ContextType>;
  rate?: Resolver<ResolversTypes['RateOption'], ParentType, ContextType>;
  total?: Resolver<ResolversTypes['Money'], ParentType, ContextType>;
};

export type LandedCostResultResolvers<ContextType = Context, ParentType extends ResolversParentTypes['LandedCostResult'] = ResolversParentTypes['LandedCostResult']> = {
  __resolveType: TypeResolveFn<'InputProblem' | 'LandedCost', ParentType, ContextType>;
};

export type MeasureSourceResolvers<ContextType = Context, ParentType extends ResolversParentTypes['MeasureSource'] = ResolversParentTypes['MeasureSource']> = {
  agreement?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  codePrefix?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  confidence?: Resolver<ResolversTypes['Confidence'], ParentType, ContextType>;
  dataSet?: Resolver<Maybe<ResolversTypes['DataSet']>, ParentType, ContextType>;
  origin?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  range?: Resolver<Maybe<ResolversTypes['RateRange']>, ParentType, ContextType>;
  rate?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  type?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  validFrom?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  validTo?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type MoneyResolvers<ContextType = Context, ParentType extends ResolversParentTypes['Money'] = ResolversParentTypes['Money']> = {
  amount?: Resolver<ResolversTypes['Decimal'], ParentType, ContextType>;
  currency?: Resolver<ResolversTypes['CurrencyCode'], ParentType, ContextType>;
};

export type MutationResolvers<ContextType = Context, ParentType extends ResolversParentTypes['Mutation'] = ResolversParentTypes['Mutation']> = {
  bookShipment?: Resolver<ResolversTypes['BookShipmentResult'], ParentType, ContextType, RequireFields<MutationBookShipmentArgs, 'input'>>;
  cancelShipment?: Resolver<ResolversTypes['CancelShipmentResult'], ParentType, ContextType, RequireFields<MutationCancelShipmentArgs, 'input'>>;
  createDraftShipment?: Resolver<ResolversTypes['CreateDraftShipmentResult'], ParentType, ContextType, RequireFields<MutationCreateDraftShipmentArgs, 'input'>>;
};

export type OptionNotAvailableResolvers<ContextType = Context, ParentType extends ResolversParentTypes['OptionNotAvailable'] = ResolversParentTypes['OptionNotAvailable']> = {
  code?: Resolver<ResolversTypes['ProblemCode'], ParentType, ContextType>;
  message?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  retryable?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type PageInfoResolvers<ContextType = Context, ParentType extends ResolversParentTypes['PageInfo'] = ResolversParentTypes['PageInfo']> = {
  endCursor?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  hasNextPage?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  hasPreviousPage?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  startCursor?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type PlaceResolvers<ContextType = Context, ParentType extends ResolversParentTypes['Place'] = ResolversParentTypes['Place']> = {
  city?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  country?: Resolver<ResolversTypes['CountryCode'], ParentType, ContextType>;
  zipcode?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type PriceLineResolvers<ContextType = Context, ParentType extends ResolversParentTypes['PriceLine'] = ResolversParentTypes['PriceLine']> = {
  amount?: Resolver<ResolversTypes['Money'], ParentType, ContextType>;
  item?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  kind?: Resolver<ResolversTypes['PriceLineKind'], ParentType, ContextType>;
  reason?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  rule?: Resolver<ResolversTypes['AppliedRule'], ParentType, ContextType>;
};

export type ProblemResolvers<ContextType = Context, ParentType extends ResolversParentTypes['Problem'] = ResolversParentTypes['Problem']> = {
  __resolveType: TypeResolveFn<'CancellationPending' | 'InputProblem' | 'OptionNotAvailable' | 'ShipmentNotBooked' | 'ShipmentNotCancelled' | 'ShipmentNotFound', ParentType, ContextType>;
};

export type ProductResolvers<ContextType = Context, ParentType extends ResolversParentTypes['Product'] = ResolversParentTypes['Product']> = {
  carrier?: Resolver<ResolversTypes['Carrier'], ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type QueryResolvers<ContextType = Context, ParentType extends ResolversParentTypes['Query'] = ResolversParentTypes['Query']> = {
  carriers?: Resolver<ReadonlyArray<ResolversTypes['Carrier']>, ParentType, ContextType>;
  classify?: Resolver<ReadonlyArray<ResolversTypes['HsCandidate']>, ParentType, ContextType, RequireFields<QueryClassifyArgs, 'description' | 'limit'>>;
  dutiesEstimate?: Resolver<ResolversTypes['DutiesEstimateResult'], ParentType, ContextType, RequireFields<QueryDutiesEstimateArgs, 'input'>>;
  landedCost?: Resolver<ResolversTypes['LandedCostResult'], ParentType, ContextType, RequireFields<QueryLandedCostArgs, 'input'>>;
  rates?: Resolver<ResolversTypes['RatesResult'], ParentType, ContextType, RequireFields<QueryRatesArgs, 'input'>>;
  ratesBatch?: Resolver<ReadonlyArray<ResolversTypes['RatesResult']>, ParentType, ContextType, RequireFields<QueryRatesBatchArgs, 'inputs'>>;
  shipment?: Resolver<Maybe<ResolversTypes['Shipment']>, ParentType, ContextType, RequireFields<QueryShipmentArgs, 'id'>>;
  shipments?: Resolver<ResolversTypes['ShipmentConnection'], ParentType, ContextType, RequireFields<QueryShipmentsArgs, 'first'>>;
};

export type RateOptionResolvers<ContextType = Context, ParentType extends ResolversParentTypes['RateOption'] = ResolversParentTypes['RateOption']> = {
  badges?: Resolver<ReadonlyArray<ResolversTypes['RateBadge']>, ParentType, ContextType>;
  breakdown?: Resolver<ReadonlyArray<ResolversTypes['PriceLine']>, ParentType, ContextType>;
  chargeable?: Resolver<ReadonlyArray<ResolversTypes['ChargeableParcel']>, ParentType, ContextType>;
  listPrice?: Resolver<Maybe<ResolversTypes['Money']>, ParentType, ContextType>;
  price?: Resolver<ResolversTypes['Money'], ParentType, ContextType>;
  product?: Resolver<ResolversTypes['Product'], ParentType, ContextType>;
  rateCard?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  transit?: Resolver<ResolversTypes['TransitTime'], ParentType, ContextType>;
};

export type RateQuoteResolvers<ContextType = Context, ParentType extends ResolversParentTypes['RateQuote'] = ResolversParentTypes['RateQuote']> = {
  declined?: Resolver<ReadonlyArray<ResolversTypes['DeclinedProduct']>, ParentType, ContextType>;
  filteredOut?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  options?: Resolver<ReadonlyArray<ResolversTypes['RateOption']>, ParentType, ContextType>;
  tariffVersion?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type RateRangeResolvers<ContextType = Context, ParentType extends ResolversParentTypes['RateRange'] = ResolversParentTypes['RateRange']> = {
  highest?: Resolver<ResolversTypes['Decimal'], ParentType, ContextType>;
  lowest?: Resolver<ResolversTypes['Decimal'], ParentType, ContextType>;
};

export type RatesResultResolvers<ContextType = Context, ParentType extends ResolversParentTypes['RatesResult'] = ResolversParentTypes['RatesResult']> = {
  __resolveType: TypeResolveFn<'InputProblem' | 'RateQuote', ParentType, ContextType>;
};

export type RuleInputResolvers<ContextType = Context, ParentType extends ResolversParentTypes['RuleInput'] = ResolversParentTypes['RuleInput']> = {
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  value?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type SecondOpinionResolvers<ContextType = Context, ParentType extends ResolversParentTypes['SecondOpinion'] = ResolversParentTypes['SecondOpinion']> = {
  candidates?: Resolver<ReadonlyArray<ResolversTypes['HsAlternative']>, ParentType, ContextType>;
  confidence?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  level?: Resolver<ResolversTypes['SecondOpinionLevel'], ParentType, ContextType>;
  message?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type ShipmentResolvers<ContextType = Context, ParentType extends ResolversParentTypes['Shipment'] = ResolversParentTypes['Shipment']> = {
  cancellable?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  cancellations?: Resolver<ReadonlyArray<ResolversTypes['CancelAttempt']>, ParentType, ContextType>;
  cancelledAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  carrier?: Resolver<ResolversTypes['Carrier'], ParentType, ContextType>;
  carrierReference?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  createdAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  from?: Resolver<ResolversTypes['Place'], ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  price?: Resolver<ResolversTypes['Money'], ParentType, ContextType>;
  product?: Resolver<Maybe<ResolversTypes['Product']>, ParentType, ContextType>;
  state?: Resolver<ResolversTypes['ShipmentState'], ParentType, ContextType>;
  to?: Resolver<ResolversTypes['Place'], ParentType, ContextType>;
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
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
};

export type ShipmentEdgeResolvers<ContextType = Context, ParentType extends ResolversParentTypes['ShipmentEdge'] = ResolversParentTypes['ShipmentEdge']> = {
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  node?: Resolver<ResolversTypes['Shipment'], ParentType, ContextType>;
};

export type ShipmentNotBookedResolvers<ContextType = Context, ParentType extends ResolversParentTypes['ShipmentNotBooked'] = ResolversParentTypes['ShipmentNotBooked']> = {
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

export type TaxLineResolvers<ContextType = Context, ParentType extends ResolversParentTypes['TaxLine'] = ResolversParentTypes['TaxLine']> = {
  amount?: Resolver<ResolversTypes['Money'], ParentType, ContextType>;
  base?: Resolver<ResolversTypes['Money'], ParentType, ContextType>;
  computed?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  description?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  formula?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  harmonizedCode?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  items?: Resolver<ReadonlyArray<ResolversTypes['Int']>, ParentType, ContextType>;
  kind?: Resolver<ResolversTypes['TaxKind'], ParentType, ContextType>;
  measure?: Resolver<Maybe<ResolversTypes['MeasureSource']>, ParentType, ContextType>;
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  rate?: Resolver<Maybe<ResolversTypes['Decimal']>, ParentType, ContextType>;
};

export type TransitTimeResolvers<ContextType = Context, ParentType extends ResolversParentTypes['TransitTime'] = ResolversParentTypes['TransitTime']> = {
  maxWorkingDays?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  minWorkingDays?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
};

export type WeightResolvers<ContextType = Context, ParentType extends ResolversParentTypes['Weight'] = ResolversParentTypes['Weight']> = {
  kilograms?: Resolver<ResolversTypes['Decimal'], ParentType, ContextType>;
};

export type Resolvers<ContextType = Context> = {
  AlternativeOutcome?: AlternativeOutcomeResolvers<ContextType>;
  AppliedRule?: AppliedRuleResolvers<ContextType>;
  BookShipmentResult?: BookShipmentResultResolvers<ContextType>;
  CancelAttempt?: CancelAttemptResolvers<ContextType>;
  CancelShipmentResult?: CancelShipmentResultResolvers<ContextType>;
  CancellationPending?: CancellationPendingResolvers<ContextType>;
  Carrier?: CarrierResolvers<ContextType>;
  ChargeableParcel?: ChargeableParcelResolvers<ContextType>;
  Classification?: ClassificationResolvers<ContextType>;
  CountryCode?: GraphQLScalarType;
  CreateDraftShipmentResult?: CreateDraftShipmentResultResolvers<ContextType>;
  DataSet?: DataSetResolvers<ContextType>;
  DateTime?: GraphQLScalarType;
  Decimal?: GraphQLScalarType;
  DeclinedProduct?: DeclinedProductResolvers<ContextType>;
  DraftShipmentCreated?: DraftShipmentCreatedResolvers<ContextType>;
  DutiesEstimate?: DutiesEstimateResolvers<ContextType>;
  DutiesEstimateResult?: DutiesEstimateResultResolvers<ContextType>;
  FieldProblem?: FieldProblemResolvers<ContextType>;
  HsAlternative?: HsAlternativeResolvers<ContextType>;
  HsCandidate?: HsCandidateResolvers<ContextType>;
  InputProblem?: InputProblemResolvers<ContextType>;
  ItemEstimate?: ItemEstimateResolvers<ContextType>;
  ItemTax?: ItemTaxResolvers<ContextType>;
  LandedCost?: LandedCostResolvers<ContextType>;
  LandedCostOption?: LandedCostOptionResolvers<ContextType>;
  LandedCostResult?: LandedCostResultResolvers<ContextType>;
  MeasureSource?: MeasureSourceResolvers<ContextType>;
  Money?: MoneyResolvers<ContextType>;
  Mutation?: MutationResolvers<ContextType>;
  OptionNotAvailable?: OptionNotAvailableResolvers<ContextType>;
  PageInfo?: PageInfoResolvers<ContextType>;
  Place?: PlaceResolvers<ContextType>;
  PriceLine?: PriceLineResolvers<ContextType>;
  Problem?: ProblemResolvers<ContextType>;
  Product?: ProductResolvers<ContextType>;
  Query?: QueryResolvers<ContextType>;
  RateOption?: RateOptionResolvers<ContextType>;
  RateQuote?: RateQuoteResolvers<ContextType>;
  RateRange?: RateRangeResolvers<ContextType>;
  RatesResult?: RatesResultResolvers<ContextType>;
  RuleInput?: RuleInputResolvers<ContextType>;
  SecondOpinion?: SecondOpinionResolvers<ContextType>;
  Shipment?: ShipmentResolvers<ContextType>;
  ShipmentBooked?: ShipmentBookedResolvers<ContextType>;
  ShipmentCancelled?: ShipmentCancelledResolvers<ContextType>;
  ShipmentConnection?: ShipmentConnectionResolvers<ContextType>;
  ShipmentEdge?: ShipmentEdgeResolvers<ContextType>;
  ShipmentNotBooked?: ShipmentNotBookedResolvers<ContextType>;
  ShipmentNotCancelled?: ShipmentNotCancelledResolvers<ContextType>;
  ShipmentNotFound?: ShipmentNotFoundResolvers<ContextType>;
  TaxLine?: TaxLineResolvers<ContextType>;
  TransitTime?: TransitTimeResolvers<ContextType>;
  Weight?: WeightResolvers<ContextType>;
};

