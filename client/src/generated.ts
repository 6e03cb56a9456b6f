import type { TypedDocumentString } from './document.ts'
export type Maybe<T> = T | null;
export type InputMaybe<T> = T | null | undefined;
export type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
export type MakeOptional<T, K extends keyof T> = Omit<T, K> & { [SubKey in K]?: Maybe<T[SubKey]> };
export type MakeMaybe<T, K extends keyof T> = Omit<T, K> & { [SubKey in K]: Maybe<T[SubKey]> };
export type MakeEmpty<T extends { [key: string]: unknown }, K extends keyof T> = { [_ in K]?: never };
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
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
  federation__FieldSet: { input: unknown; output: unknown; }
  /** The name of a directive with "@", or of a type. */
  link__Import: { input: unknown; output: unknown; }
};

/** Which draft to book. */
export type BookShipmentInput = {
  /** The shipment id of the draft, such as "demo-draft". */
  readonly shipmentId: Scalars['ID']['input'];
};

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

/** The amount that the carrier collects from the recipient. */
export type CashOnDeliveryInput = {
  /** The amount, such as "250.00": above 0, at most 100,000,000, with at most two decimals, or none for currencies without decimals. */
  readonly amount: Scalars['Decimal']['input'];
  /** The currency of the amount, an ISO 4217 code such as "PLN". If it is not that of the rate card, the exchange rates of the day apply. */
  readonly currency: Scalars['String']['input'];
};

/** An answer to a question about goods. It takes precedence over the description and over facts. */
export type ClassificationAnswerInput = {
  /** `ClassificationQuestion.name`, such as `material`, at most 100 characters. */
  readonly question: Scalars['String']['input'];
  /** `ClassificationOption.value`, such as `cotton`, at most 100 characters. */
  readonly value: Scalars['String']['input'];
};

/** The source of a code. */
export type ClassificationSource =
  /** Agreed for the product (`ContentItemInput.sku`) by the shop. */
  | 'AGREED'
  /** Found from the description and the facts. */
  | 'FROM_DESCRIPTION'
  /** Given in the input. */
  | 'GIVEN';

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

/** The currency of prices and estimates. */
export type CurrencyCode =
  /** Euro. */
  | 'EUR';

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

/** A document of a declaration. */
export type DeclarationDocument =
  /** The form CN 22 of the Universal Postal Union. */
  | 'CN22'
  /** The form CN 23 of the Universal Postal Union. */
  | 'CN23'
  /** The declaration H7 of the EU. */
  | 'H7';

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

/** Terms of delivery (Incoterms 2020): who pays the duties and taxes. They do not buy a service of the carrier; carriers that charge for delivery with duties paid offer the service DUTIES_PAID. */
export type DeliveryTerms =
  /** Delivered at place: the recipient pays duties, taxes and the fees of the carrier on delivery. */
  | 'DAP'
  /** Delivered duty paid: the carrier invoices duties, taxes and its fees to the sender. */
  | 'DDP';

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

/** A quantity of one item, such as 0.75 "l" or 2 "m2". */
export type ItemQuantityInput = {
  /** The quantity of one item in this unit, such as "0.75", with at most six decimals, at most 1,000,000. Times `count` it must be at most 100,000,000 items, kilograms, litres or metres, or 100,000,000 of another unit. */
  readonly amount: Scalars['Decimal']['input'];
  /** The unit as written in tariffs, for example "l", "hl", "m", "m2", "m3", "l pure alcohol", "kg net drained wt" or "sticks" (single cigarettes or cigars). Any other unit must be written exactly as in the tariff. */
  readonly unit: Scalars['String']['input'];
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

/** What is missing for an amount. */
export type MissingPriceFact =
  /** There is no recent exchange rate of the currency. */
  | 'EXCHANGE_RATE'
  /** The rate card states no VAT rate for the zone or the route. */
  | 'VAT_RATE';

/** An amount of money in the input. */
export type MoneyInput = {
  /** The amount, such as "12.50". The field that contains it says how many decimals are allowed. */
  readonly amount: Scalars['Decimal']['input'];
  /** The currency of `amount`. Amounts in other currencies are refused. */
  readonly currency?: CurrencyCode;
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

/** The order of options. Options that are equal are ordered by price, then by product id. */
export type RateSort =
  /** Cheapest first. */
  | 'PRICE'
  /** Fastest first: by `maxWorkingDays`, then by `minWorkingDays`. */
  | 'TRANSIT'
  /** Best value first. The score of an option is `price / lowest price + maxWorkingDays / lowest maxWorkingDays`, where 0 days count as 1, and the lowest score is best. Only options that are returned are compared. */
  | 'VALUE';

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

/** How much a given code differs from the description. */
export type SecondOpinionLevel =
  /** The heading (first four digits) differs: the description is of other goods. */
  | 'HEADING'
  /** The heading is the same, but the subheading (fifth and sixth digits) differs, for example because of the material or use. */
  | 'SUBHEADING';

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

/** How the import VAT of goods sold to consumers in the EU is collected. */
export type VatCollection =
  /** By the seller or platform, under the import one-stop shop (IOSS). `iossNumber` is then required. */
  | 'IOSS'
  /** By the post or courier, under the special arrangements for declaration and payment. */
  | 'SPECIAL_ARRANGEMENTS'
  /** By customs, in the standard way. */
  | 'STANDARD';

/** Whether an endpoint accepts events. */
export type WebhookEndpointState =
  /** The last delivery was accepted, or there was none. */
  | 'ACTIVE'
  /** No delivery was accepted for three days, so nothing is sent until `replayWebhook`. */
  | 'DISABLED'
  /** The last delivery failed. Its event is sent again. */
  | 'FAILING';

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

/** What a specification is for. */
export type Link__Purpose =
  /** Required to execute the schema correctly. */
  | 'EXECUTION'
  /** Required for the security of the schema. */
  | 'SECURITY';

export type CreateCheckoutTokenMutationVariables = Exact<{
  input: CreateCheckoutTokenInput;
}>;


export type CreateCheckoutTokenMutation = { readonly createCheckoutToken:
    | { readonly __typename: 'CheckoutToken', readonly token: string, readonly expiresAt: string }
    | { readonly __typename: 'InputProblem', readonly code: ProblemCode, readonly message: string, readonly retryable: boolean, readonly fields: ReadonlyArray<{ readonly path: ReadonlyArray<string>, readonly code: FieldProblemCode, readonly message: string }> }
   };

export type DutiesEstimateQueryVariables = Exact<{
  input: DutiesEstimateInput;
}>;


export type DutiesEstimateQuery = { readonly dutiesEstimate:
    | { readonly __typename: 'DutiesEstimate', readonly hsCode: string | null, readonly date: string, readonly complete: boolean, readonly reliability: Reliability, readonly total: { readonly amount: string, readonly currency: CurrencyCode }, readonly dueAtCheckout: { readonly amount: string, readonly currency: CurrencyCode }, readonly dueOnDelivery: { readonly amount: string, readonly currency: CurrencyCode }, readonly sellerScheme: { readonly scheme: string, readonly name: string, readonly basis: SellerSchemeBasis } | null, readonly customsValue: { readonly amount: string, readonly currency: CurrencyCode }, readonly restrictions: ReadonlyArray<{ readonly severity: RestrictionSeverity, readonly text: string, readonly itemIndexes: ReadonlyArray<number>, readonly rule: { readonly name: string, readonly source: string | null, readonly readOn: string | null, readonly validFrom: string | null, readonly validTo: string | null, readonly reliability: Reliability, readonly dataSet: { readonly name: string, readonly title: string, readonly source: string, readonly date: string } | null } }>, readonly taxes: ReadonlyArray<{ readonly hsCode: string, readonly kind: TaxKind, readonly name: string, readonly ratePercent: string | null, readonly summary: string, readonly description: string, readonly calculated: boolean, readonly collectedBy: TaxCollector, readonly reliability: Reliability, readonly basis: DutyBasis | null, readonly formula: string | null, readonly amount: { readonly amount: string, readonly currency: CurrencyCode }, readonly base: { readonly amount: string, readonly currency: CurrencyCode }, readonly rateRange: { readonly lowestPercent: string, readonly highestPercent: string } | null, readonly leastAmount: { readonly amount: string, readonly currency: CurrencyCode } | null }>, readonly items: ReadonlyArray<{ readonly index: number, readonly customsValue: { readonly amount: string, readonly currency: CurrencyCode }, readonly total: { readonly amount: string, readonly currency: CurrencyCode }, readonly taxes: ReadonlyArray<{ readonly line: { readonly hsCode: string, readonly name: string }, readonly amount: { readonly amount: string, readonly currency: CurrencyCode } }>, readonly classification: { readonly hsCode: string, readonly source: ClassificationSource, readonly confidence: number | null, readonly questions: ReadonlyArray<string>, readonly becauseOf: string | null, readonly becauseOfText: string | null, readonly alternatives: ReadonlyArray<{ readonly hsCode: string, readonly description: string, readonly heading: string | null, readonly confidence: number, readonly matchedTerms: ReadonlyArray<string>, readonly questions: ReadonlyArray<string>, readonly becauseOf: string | null, readonly becauseOfText: string | null }>, readonly secondOpinion: { readonly level: SecondOpinionLevel, readonly message: string, readonly confidence: number } | null } | null, readonly problem: { readonly code: ProblemCode, readonly message: string, readonly retryable: boolean, readonly fields: ReadonlyArray<{ readonly path: ReadonlyArray<string>, readonly code: FieldProblemCode, readonly message: string }> } | null }> }
    | { readonly __typename: 'InputProblem', readonly code: ProblemCode, readonly message: string, readonly retryable: boolean, readonly fields: ReadonlyArray<{ readonly path: ReadonlyArray<string>, readonly code: FieldProblemCode, readonly message: string }> }
   };

export type LandedCostQueryVariables = Exact<{
  input: LandedCostInput;
  currency?: InputMaybe<Scalars['String']['input']>;
}>;


export type LandedCostQuery = { readonly landedCost:
    | { readonly __typename: 'InputProblem', readonly code: ProblemCode, readonly message: string, readonly retryable: boolean, readonly fields: ReadonlyArray<{ readonly path: ReadonlyArray<string>, readonly code: FieldProblemCode, readonly message: string }> }
    | { readonly __typename: 'LandedCost', readonly rateCardVersions: ReadonlyArray<string>, readonly filteredOut: number, readonly options: ReadonlyArray<{ readonly rateOption: { readonly token: string, readonly rateCardVersion: string, readonly badges: ReadonlyArray<RateBadge>, readonly pickupDate: string | null, readonly earliestDelivery: string | null, readonly latestDelivery: string | null, readonly product: { readonly id: string, readonly name: string, readonly carrier: { readonly id: string, readonly name: string } }, readonly price: { readonly amount: string, readonly currency: CurrencyCode }, readonly priceIn: { readonly currency: string, readonly amount: string | null, readonly amountWithVat: string | null, readonly vatRatePercent: string | null, readonly missing: ReadonlyArray<MissingPriceFact>, readonly exchangeRates: ReadonlyArray<{ readonly currency: string, readonly unitsPerEuro: string, readonly validFrom: string }> }, readonly listPrice: { readonly amount: string, readonly currency: CurrencyCode } | null, readonly breakdown: ReadonlyArray<{ readonly kind: PriceLineKind, readonly name: string, readonly reason: string | null, readonly amount: { readonly amount: string, readonly currency: CurrencyCode } }>, readonly transit: { readonly minWorkingDays: number, readonly maxWorkingDays: number } }, readonly goodsValue: { readonly amount: string, readonly currency: CurrencyCode }, readonly insuranceCost: { readonly amount: string, readonly currency: CurrencyCode }, readonly clearanceFees: ReadonlyArray<{ readonly name: string, readonly description: string, readonly calculated: boolean, readonly amount: { readonly amount: string, readonly currency: CurrencyCode } }>, readonly duties: { readonly hsCode: string | null, readonly date: string, readonly complete: boolean, readonly reliability: Reliability, readonly total: { readonly amount: string, readonly currency: CurrencyCode }, readonly customsValue: { readonly amount: string, readonly currency: CurrencyCode }, readonly taxes: ReadonlyArray<{ readonly hsCode: string, readonly kind: TaxKind, readonly name: string, readonly ratePercent: string | null, readonly summary: string, readonly description: string, readonly calculated: boolean, readonly collectedBy: TaxCollector, readonly reliability: Reliability, readonly basis: DutyBasis | null, readonly formula: string | null, readonly amount: { readonly amount: string, readonly currency: CurrencyCode }, readonly base: { readonly amount: string, readonly currency: CurrencyCode }, readonly rateRange: { readonly lowestPercent: string, readonly highestPercent: string } | null, readonly leastAmount: { readonly amount: string, readonly currency: CurrencyCode } | null }> }, readonly total: { readonly amount: string, readonly currency: CurrencyCode }, readonly dueAtCheckout: { readonly amount: string, readonly currency: CurrencyCode }, readonly dueOnDelivery: { readonly amount: string, readonly currency: CurrencyCode }, readonly invoicedToSender: { readonly amount: string, readonly currency: CurrencyCode }, readonly payments: ReadonlyArray<{ readonly purpose: PaymentPurpose, readonly payer: PaymentParty, readonly moment: PaymentMoment, readonly amount: { readonly amount: string, readonly currency: CurrencyCode } }> }>, readonly restrictions: ReadonlyArray<{ readonly severity: RestrictionSeverity, readonly text: string, readonly itemIndexes: ReadonlyArray<number>, readonly rule: { readonly name: string, readonly source: string | null, readonly readOn: string | null, readonly validFrom: string | null, readonly validTo: string | null, readonly reliability: Reliability, readonly dataSet: { readonly name: string, readonly title: string, readonly source: string, readonly date: string } | null } }>, readonly declined: ReadonlyArray<{ readonly code: DeclineCode, readonly service: Service | null, readonly message: string, readonly limit: string | null, readonly actual: string | null, readonly unit: LimitUnit | null, readonly product: { readonly id: string, readonly name: string, readonly carrier: { readonly id: string, readonly name: string } } }> }
   };

export type ClassifyQueryVariables = Exact<{
  description: Scalars['String']['input'];
  first?: InputMaybe<Scalars['Int']['input']>;
  facts?: InputMaybe<GoodsFactsInput>;
  answers?: InputMaybe<ReadonlyArray<ClassificationAnswerInput> | ClassificationAnswerInput>;
}>;


export type ClassifyQuery = { readonly classify:
    | { readonly __typename: 'HsCandidates', readonly candidates: ReadonlyArray<{ readonly hsCode: string, readonly description: string, readonly heading: string | null, readonly confidence: number, readonly matchedTerms: ReadonlyArray<string>, readonly questions: ReadonlyArray<string>, readonly becauseOf: string | null, readonly becauseOfText: string | null }>, readonly questions: ReadonlyArray<{ readonly name: string, readonly text: string, readonly options: ReadonlyArray<{ readonly value: string, readonly label: string, readonly hsCode: string, readonly difference: { readonly amount: string, readonly currency: CurrencyCode } | null }> }> }
    | { readonly __typename: 'InputProblem', readonly code: ProblemCode, readonly message: string, readonly retryable: boolean, readonly fields: ReadonlyArray<{ readonly path: ReadonlyArray<string>, readonly code: FieldProblemCode, readonly message: string }> }
   };

export type CustomsDeclarationQueryVariables = Exact<{
  input: CustomsDeclarationInput;
}>;


export type CustomsDeclarationQuery = { readonly customsDeclaration:
    | { readonly __typename: 'CustomsDeclaration', readonly form: PostalForm | null, readonly formReason: string, readonly complete: boolean, readonly h7Reason: string, readonly totalValue: { readonly amount: string, readonly currency: CurrencyCode }, readonly netWeight: { readonly kilograms: string } | null, readonly grossWeight: { readonly kilograms: string } | null, readonly boxes: ReadonlyArray<{ readonly number: string | null, readonly name: string, readonly value: string }>, readonly items: ReadonlyArray<{ readonly index: number, readonly value: { readonly amount: string, readonly currency: CurrencyCode }, readonly netWeight: { readonly kilograms: string } | null, readonly boxes: ReadonlyArray<{ readonly number: string | null, readonly name: string, readonly value: string }>, readonly h7Elements: ReadonlyArray<{ readonly number: string | null, readonly name: string, readonly value: string }>, readonly descriptionProblem: { readonly code: DescriptionProblemCode, readonly message: string, readonly terms: ReadonlyArray<string> } | null, readonly proposedHsCode: { readonly hsCode: string, readonly description: string, readonly confidence: number } | null }>, readonly h7: { readonly elements: ReadonlyArray<{ readonly number: string | null, readonly name: string, readonly value: string }> } | null, readonly missing: ReadonlyArray<{ readonly document: DeclarationDocument, readonly number: string | null, readonly name: string, readonly path: ReadonlyArray<string>, readonly required: boolean, readonly requiredBy: string }> }
    | { readonly __typename: 'InputProblem', readonly code: ProblemCode, readonly message: string, readonly retryable: boolean, readonly fields: ReadonlyArray<{ readonly path: ReadonlyArray<string>, readonly code: FieldProblemCode, readonly message: string }> }
   };

export type KeptEstimateFieldsFragment = { readonly id: string, readonly createdAt: string, readonly expiresAt: string, readonly shipmentId: string | null, readonly reference: string | null, readonly hsCode: string | null, readonly complete: boolean, readonly date: string, readonly customsRevision: number, readonly from: { readonly country: string, readonly postalCode: string | null, readonly city: string | null }, readonly to: { readonly country: string, readonly postalCode: string | null, readonly city: string | null }, readonly total: { readonly amount: string, readonly currency: CurrencyCode }, readonly customsValue: { readonly amount: string, readonly currency: CurrencyCode }, readonly lines: ReadonlyArray<{ readonly hsCode: string, readonly kind: TaxKind, readonly name: string, readonly calculated: boolean, readonly amount: { readonly amount: string, readonly currency: CurrencyCode } }> };

export type KeptEstimateQueryVariables = Exact<{
  id: Scalars['ID']['input'];
}>;


export type KeptEstimateQuery = { readonly keptEstimate: { readonly id: string, readonly createdAt: string, readonly expiresAt: string, readonly shipmentId: string | null, readonly reference: string | null, readonly hsCode: string | null, readonly complete: boolean, readonly date: string, readonly customsRevision: number, readonly from: { readonly country: string, readonly postalCode: string | null, readonly city: string | null }, readonly to: { readonly country: string, readonly postalCode: string | null, readonly city: string | null }, readonly total: { readonly amount: string, readonly currency: CurrencyCode }, readonly customsValue: { readonly amount: string, readonly currency: CurrencyCode }, readonly lines: ReadonlyArray<{ readonly hsCode: string, readonly kind: TaxKind, readonly name: string, readonly calculated: boolean, readonly amount: { readonly amount: string, readonly currency: CurrencyCode } }> } | null };

export type SellerRegistrationsQueryVariables = Exact<{ [key: string]: never; }>;


export type SellerRegistrationsQuery = { readonly sellerRegistrations: ReadonlyArray<{ readonly scheme: string, readonly number: string, readonly validFrom: string | null, readonly validTo: string | null }> };

export type SaveEstimateMutationVariables = Exact<{
  input: SaveEstimateInput;
}>;


export type SaveEstimateMutation = { readonly saveEstimate:
    | { readonly __typename: 'EstimateQuotaExceeded', readonly code: ProblemCode, readonly message: string, readonly retryable: boolean }
    | { readonly __typename: 'EstimateSaved', readonly alreadySaved: boolean, readonly estimate: { readonly id: string, readonly createdAt: string, readonly expiresAt: string, readonly shipmentId: string | null, readonly reference: string | null, readonly hsCode: string | null, readonly complete: boolean, readonly date: string, readonly customsRevision: number, readonly from: { readonly country: string, readonly postalCode: string | null, readonly city: string | null }, readonly to: { readonly country: string, readonly postalCode: string | null, readonly city: string | null }, readonly total: { readonly amount: string, readonly currency: CurrencyCode }, readonly customsValue: { readonly amount: string, readonly currency: CurrencyCode }, readonly lines: ReadonlyArray<{ readonly hsCode: string, readonly kind: TaxKind, readonly name: string, readonly calculated: boolean, readonly amount: { readonly amount: string, readonly currency: CurrencyCode } }> } }
    | { readonly __typename: 'IdempotencyConflict', readonly code: ProblemCode, readonly message: string, readonly retryable: boolean }
    | { readonly __typename: 'InputProblem', readonly code: ProblemCode, readonly message: string, readonly retryable: boolean, readonly fields: ReadonlyArray<{ readonly path: ReadonlyArray<string>, readonly code: FieldProblemCode, readonly message: string }> }
   };

export type CustomsCoverageQueryVariables = Exact<{
  countries?: InputMaybe<ReadonlyArray<Scalars['CountryCode']['input']> | Scalars['CountryCode']['input']>;
}>;


export type CustomsCoverageQuery = { readonly customsCoverage:
    | { readonly __typename: 'CustomsCoverage', readonly countries: ReadonlyArray<{ readonly country: string, readonly name: string, readonly basis: DutyBasis, readonly dutyRules: number, readonly taxRules: number, readonly hasAllRules: boolean, readonly agreements: number, readonly agreementsWithoutRates: number, readonly reliability: Reliability, readonly chapters: { readonly nationalLine: number, readonly subheading: number, readonly groupAverage: number, readonly notLoaded: number }, readonly dataSets: ReadonlyArray<{ readonly name: string, readonly title: string, readonly source: string, readonly date: string, readonly nextEditionDue: string | null, readonly isOverdue: boolean }>, readonly taxes: ReadonlyArray<{ readonly name: string, readonly ratePercent: string | null, readonly levied: boolean }> }> }
    | { readonly __typename: 'InputProblem', readonly code: ProblemCode, readonly message: string, readonly retryable: boolean, readonly fields: ReadonlyArray<{ readonly path: ReadonlyArray<string>, readonly code: FieldProblemCode, readonly message: string }> }
   };

export type MoneyFieldsFragment = { readonly amount: string, readonly currency: CurrencyCode };

export type ProductFieldsFragment = { readonly id: string, readonly name: string, readonly carrier: { readonly id: string, readonly name: string } };

export type PlaceFieldsFragment = { readonly country: string, readonly postalCode: string | null, readonly city: string | null };

type ProblemFields_DraftPriceExpired_Fragment = { readonly code: ProblemCode, readonly message: string, readonly retryable: boolean };

type ProblemFields_DraftQuotaExceeded_Fragment = { readonly code: ProblemCode, readonly message: string, readonly retryable: boolean };

type ProblemFields_EstimateQuotaExceeded_Fragment = { readonly code: ProblemCode, readonly message: string, readonly retryable: boolean };

type ProblemFields_IdempotencyConflict_Fragment = { readonly code: ProblemCode, readonly message: string, readonly retryable: boolean };

type ProblemFields_InputProblem_Fragment = { readonly code: ProblemCode, readonly message: string, readonly retryable: boolean };

type ProblemFields_OptionExpired_Fragment = { readonly code: ProblemCode, readonly message: string, readonly retryable: boolean };

type ProblemFields_OptionNotAvailable_Fragment = { readonly code: ProblemCode, readonly message: string, readonly retryable: boolean };

type ProblemFields_ShipmentNotBooked_Fragment = { readonly code: ProblemCode, readonly message: string, readonly retryable: boolean };

type ProblemFields_ShipmentNotCancelled_Fragment = { readonly code: ProblemCode, readonly message: string, readonly retryable: boolean };

type ProblemFields_ShipmentNotFound_Fragment = { readonly code: ProblemCode, readonly message: string, readonly retryable: boolean };

type ProblemFields_WebhookNotFound_Fragment = { readonly code: ProblemCode, readonly message: string, readonly retryable: boolean };

export type ProblemFieldsFragment =
  | ProblemFields_DraftPriceExpired_Fragment
  | ProblemFields_DraftQuotaExceeded_Fragment
  | ProblemFields_EstimateQuotaExceeded_Fragment
  | ProblemFields_IdempotencyConflict_Fragment
  | ProblemFields_InputProblem_Fragment
  | ProblemFields_OptionExpired_Fragment
  | ProblemFields_OptionNotAvailable_Fragment
  | ProblemFields_ShipmentNotBooked_Fragment
  | ProblemFields_ShipmentNotCancelled_Fragment
  | ProblemFields_ShipmentNotFound_Fragment
  | ProblemFields_WebhookNotFound_Fragment
;

export type InputProblemFieldsFragment = { readonly code: ProblemCode, readonly message: string, readonly retryable: boolean, readonly fields: ReadonlyArray<{ readonly path: ReadonlyArray<string>, readonly code: FieldProblemCode, readonly message: string }> };

export type ConvertedPriceFieldsFragment = { readonly currency: string, readonly amount: string | null, readonly amountWithVat: string | null, readonly vatRatePercent: string | null, readonly missing: ReadonlyArray<MissingPriceFact>, readonly exchangeRates: ReadonlyArray<{ readonly currency: string, readonly unitsPerEuro: string, readonly validFrom: string }> };

export type RateOptionFieldsFragment = { readonly token: string, readonly rateCardVersion: string, readonly badges: ReadonlyArray<RateBadge>, readonly pickupDate: string | null, readonly earliestDelivery: string | null, readonly latestDelivery: string | null, readonly product: { readonly id: string, readonly name: string, readonly carrier: { readonly id: string, readonly name: string } }, readonly price: { readonly amount: string, readonly currency: CurrencyCode }, readonly priceIn: { readonly currency: string, readonly amount: string | null, readonly amountWithVat: string | null, readonly vatRatePercent: string | null, readonly missing: ReadonlyArray<MissingPriceFact>, readonly exchangeRates: ReadonlyArray<{ readonly currency: string, readonly unitsPerEuro: string, readonly validFrom: string }> }, readonly listPrice: { readonly amount: string, readonly currency: CurrencyCode } | null, readonly breakdown: ReadonlyArray<{ readonly kind: PriceLineKind, readonly name: string, readonly reason: string | null, readonly amount: { readonly amount: string, readonly currency: CurrencyCode } }>, readonly transit: { readonly minWorkingDays: number, readonly maxWorkingDays: number } };

export type DeclinedProductFieldsFragment = { readonly code: DeclineCode, readonly service: Service | null, readonly message: string, readonly limit: string | null, readonly actual: string | null, readonly unit: LimitUnit | null, readonly product: { readonly id: string, readonly name: string, readonly carrier: { readonly id: string, readonly name: string } } };

export type RateQuoteFieldsFragment = { readonly rateCardVersions: ReadonlyArray<string>, readonly filteredOut: number, readonly options: ReadonlyArray<{ readonly token: string, readonly rateCardVersion: string, readonly badges: ReadonlyArray<RateBadge>, readonly pickupDate: string | null, readonly earliestDelivery: string | null, readonly latestDelivery: string | null, readonly product: { readonly id: string, readonly name: string, readonly carrier: { readonly id: string, readonly name: string } }, readonly price: { readonly amount: string, readonly currency: CurrencyCode }, readonly priceIn: { readonly currency: string, readonly amount: string | null, readonly amountWithVat: string | null, readonly vatRatePercent: string | null, readonly missing: ReadonlyArray<MissingPriceFact>, readonly exchangeRates: ReadonlyArray<{ readonly currency: string, readonly unitsPerEuro: string, readonly validFrom: string }> }, readonly listPrice: { readonly amount: string, readonly currency: CurrencyCode } | null, readonly breakdown: ReadonlyArray<{ readonly kind: PriceLineKind, readonly name: string, readonly reason: string | null, readonly amount: { readonly amount: string, readonly currency: CurrencyCode } }>, readonly transit: { readonly minWorkingDays: number, readonly maxWorkingDays: number } }>, readonly declined: ReadonlyArray<{ readonly code: DeclineCode, readonly service: Service | null, readonly message: string, readonly limit: string | null, readonly actual: string | null, readonly unit: LimitUnit | null, readonly product: { readonly id: string, readonly name: string, readonly carrier: { readonly id: string, readonly name: string } } }> };

export type TaxLineFieldsFragment = { readonly hsCode: string, readonly kind: TaxKind, readonly name: string, readonly ratePercent: string | null, readonly summary: string, readonly description: string, readonly calculated: boolean, readonly collectedBy: TaxCollector, readonly reliability: Reliability, readonly basis: DutyBasis | null, readonly formula: string | null, readonly amount: { readonly amount: string, readonly currency: CurrencyCode }, readonly base: { readonly amount: string, readonly currency: CurrencyCode }, readonly rateRange: { readonly lowestPercent: string, readonly highestPercent: string } | null, readonly leastAmount: { readonly amount: string, readonly currency: CurrencyCode } | null };

export type RestrictionFieldsFragment = { readonly severity: RestrictionSeverity, readonly text: string, readonly itemIndexes: ReadonlyArray<number>, readonly rule: { readonly name: string, readonly source: string | null, readonly readOn: string | null, readonly validFrom: string | null, readonly validTo: string | null, readonly reliability: Reliability, readonly dataSet: { readonly name: string, readonly title: string, readonly source: string, readonly date: string } | null } };

export type ContactFieldsFragment = { readonly name: string | null, readonly company: string | null, readonly street: string | null, readonly phone: string | null, readonly email: string | null, readonly vatNumber: string | null, readonly eoriNumber: string | null };

export type ContentItemFieldsFragment = { readonly description: string, readonly count: number, readonly hsCode: string | null, readonly originCountry: string | null, readonly alcoholPercent: string | null, readonly additionalCode: string | null, readonly sku: string | null, readonly value: { readonly amount: string, readonly currency: CurrencyCode }, readonly weight: { readonly kilograms: string } | null, readonly quantities: ReadonlyArray<{ readonly unit: string, readonly amount: string }>, readonly facts: { readonly material: string | null, readonly composition: string | null, readonly madeFor: string | null, readonly category: string | null, readonly brand: string | null, readonly use: string | null, readonly construction: string | null } | null };

export type ParcelCancellationFieldsFragment = { readonly trackingNumber: string, readonly outcome: CancelAttemptOutcome, readonly refusalCode: CancelRefusalCode | null, readonly carrierReason: string | null };

export type CancelAttemptFieldsFragment = { readonly createdAt: string, readonly outcome: CancelAttemptOutcome, readonly refusalCode: CancelRefusalCode | null, readonly carrierReason: string | null, readonly carrierRefusalCode: string | null, readonly sends: number, readonly settledAt: string | null, readonly settledBy: CancelAttemptSettledBy | null, readonly nextTryAt: string | null, readonly retryAfterSeconds: number | null, readonly parcels: ReadonlyArray<{ readonly trackingNumber: string, readonly outcome: CancelAttemptOutcome, readonly refusalCode: CancelRefusalCode | null, readonly carrierReason: string | null }> };

export type ShipmentFieldsFragment = { readonly id: string, readonly state: ShipmentState, readonly reference: string | null, readonly trackingNumber: string | null, readonly trackingNumbers: ReadonlyArray<string>, readonly priceValidUntil: string | null, readonly createdAt: string, readonly bookedAt: string | null, readonly updatedAt: string, readonly cancelledAt: string | null, readonly deliveredAt: string | null, readonly cancellable: boolean, readonly carrier: { readonly id: string, readonly name: string }, readonly product: { readonly id: string, readonly name: string } | null, readonly from: { readonly country: string, readonly postalCode: string | null, readonly city: string | null }, readonly to: { readonly country: string, readonly postalCode: string | null, readonly city: string | null }, readonly sender: { readonly name: string | null, readonly company: string | null, readonly street: string | null, readonly phone: string | null, readonly email: string | null, readonly vatNumber: string | null, readonly eoriNumber: string | null } | null, readonly recipient: { readonly name: string | null, readonly company: string | null, readonly street: string | null, readonly phone: string | null, readonly email: string | null, readonly vatNumber: string | null, readonly eoriNumber: string | null } | null, readonly services: ReadonlyArray<{ readonly service: Service, readonly slot: string | null, readonly cashOnDelivery: { readonly amount: string, readonly currency: string } | null, readonly dangerousGoods: ReadonlyArray<{ readonly unNumber: string, readonly hazardClass: HazardClass | null, readonly packingGroup: PackingGroup | null, readonly limitedQuantity: boolean, readonly netWeightKg: string | null, readonly packages: number | null }> }>, readonly price: { readonly amount: string, readonly currency: CurrencyCode }, readonly cancelAttempts: ReadonlyArray<{ readonly createdAt: string, readonly outcome: CancelAttemptOutcome, readonly refusalCode: CancelRefusalCode | null, readonly carrierReason: string | null, readonly carrierRefusalCode: string | null, readonly sends: number, readonly settledAt: string | null, readonly settledBy: CancelAttemptSettledBy | null, readonly nextTryAt: string | null, readonly retryAfterSeconds: number | null, readonly parcels: ReadonlyArray<{ readonly trackingNumber: string, readonly outcome: CancelAttemptOutcome, readonly refusalCode: CancelRefusalCode | null, readonly carrierReason: string | null }> }>, readonly pendingCancelAttempt: { readonly createdAt: string, readonly outcome: CancelAttemptOutcome, readonly refusalCode: CancelRefusalCode | null, readonly carrierReason: string | null, readonly carrierRefusalCode: string | null, readonly sends: number, readonly settledAt: string | null, readonly settledBy: CancelAttemptSettledBy | null, readonly nextTryAt: string | null, readonly retryAfterSeconds: number | null, readonly parcels: ReadonlyArray<{ readonly trackingNumber: string, readonly outcome: CancelAttemptOutcome, readonly refusalCode: CancelRefusalCode | null, readonly carrierReason: string | null }> } | null, readonly trackingEvents: { readonly nodes: ReadonlyArray<{ readonly type: TrackingEventType, readonly occurredAt: string, readonly trackingNumber: string | null }>, readonly pageInfo: { readonly hasPreviousPage: boolean, readonly startCursor: string | null } } };

export type WebhookEndpointFieldsFragment = { readonly id: string, readonly url: string, readonly types: ReadonlyArray<string> | null, readonly state: WebhookEndpointState, readonly waiting: number, readonly nextTryAt: string | null, readonly createdAt: string };

export type RatesQueryVariables = Exact<{
  input: RatesInput;
  currency?: InputMaybe<Scalars['String']['input']>;
}>;


export type RatesQuery = { readonly rates:
    | { readonly __typename: 'InputProblem', readonly code: ProblemCode, readonly message: string, readonly retryable: boolean, readonly fields: ReadonlyArray<{ readonly path: ReadonlyArray<string>, readonly code: FieldProblemCode, readonly message: string }> }
    | { readonly __typename: 'RateQuote', readonly rateCardVersions: ReadonlyArray<string>, readonly filteredOut: number, readonly options: ReadonlyArray<{ readonly token: string, readonly rateCardVersion: string, readonly badges: ReadonlyArray<RateBadge>, readonly pickupDate: string | null, readonly earliestDelivery: string | null, readonly latestDelivery: string | null, readonly product: { readonly id: string, readonly name: string, readonly carrier: { readonly id: string, readonly name: string } }, readonly price: { readonly amount: string, readonly currency: CurrencyCode }, readonly priceIn: { readonly currency: string, readonly amount: string | null, readonly amountWithVat: string | null, readonly vatRatePercent: string | null, readonly missing: ReadonlyArray<MissingPriceFact>, readonly exchangeRates: ReadonlyArray<{ readonly currency: string, readonly unitsPerEuro: string, readonly validFrom: string }> }, readonly listPrice: { readonly amount: string, readonly currency: CurrencyCode } | null, readonly breakdown: ReadonlyArray<{ readonly kind: PriceLineKind, readonly name: string, readonly reason: string | null, readonly amount: { readonly amount: string, readonly currency: CurrencyCode } }>, readonly transit: { readonly minWorkingDays: number, readonly maxWorkingDays: number } }>, readonly declined: ReadonlyArray<{ readonly code: DeclineCode, readonly service: Service | null, readonly message: string, readonly limit: string | null, readonly actual: string | null, readonly unit: LimitUnit | null, readonly product: { readonly id: string, readonly name: string, readonly carrier: { readonly id: string, readonly name: string } } }> }
   };

export type RatesWithServicesQueryVariables = Exact<{
  input: RatesInput;
  currency?: InputMaybe<Scalars['String']['input']>;
}>;


export type RatesWithServicesQuery = { readonly rates:
    | { readonly __typename: 'InputProblem', readonly code: ProblemCode, readonly message: string, readonly retryable: boolean, readonly fields: ReadonlyArray<{ readonly path: ReadonlyArray<string>, readonly code: FieldProblemCode, readonly message: string }> }
    | { readonly __typename: 'RateQuote', readonly rateCardVersions: ReadonlyArray<string>, readonly filteredOut: number, readonly options: ReadonlyArray<{ readonly token: string, readonly rateCardVersion: string, readonly badges: ReadonlyArray<RateBadge>, readonly pickupDate: string | null, readonly earliestDelivery: string | null, readonly latestDelivery: string | null, readonly availableServices: ReadonlyArray<{ readonly service: Service, readonly slot: string | null, readonly name: string, readonly weekdays: ReadonlyArray<Weekday>, readonly requiredInput: ServiceInputField | null, readonly maxAmount: { readonly amount: string, readonly currency: CurrencyCode } | null, readonly price: { readonly amount: string, readonly currency: CurrencyCode } | null, readonly priceIn: { readonly currency: string, readonly amount: string | null, readonly amountWithVat: string | null, readonly vatRatePercent: string | null, readonly missing: ReadonlyArray<MissingPriceFact>, readonly exchangeRates: ReadonlyArray<{ readonly currency: string, readonly unitsPerEuro: string, readonly validFrom: string }> } | null }>, readonly product: { readonly id: string, readonly name: string, readonly carrier: { readonly id: string, readonly name: string } }, readonly price: { readonly amount: string, readonly currency: CurrencyCode }, readonly priceIn: { readonly currency: string, readonly amount: string | null, readonly amountWithVat: string | null, readonly vatRatePercent: string | null, readonly missing: ReadonlyArray<MissingPriceFact>, readonly exchangeRates: ReadonlyArray<{ readonly currency: string, readonly unitsPerEuro: string, readonly validFrom: string }> }, readonly listPrice: { readonly amount: string, readonly currency: CurrencyCode } | null, readonly breakdown: ReadonlyArray<{ readonly kind: PriceLineKind, readonly name: string, readonly reason: string | null, readonly amount: { readonly amount: string, readonly currency: CurrencyCode } }>, readonly transit: { readonly minWorkingDays: number, readonly maxWorkingDays: number } }>, readonly declined: ReadonlyArray<{ readonly code: DeclineCode, readonly service: Service | null, readonly message: string, readonly limit: string | null, readonly actual: string | null, readonly unit: LimitUnit | null, readonly product: { readonly id: string, readonly name: string, readonly carrier: { readonly id: string, readonly name: string } } }> }
   };

export type RatesBatchQueryVariables = Exact<{
  inputs: ReadonlyArray<RatesInput> | RatesInput;
  currency?: InputMaybe<Scalars['String']['input']>;
}>;


export type RatesBatchQuery = { readonly ratesBatch:
    | { readonly __typename: 'InputProblem', readonly code: ProblemCode, readonly message: string, readonly retryable: boolean, readonly fields: ReadonlyArray<{ readonly path: ReadonlyArray<string>, readonly code: FieldProblemCode, readonly message: string }> }
    | { readonly __typename: 'RatesBatch', readonly results: ReadonlyArray<
        | { readonly __typename: 'InputProblem', readonly code: ProblemCode, readonly message: string, readonly retryable: boolean, readonly fields: ReadonlyArray<{ readonly path: ReadonlyArray<string>, readonly code: FieldProblemCode, readonly message: string }> }
        | { readonly __typename: 'RateQuote', readonly rateCardVersions: ReadonlyArray<string>, readonly filteredOut: number, readonly options: ReadonlyArray<{ readonly token: string, readonly rateCardVersion: string, readonly badges: ReadonlyArray<RateBadge>, readonly pickupDate: string | null, readonly earliestDelivery: string | null, readonly latestDelivery: string | null, readonly product: { readonly id: string, readonly name: string, readonly carrier: { readonly id: string, readonly name: string } }, readonly price: { readonly amount: string, readonly currency: CurrencyCode }, readonly priceIn: { readonly currency: string, readonly amount: string | null, readonly amountWithVat: string | null, readonly vatRatePercent: string | null, readonly missing: ReadonlyArray<MissingPriceFact>, readonly exchangeRates: ReadonlyArray<{ readonly currency: string, readonly unitsPerEuro: string, readonly validFrom: string }> }, readonly listPrice: { readonly amount: string, readonly currency: CurrencyCode } | null, readonly breakdown: ReadonlyArray<{ readonly kind: PriceLineKind, readonly name: string, readonly reason: string | null, readonly amount: { readonly amount: string, readonly currency: CurrencyCode } }>, readonly transit: { readonly minWorkingDays: number, readonly maxWorkingDays: number } }>, readonly declined: ReadonlyArray<{ readonly code: DeclineCode, readonly service: Service | null, readonly message: string, readonly limit: string | null, readonly actual: string | null, readonly unit: LimitUnit | null, readonly product: { readonly id: string, readonly name: string, readonly carrier: { readonly id: string, readonly name: string } } }> }
      > }
   };

export type CarriersQueryVariables = Exact<{ [key: string]: never; }>;


export type CarriersQuery = { readonly carriers: ReadonlyArray<{ readonly id: string, readonly name: string, readonly products: ReadonlyArray<{ readonly id: string, readonly name: string }> }> };

export type CarrierQueryVariables = Exact<{
  id: Scalars['ID']['input'];
}>;


export type CarrierQuery = { readonly carrier: { readonly id: string, readonly name: string, readonly products: ReadonlyArray<{ readonly id: string, readonly name: string }> } | null };

export type ProductQueryVariables = Exact<{
  id: Scalars['ID']['input'];
}>;


export type ProductQuery = { readonly product: { readonly id: string, readonly name: string, readonly carrier: { readonly id: string, readonly name: string } } | null };

export type ShipmentQueryVariables = Exact<{
  id: Scalars['ID']['input'];
}>;


export type ShipmentQuery = { readonly shipment: { readonly id: string, readonly state: ShipmentState, readonly reference: string | null, readonly trackingNumber: string | null, readonly trackingNumbers: ReadonlyArray<string>, readonly priceValidUntil: string | null, readonly createdAt: string, readonly bookedAt: string | null, readonly updatedAt: string, readonly cancelledAt: string | null, readonly deliveredAt: string | null, readonly cancellable: boolean, readonly parcels: ReadonlyArray<{ readonly type: ParcelType, readonly count: number, readonly lengthCm: number | null, readonly widthCm: number | null, readonly heightCm: number | null, readonly stackable: boolean | null, readonly shape: ParcelShape | null, readonly packaging: Packaging | null, readonly freightClass: string | null, readonly weight: { readonly kilograms: string } | null }>, readonly contentItems: ReadonlyArray<{ readonly description: string, readonly count: number, readonly hsCode: string | null, readonly originCountry: string | null, readonly alcoholPercent: string | null, readonly additionalCode: string | null, readonly sku: string | null, readonly value: { readonly amount: string, readonly currency: CurrencyCode }, readonly weight: { readonly kilograms: string } | null, readonly quantities: ReadonlyArray<{ readonly unit: string, readonly amount: string }>, readonly facts: { readonly material: string | null, readonly composition: string | null, readonly madeFor: string | null, readonly category: string | null, readonly brand: string | null, readonly use: string | null, readonly construction: string | null } | null }>, readonly carrier: { readonly id: string, readonly name: string }, readonly product: { readonly id: string, readonly name: string } | null, readonly from: { readonly country: string, readonly postalCode: string | null, readonly city: string | null }, readonly to: { readonly country: string, readonly postalCode: string | null, readonly city: string | null }, readonly sender: { readonly name: string | null, readonly company: string | null, readonly street: string | null, readonly phone: string | null, readonly email: string | null, readonly vatNumber: string | null, readonly eoriNumber: string | null } | null, readonly recipient: { readonly name: string | null, readonly company: string | null, readonly street: string | null, readonly phone: string | null, readonly email: string | null, readonly vatNumber: string | null, readonly eoriNumber: string | null } | null, readonly services: ReadonlyArray<{ readonly service: Service, readonly slot: string | null, readonly cashOnDelivery: { readonly amount: string, readonly currency: string } | null, readonly dangerousGoods: ReadonlyArray<{ readonly unNumber: string, readonly hazardClass: HazardClass | null, readonly packingGroup: PackingGroup | null, readonly limitedQuantity: boolean, readonly netWeightKg: string | null, readonly packages: number | null }> }>, readonly price: { readonly amount: string, readonly currency: CurrencyCode }, readonly cancelAttempts: ReadonlyArray<{ readonly createdAt: string, readonly outcome: CancelAttemptOutcome, readonly refusalCode: CancelRefusalCode | null, readonly carrierReason: string | null, readonly carrierRefusalCode: string | null, readonly sends: number, readonly settledAt: string | null, readonly settledBy: CancelAttemptSettledBy | null, readonly nextTryAt: string | null, readonly retryAfterSeconds: number | null, readonly parcels: ReadonlyArray<{ readonly trackingNumber: string, readonly outcome: CancelAttemptOutcome, readonly refusalCode: CancelRefusalCode | null, readonly carrierReason: string | null }> }>, readonly pendingCancelAttempt: { readonly createdAt: string, readonly outcome: CancelAttemptOutcome, readonly refusalCode: CancelRefusalCode | null, readonly carrierReason: string | null, readonly carrierRefusalCode: string | null, readonly sends: number, readonly settledAt: string | null, readonly settledBy: CancelAttemptSettledBy | null, readonly nextTryAt: string | null, readonly retryAfterSeconds: number | null, readonly parcels: ReadonlyArray<{ readonly trackingNumber: string, readonly outcome: CancelAttemptOutcome, readonly refusalCode: CancelRefusalCode | null, readonly carrierReason: string | null }> } | null, readonly trackingEvents: { readonly nodes: ReadonlyArray<{ readonly type: TrackingEventType, readonly occurredAt: string, readonly trackingNumber: string | null }>, readonly pageInfo: { readonly hasPreviousPage: boolean, readonly startCursor: string | null } } } | null };

export type ShipmentsQueryVariables = Exact<{
  first?: InputMaybe<Scalars['Int']['input']>;
  after?: InputMaybe<Scalars['String']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  filter?: InputMaybe<ShipmentFilter>;
  sort?: InputMaybe<ShipmentSort>;
}>;


export type ShipmentsQuery = { readonly shipments: { readonly totalCount: number | null, readonly edges: ReadonlyArray<{ readonly cursor: string, readonly node: { readonly id: string, readonly state: ShipmentState, readonly reference: string | null, readonly trackingNumber: string | null, readonly trackingNumbers: ReadonlyArray<string>, readonly priceValidUntil: string | null, readonly createdAt: string, readonly bookedAt: string | null, readonly updatedAt: string, readonly cancelledAt: string | null, readonly deliveredAt: string | null, readonly cancellable: boolean, readonly carrier: { readonly id: string, readonly name: string }, readonly product: { readonly id: string, readonly name: string } | null, readonly from: { readonly country: string, readonly postalCode: string | null, readonly city: string | null }, readonly to: { readonly country: string, readonly postalCode: string | null, readonly city: string | null }, readonly sender: { readonly name: string | null, readonly company: string | null, readonly street: string | null, readonly phone: string | null, readonly email: string | null, readonly vatNumber: string | null, readonly eoriNumber: string | null } | null, readonly recipient: { readonly name: string | null, readonly company: string | null, readonly street: string | null, readonly phone: string | null, readonly email: string | null, readonly vatNumber: string | null, readonly eoriNumber: string | null } | null, readonly services: ReadonlyArray<{ readonly service: Service, readonly slot: string | null, readonly cashOnDelivery: { readonly amount: string, readonly currency: string } | null, readonly dangerousGoods: ReadonlyArray<{ readonly unNumber: string, readonly hazardClass: HazardClass | null, readonly packingGroup: PackingGroup | null, readonly limitedQuantity: boolean, readonly netWeightKg: string | null, readonly packages: number | null }> }>, readonly price: { readonly amount: string, readonly currency: CurrencyCode }, readonly cancelAttempts: ReadonlyArray<{ readonly createdAt: string, readonly outcome: CancelAttemptOutcome, readonly refusalCode: CancelRefusalCode | null, readonly carrierReason: string | null, readonly carrierRefusalCode: string | null, readonly sends: number, readonly settledAt: string | null, readonly settledBy: CancelAttemptSettledBy | null, readonly nextTryAt: string | null, readonly retryAfterSeconds: number | null, readonly parcels: ReadonlyArray<{ readonly trackingNumber: string, readonly outcome: CancelAttemptOutcome, readonly refusalCode: CancelRefusalCode | null, readonly carrierReason: string | null }> }>, readonly pendingCancelAttempt: { readonly createdAt: string, readonly outcome: CancelAttemptOutcome, readonly refusalCode: CancelRefusalCode | null, readonly carrierReason: string | null, readonly carrierRefusalCode: string | null, readonly sends: number, readonly settledAt: string | null, readonly settledBy: CancelAttemptSettledBy | null, readonly nextTryAt: string | null, readonly retryAfterSeconds: number | null, readonly parcels: ReadonlyArray<{ readonly trackingNumber: string, readonly outcome: CancelAttemptOutcome, readonly refusalCode: CancelRefusalCode | null, readonly carrierReason: string | null }> } | null, readonly trackingEvents: { readonly nodes: ReadonlyArray<{ readonly type: TrackingEventType, readonly occurredAt: string, readonly trackingNumber: string | null }>, readonly pageInfo: { readonly hasPreviousPage: boolean, readonly startCursor: string | null } } } }>, readonly pageInfo: { readonly hasNextPage: boolean, readonly hasPreviousPage: boolean, readonly startCursor: string | null, readonly endCursor: string | null } } };

export type CreateDraftShipmentMutationVariables = Exact<{
  input: CreateDraftShipmentInput;
  currency?: InputMaybe<Scalars['String']['input']>;
}>;


export type CreateDraftShipmentMutation = { readonly createDraftShipment:
    | { readonly __typename: 'DraftQuotaExceeded', readonly code: ProblemCode, readonly message: string, readonly retryable: boolean }
    | { readonly __typename: 'DraftShipmentCreated', readonly alreadyCreated: boolean, readonly shipment: { readonly id: string, readonly state: ShipmentState, readonly reference: string | null, readonly trackingNumber: string | null, readonly trackingNumbers: ReadonlyArray<string>, readonly priceValidUntil: string | null, readonly createdAt: string, readonly bookedAt: string | null, readonly updatedAt: string, readonly cancelledAt: string | null, readonly deliveredAt: string | null, readonly cancellable: boolean, readonly carrier: { readonly id: string, readonly name: string }, readonly product: { readonly id: string, readonly name: string } | null, readonly from: { readonly country: string, readonly postalCode: string | null, readonly city: string | null }, readonly to: { readonly country: string, readonly postalCode: string | null, readonly city: string | null }, readonly sender: { readonly name: string | null, readonly company: string | null, readonly street: string | null, readonly phone: string | null, readonly email: string | null, readonly vatNumber: string | null, readonly eoriNumber: string | null } | null, readonly recipient: { readonly name: string | null, readonly company: string | null, readonly street: string | null, readonly phone: string | null, readonly email: string | null, readonly vatNumber: string | null, readonly eoriNumber: string | null } | null, readonly services: ReadonlyArray<{ readonly service: Service, readonly slot: string | null, readonly cashOnDelivery: { readonly amount: string, readonly currency: string } | null, readonly dangerousGoods: ReadonlyArray<{ readonly unNumber: string, readonly hazardClass: HazardClass | null, readonly packingGroup: PackingGroup | null, readonly limitedQuantity: boolean, readonly netWeightKg: string | null, readonly packages: number | null }> }>, readonly price: { readonly amount: string, readonly currency: CurrencyCode }, readonly cancelAttempts: ReadonlyArray<{ readonly createdAt: string, readonly outcome: CancelAttemptOutcome, readonly refusalCode: CancelRefusalCode | null, readonly carrierReason: string | null, readonly carrierRefusalCode: string | null, readonly sends: number, readonly settledAt: string | null, readonly settledBy: CancelAttemptSettledBy | null, readonly nextTryAt: string | null, readonly retryAfterSeconds: number | null, readonly parcels: ReadonlyArray<{ readonly trackingNumber: string, readonly outcome: CancelAttemptOutcome, readonly refusalCode: CancelRefusalCode | null, readonly carrierReason: string | null }> }>, readonly pendingCancelAttempt: { readonly createdAt: string, readonly outcome: CancelAttemptOutcome, readonly refusalCode: CancelRefusalCode | null, readonly carrierReason: string | null, readonly carrierRefusalCode: string | null, readonly sends: number, readonly settledAt: string | null, readonly settledBy: CancelAttemptSettledBy | null, readonly nextTryAt: string | null, readonly retryAfterSeconds: number | null, readonly parcels: ReadonlyArray<{ readonly trackingNumber: string, readonly outcome: CancelAttemptOutcome, readonly refusalCode: CancelRefusalCode | null, readonly carrierReason: string | null }> } | null, readonly trackingEvents: { readonly nodes: ReadonlyArray<{ readonly type: TrackingEventType, readonly occurredAt: string, readonly trackingNumber: string | null }>, readonly pageInfo: { readonly hasPreviousPage: boolean, readonly startCursor: string | null } } } }
    | { readonly __typename: 'IdempotencyConflict', readonly code: ProblemCode, readonly message: string, readonly retryable: boolean }
    | { readonly __typename: 'InputProblem', readonly code: ProblemCode, readonly message: string, readonly retryable: boolean, readonly fields: ReadonlyArray<{ readonly path: ReadonlyArray<string>, readonly code: FieldProblemCode, readonly message: string }> }
    | { readonly __typename: 'OptionExpired', readonly code: ProblemCode, readonly message: string, readonly retryable: boolean, readonly expiredAt: string, readonly currentToken: string | null, readonly quotedPrice: { readonly amount: string, readonly currency: CurrencyCode }, readonly currentPrice: { readonly amount: string, readonly currency: CurrencyCode } | null, readonly currentPriceIn: { readonly currency: string, readonly amount: string | null, readonly amountWithVat: string | null, readonly vatRatePercent: string | null, readonly missing: ReadonlyArray<MissingPriceFact>, readonly exchangeRates: ReadonlyArray<{ readonly currency: string, readonly unitsPerEuro: string, readonly validFrom: string }> } | null }
    | { readonly __typename: 'OptionNotAvailable', readonly code: ProblemCode, readonly message: string, readonly retryable: boolean, readonly declined: { readonly code: DeclineCode, readonly service: Service | null, readonly message: string, readonly limit: string | null, readonly actual: string | null, readonly unit: LimitUnit | null, readonly product: { readonly id: string, readonly name: string, readonly carrier: { readonly id: string, readonly name: string } } } | null }
   };

export type BookShipmentMutationVariables = Exact<{
  input: BookShipmentInput;
}>;


export type BookShipmentMutation = { readonly bookShipment:
    | { readonly __typename: 'DraftPriceExpired', readonly code: ProblemCode, readonly message: string, readonly retryable: boolean, readonly validUntil: string, readonly price: { readonly amount: string, readonly currency: CurrencyCode }, readonly currentPrice: { readonly amount: string, readonly currency: CurrencyCode } | null, readonly shipment: { readonly id: string, readonly state: ShipmentState, readonly reference: string | null, readonly trackingNumber: string | null, readonly trackingNumbers: ReadonlyArray<string>, readonly priceValidUntil: string | null, readonly createdAt: string, readonly bookedAt: string | null, readonly updatedAt: string, readonly cancelledAt: string | null, readonly deliveredAt: string | null, readonly cancellable: boolean, readonly carrier: { readonly id: string, readonly name: string }, readonly product: { readonly id: string, readonly name: string } | null, readonly from: { readonly country: string, readonly postalCode: string | null, readonly city: string | null }, readonly to: { readonly country: string, readonly postalCode: string | null, readonly city: string | null }, readonly sender: { readonly name: string | null, readonly company: string | null, readonly street: string | null, readonly phone: string | null, readonly email: string | null, readonly vatNumber: string | null, readonly eoriNumber: string | null } | null, readonly recipient: { readonly name: string | null, readonly company: string | null, readonly street: string | null, readonly phone: string | null, readonly email: string | null, readonly vatNumber: string | null, readonly eoriNumber: string | null } | null, readonly services: ReadonlyArray<{ readonly service: Service, readonly slot: string | null, readonly cashOnDelivery: { readonly amount: string, readonly currency: string } | null, readonly dangerousGoods: ReadonlyArray<{ readonly unNumber: string, readonly hazardClass: HazardClass | null, readonly packingGroup: PackingGroup | null, readonly limitedQuantity: boolean, readonly netWeightKg: string | null, readonly packages: number | null }> }>, readonly price: { readonly amount: string, readonly currency: CurrencyCode }, readonly cancelAttempts: ReadonlyArray<{ readonly createdAt: string, readonly outcome: CancelAttemptOutcome, readonly refusalCode: CancelRefusalCode | null, readonly carrierReason: string | null, readonly carrierRefusalCode: string | null, readonly sends: number, readonly settledAt: string | null, readonly settledBy: CancelAttemptSettledBy | null, readonly nextTryAt: string | null, readonly retryAfterSeconds: number | null, readonly parcels: ReadonlyArray<{ readonly trackingNumber: string, readonly outcome: CancelAttemptOutcome, readonly refusalCode: CancelRefusalCode | null, readonly carrierReason: string | null }> }>, readonly pendingCancelAttempt: { readonly createdAt: string, readonly outcome: CancelAttemptOutcome, readonly refusalCode: CancelRefusalCode | null, readonly carrierReason: string | null, readonly carrierRefusalCode: string | null, readonly sends: number, readonly settledAt: string | null, readonly settledBy: CancelAttemptSettledBy | null, readonly nextTryAt: string | null, readonly retryAfterSeconds: number | null, readonly parcels: ReadonlyArray<{ readonly trackingNumber: string, readonly outcome: CancelAttemptOutcome, readonly refusalCode: CancelRefusalCode | null, readonly carrierReason: string | null }> } | null, readonly trackingEvents: { readonly nodes: ReadonlyArray<{ readonly type: TrackingEventType, readonly occurredAt: string, readonly trackingNumber: string | null }>, readonly pageInfo: { readonly hasPreviousPage: boolean, readonly startCursor: string | null } } } }
    | { readonly __typename: 'ShipmentBooked', readonly alreadyBooked: boolean, readonly shipment: { readonly id: string, readonly state: ShipmentState, readonly reference: string | null, readonly trackingNumber: string | null, readonly trackingNumbers: ReadonlyArray<string>, readonly priceValidUntil: string | null, readonly createdAt: string, readonly bookedAt: string | null, readonly updatedAt: string, readonly cancelledAt: string | null, readonly deliveredAt: string | null, readonly cancellable: boolean, readonly carrier: { readonly id: string, readonly name: string }, readonly product: { readonly id: string, readonly name: string } | null, readonly from: { readonly country: string, readonly postalCode: string | null, readonly city: string | null }, readonly to: { readonly country: string, readonly postalCode: string | null, readonly city: string | null }, readonly sender: { readonly name: string | null, readonly company: string | null, readonly street: string | null, readonly phone: string | null, readonly email: string | null, readonly vatNumber: string | null, readonly eoriNumber: string | null } | null, readonly recipient: { readonly name: string | null, readonly company: string | null, readonly street: string | null, readonly phone: string | null, readonly email: string | null, readonly vatNumber: string | null, readonly eoriNumber: string | null } | null, readonly services: ReadonlyArray<{ readonly service: Service, readonly slot: string | null, readonly cashOnDelivery: { readonly amount: string, readonly currency: string } | null, readonly dangerousGoods: ReadonlyArray<{ readonly unNumber: string, readonly hazardClass: HazardClass | null, readonly packingGroup: PackingGroup | null, readonly limitedQuantity: boolean, readonly netWeightKg: string | null, readonly packages: number | null }> }>, readonly price: { readonly amount: string, readonly currency: CurrencyCode }, readonly cancelAttempts: ReadonlyArray<{ readonly createdAt: string, readonly outcome: CancelAttemptOutcome, readonly refusalCode: CancelRefusalCode | null, readonly carrierReason: string | null, readonly carrierRefusalCode: string | null, readonly sends: number, readonly settledAt: string | null, readonly settledBy: CancelAttemptSettledBy | null, readonly nextTryAt: string | null, readonly retryAfterSeconds: number | null, readonly parcels: ReadonlyArray<{ readonly trackingNumber: string, readonly outcome: CancelAttemptOutcome, readonly refusalCode: CancelRefusalCode | null, readonly carrierReason: string | null }> }>, readonly pendingCancelAttempt: { readonly createdAt: string, readonly outcome: CancelAttemptOutcome, readonly refusalCode: CancelRefusalCode | null, readonly carrierReason: string | null, readonly carrierRefusalCode: string | null, readonly sends: number, readonly settledAt: string | null, readonly settledBy: CancelAttemptSettledBy | null, readonly nextTryAt: string | null, readonly retryAfterSeconds: number | null, readonly parcels: ReadonlyArray<{ readonly trackingNumber: string, readonly outcome: CancelAttemptOutcome, readonly refusalCode: CancelRefusalCode | null, readonly carrierReason: string | null }> } | null, readonly trackingEvents: { readonly nodes: ReadonlyArray<{ readonly type: TrackingEventType, readonly occurredAt: string, readonly trackingNumber: string | null }>, readonly pageInfo: { readonly hasPreviousPage: boolean, readonly startCursor: string | null } } } }
    | { readonly __typename: 'ShipmentNotBooked', readonly code: ProblemCode, readonly message: string, readonly retryable: boolean, readonly carrierReason: string | null, readonly carrierRefusalCode: string | null, readonly shipment: { readonly id: string, readonly state: ShipmentState, readonly reference: string | null, readonly trackingNumber: string | null, readonly trackingNumbers: ReadonlyArray<string>, readonly priceValidUntil: string | null, readonly createdAt: string, readonly bookedAt: string | null, readonly updatedAt: string, readonly cancelledAt: string | null, readonly deliveredAt: string | null, readonly cancellable: boolean, readonly carrier: { readonly id: string, readonly name: string }, readonly product: { readonly id: string, readonly name: string } | null, readonly from: { readonly country: string, readonly postalCode: string | null, readonly city: string | null }, readonly to: { readonly country: string, readonly postalCode: string | null, readonly city: string | null }, readonly sender: { readonly name: string | null, readonly company: string | null, readonly street: string | null, readonly phone: string | null, readonly email: string | null, readonly vatNumber: string | null, readonly eoriNumber: string | null } | null, readonly recipient: { readonly name: string | null, readonly company: string | null, readonly street: string | null, readonly phone: string | null, readonly email: string | null, readonly vatNumber: string | null, readonly eoriNumber: string | null } | null, readonly services: ReadonlyArray<{ readonly service: Service, readonly slot: string | null, readonly cashOnDelivery: { readonly amount: string, readonly currency: string } | null, readonly dangerousGoods: ReadonlyArray<{ readonly unNumber: string, readonly hazardClass: HazardClass | null, readonly packingGroup: PackingGroup | null, readonly limitedQuantity: boolean, readonly netWeightKg: string | null, readonly packages: number | null }> }>, readonly price: { readonly amount: string, readonly currency: CurrencyCode }, readonly cancelAttempts: ReadonlyArray<{ readonly createdAt: string, readonly outcome: CancelAttemptOutcome, readonly refusalCode: CancelRefusalCode | null, readonly carrierReason: string | null, readonly carrierRefusalCode: string | null, readonly sends: number, readonly settledAt: string | null, readonly settledBy: CancelAttemptSettledBy | null, readonly nextTryAt: string | null, readonly retryAfterSeconds: number | null, readonly parcels: ReadonlyArray<{ readonly trackingNumber: string, readonly outcome: CancelAttemptOutcome, readonly refusalCode: CancelRefusalCode | null, readonly carrierReason: string | null }> }>, readonly pendingCancelAttempt: { readonly createdAt: string, readonly outcome: CancelAttemptOutcome, readonly refusalCode: CancelRefusalCode | null, readonly carrierReason: string | null, readonly carrierRefusalCode: string | null, readonly sends: number, readonly settledAt: string | null, readonly settledBy: CancelAttemptSettledBy | null, readonly nextTryAt: string | null, readonly retryAfterSeconds: number | null, readonly parcels: ReadonlyArray<{ readonly trackingNumber: string, readonly outcome: CancelAttemptOutcome, readonly refusalCode: CancelRefusalCode | null, readonly carrierReason: string | null }> } | null, readonly trackingEvents: { readonly nodes: ReadonlyArray<{ readonly type: TrackingEventType, readonly occurredAt: string, readonly trackingNumber: string | null }>, readonly pageInfo: { readonly hasPreviousPage: boolean, readonly startCursor: string | null } } } }
    | { readonly __typename: 'ShipmentNotFound', readonly code: ProblemCode, readonly message: string, readonly retryable: boolean }
   };

export type CancelShipmentMutationVariables = Exact<{
  input: CancelShipmentInput;
}>;


export type CancelShipmentMutation = { readonly cancelShipment:
    | { readonly __typename: 'CancellationPending', readonly message: string, readonly retryAfterSeconds: number, readonly parcels: ReadonlyArray<{ readonly trackingNumber: string, readonly outcome: CancelAttemptOutcome, readonly refusalCode: CancelRefusalCode | null, readonly carrierReason: string | null }>, readonly shipment: { readonly id: string, readonly state: ShipmentState, readonly reference: string | null, readonly trackingNumber: string | null, readonly trackingNumbers: ReadonlyArray<string>, readonly priceValidUntil: string | null, readonly createdAt: string, readonly bookedAt: string | null, readonly updatedAt: string, readonly cancelledAt: string | null, readonly deliveredAt: string | null, readonly cancellable: boolean, readonly carrier: { readonly id: string, readonly name: string }, readonly product: { readonly id: string, readonly name: string } | null, readonly from: { readonly country: string, readonly postalCode: string | null, readonly city: string | null }, readonly to: { readonly country: string, readonly postalCode: string | null, readonly city: string | null }, readonly sender: { readonly name: string | null, readonly company: string | null, readonly street: string | null, readonly phone: string | null, readonly email: string | null, readonly vatNumber: string | null, readonly eoriNumber: string | null } | null, readonly recipient: { readonly name: string | null, readonly company: string | null, readonly street: string | null, readonly phone: string | null, readonly email: string | null, readonly vatNumber: string | null, readonly eoriNumber: string | null } | null, readonly services: ReadonlyArray<{ readonly service: Service, readonly slot: string | null, readonly cashOnDelivery: { readonly amount: string, readonly currency: string } | null, readonly dangerousGoods: ReadonlyArray<{ readonly unNumber: string, readonly hazardClass: HazardClass | null, readonly packingGroup: PackingGroup | null, readonly limitedQuantity: boolean, readonly netWeightKg: string | null, readonly packages: number | null }> }>, readonly price: { readonly amount: string, readonly currency: CurrencyCode }, readonly cancelAttempts: ReadonlyArray<{ readonly createdAt: string, readonly outcome: CancelAttemptOutcome, readonly refusalCode: CancelRefusalCode | null, readonly carrierReason: string | null, readonly carrierRefusalCode: string | null, readonly sends: number, readonly settledAt: string | null, readonly settledBy: CancelAttemptSettledBy | null, readonly nextTryAt: string | null, readonly retryAfterSeconds: number | null, readonly parcels: ReadonlyArray<{ readonly trackingNumber: string, readonly outcome: CancelAttemptOutcome, readonly refusalCode: CancelRefusalCode | null, readonly carrierReason: string | null }> }>, readonly pendingCancelAttempt: { readonly createdAt: string, readonly outcome: CancelAttemptOutcome, readonly refusalCode: CancelRefusalCode | null, readonly carrierReason: string | null, readonly carrierRefusalCode: string | null, readonly sends: number, readonly settledAt: string | null, readonly settledBy: CancelAttemptSettledBy | null, readonly nextTryAt: string | null, readonly retryAfterSeconds: number | null, readonly parcels: ReadonlyArray<{ readonly trackingNumber: string, readonly outcome: CancelAttemptOutcome, readonly refusalCode: CancelRefusalCode | null, readonly carrierReason: string | null }> } | null, readonly trackingEvents: { readonly nodes: ReadonlyArray<{ readonly type: TrackingEventType, readonly occurredAt: string, readonly trackingNumber: string | null }>, readonly pageInfo: { readonly hasPreviousPage: boolean, readonly startCursor: string | null } } } }
    | { readonly __typename: 'ShipmentCancelled', readonly message: string, readonly alreadyCancelled: boolean, readonly carrierNotified: boolean, readonly labelMustBeDestroyed: boolean, readonly shipment: { readonly id: string, readonly state: ShipmentState, readonly reference: string | null, readonly trackingNumber: string | null, readonly trackingNumbers: ReadonlyArray<string>, readonly priceValidUntil: string | null, readonly createdAt: string, readonly bookedAt: string | null, readonly updatedAt: string, readonly cancelledAt: string | null, readonly deliveredAt: string | null, readonly cancellable: boolean, readonly carrier: { readonly id: string, readonly name: string }, readonly product: { readonly id: string, readonly name: string } | null, readonly from: { readonly country: string, readonly postalCode: string | null, readonly city: string | null }, readonly to: { readonly country: string, readonly postalCode: string | null, readonly city: string | null }, readonly sender: { readonly name: string | null, readonly company: string | null, readonly street: string | null, readonly phone: string | null, readonly email: string | null, readonly vatNumber: string | null, readonly eoriNumber: string | null } | null, readonly recipient: { readonly name: string | null, readonly company: string | null, readonly street: string | null, readonly phone: string | null, readonly email: string | null, readonly vatNumber: string | null, readonly eoriNumber: string | null } | null, readonly services: ReadonlyArray<{ readonly service: Service, readonly slot: string | null, readonly cashOnDelivery: { readonly amount: string, readonly currency: string } | null, readonly dangerousGoods: ReadonlyArray<{ readonly unNumber: string, readonly hazardClass: HazardClass | null, readonly packingGroup: PackingGroup | null, readonly limitedQuantity: boolean, readonly netWeightKg: string | null, readonly packages: number | null }> }>, readonly price: { readonly amount: string, readonly currency: CurrencyCode }, readonly cancelAttempts: ReadonlyArray<{ readonly createdAt: string, readonly outcome: CancelAttemptOutcome, readonly refusalCode: CancelRefusalCode | null, readonly carrierReason: string | null, readonly carrierRefusalCode: string | null, readonly sends: number, readonly settledAt: string | null, readonly settledBy: CancelAttemptSettledBy | null, readonly nextTryAt: string | null, readonly retryAfterSeconds: number | null, readonly parcels: ReadonlyArray<{ readonly trackingNumber: string, readonly outcome: CancelAttemptOutcome, readonly refusalCode: CancelRefusalCode | null, readonly carrierReason: string | null }> }>, readonly pendingCancelAttempt: { readonly createdAt: string, readonly outcome: CancelAttemptOutcome, readonly refusalCode: CancelRefusalCode | null, readonly carrierReason: string | null, readonly carrierRefusalCode: string | null, readonly sends: number, readonly settledAt: string | null, readonly settledBy: CancelAttemptSettledBy | null, readonly nextTryAt: string | null, readonly retryAfterSeconds: number | null, readonly parcels: ReadonlyArray<{ readonly trackingNumber: string, readonly outcome: CancelAttemptOutcome, readonly refusalCode: CancelRefusalCode | null, readonly carrierReason: string | null }> } | null, readonly trackingEvents: { readonly nodes: ReadonlyArray<{ readonly type: TrackingEventType, readonly occurredAt: string, readonly trackingNumber: string | null }>, readonly pageInfo: { readonly hasPreviousPage: boolean, readonly startCursor: string | null } } } }
    | { readonly __typename: 'ShipmentNotCancelled', readonly code: ProblemCode, readonly message: string, readonly retryable: boolean, readonly refusalCode: CancelRefusalCode | null, readonly carrierReason: string | null, readonly shipment: { readonly id: string, readonly state: ShipmentState, readonly reference: string | null, readonly trackingNumber: string | null, readonly trackingNumbers: ReadonlyArray<string>, readonly priceValidUntil: string | null, readonly createdAt: string, readonly bookedAt: string | null, readonly updatedAt: string, readonly cancelledAt: string | null, readonly deliveredAt: string | null, readonly cancellable: boolean, readonly carrier: { readonly id: string, readonly name: string }, readonly product: { readonly id: string, readonly name: string } | null, readonly from: { readonly country: string, readonly postalCode: string | null, readonly city: string | null }, readonly to: { readonly country: string, readonly postalCode: string | null, readonly city: string | null }, readonly sender: { readonly name: string | null, readonly company: string | null, readonly street: string | null, readonly phone: string | null, readonly email: string | null, readonly vatNumber: string | null, readonly eoriNumber: string | null } | null, readonly recipient: { readonly name: string | null, readonly company: string | null, readonly street: string | null, readonly phone: string | null, readonly email: string | null, readonly vatNumber: string | null, readonly eoriNumber: string | null } | null, readonly services: ReadonlyArray<{ readonly service: Service, readonly slot: string | null, readonly cashOnDelivery: { readonly amount: string, readonly currency: string } | null, readonly dangerousGoods: ReadonlyArray<{ readonly unNumber: string, readonly hazardClass: HazardClass | null, readonly packingGroup: PackingGroup | null, readonly limitedQuantity: boolean, readonly netWeightKg: string | null, readonly packages: number | null }> }>, readonly price: { readonly amount: string, readonly currency: CurrencyCode }, readonly cancelAttempts: ReadonlyArray<{ readonly createdAt: string, readonly outcome: CancelAttemptOutcome, readonly refusalCode: CancelRefusalCode | null, readonly carrierReason: string | null, readonly carrierRefusalCode: string | null, readonly sends: number, readonly settledAt: string | null, readonly settledBy: CancelAttemptSettledBy | null, readonly nextTryAt: string | null, readonly retryAfterSeconds: number | null, readonly parcels: ReadonlyArray<{ readonly trackingNumber: string, readonly outcome: CancelAttemptOutcome, readonly refusalCode: CancelRefusalCode | null, readonly carrierReason: string | null }> }>, readonly pendingCancelAttempt: { readonly createdAt: string, readonly outcome: CancelAttemptOutcome, readonly refusalCode: CancelRefusalCode | null, readonly carrierReason: string | null, readonly carrierRefusalCode: string | null, readonly sends: number, readonly settledAt: string | null, readonly settledBy: CancelAttemptSettledBy | null, readonly nextTryAt: string | null, readonly retryAfterSeconds: number | null, readonly parcels: ReadonlyArray<{ readonly trackingNumber: string, readonly outcome: CancelAttemptOutcome, readonly refusalCode: CancelRefusalCode | null, readonly carrierReason: string | null }> } | null, readonly trackingEvents: { readonly nodes: ReadonlyArray<{ readonly type: TrackingEventType, readonly occurredAt: string, readonly trackingNumber: string | null }>, readonly pageInfo: { readonly hasPreviousPage: boolean, readonly startCursor: string | null } } } }
    | { readonly __typename: 'ShipmentNotFound', readonly code: ProblemCode, readonly message: string, readonly retryable: boolean }
   };

export type WebhookEndpointsQueryVariables = Exact<{ [key: string]: never; }>;


export type WebhookEndpointsQuery = { readonly webhookEndpoints: ReadonlyArray<{ readonly id: string, readonly url: string, readonly types: ReadonlyArray<string> | null, readonly state: WebhookEndpointState, readonly waiting: number, readonly nextTryAt: string | null, readonly createdAt: string }> };

export type WebhookDeliveriesQueryVariables = Exact<{
  id: Scalars['ID']['input'];
  first?: InputMaybe<Scalars['Int']['input']>;
  after?: InputMaybe<Scalars['String']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
}>;


export type WebhookDeliveriesQuery = { readonly webhookEndpoint: { readonly id: string, readonly url: string, readonly types: ReadonlyArray<string> | null, readonly state: WebhookEndpointState, readonly waiting: number, readonly nextTryAt: string | null, readonly createdAt: string, readonly deliveries: { readonly edges: ReadonlyArray<{ readonly cursor: string, readonly node: { readonly id: string, readonly sequence: number, readonly type: string | null, readonly shipmentId: string | null, readonly endedAt: string, readonly durationMs: number, readonly status: number | null, readonly failure: string | null } }>, readonly pageInfo: { readonly hasNextPage: boolean, readonly hasPreviousPage: boolean, readonly startCursor: string | null, readonly endCursor: string | null } } } | null };

export type ReplayWebhookMutationVariables = Exact<{
  input: ReplayWebhookInput;
}>;


export type ReplayWebhookMutation = { readonly replayWebhook:
    | { readonly __typename: 'InputProblem', readonly code: ProblemCode, readonly message: string, readonly retryable: boolean, readonly fields: ReadonlyArray<{ readonly path: ReadonlyArray<string>, readonly code: FieldProblemCode, readonly message: string }> }
    | { readonly __typename: 'WebhookNotFound', readonly code: ProblemCode, readonly message: string, readonly retryable: boolean }
    | { readonly __typename: 'WebhookReplayed', readonly alreadyReplayed: boolean, readonly endpoint: { readonly id: string, readonly url: string, readonly types: ReadonlyArray<string> | null, readonly state: WebhookEndpointState, readonly waiting: number, readonly nextTryAt: string | null, readonly createdAt: string } }
   };

export const CreateCheckoutTokenDocument = 'mutation CreateCheckoutToken($input:CreateCheckoutTokenInput!){createCheckoutToken(input:$input){__typename ...ProblemFields ...on CheckoutToken{token expiresAt}...InputProblemFields}}fragment ProblemFields on Problem{code message retryable}fragment InputProblemFields on InputProblem{code message retryable fields{path code message}}' as TypedDocumentString<
  CreateCheckoutTokenMutation,
  CreateCheckoutTokenMutationVariables
>

export const DutiesEstimateDocument = 'query DutiesEstimate($input:DutiesEstimateInput!){dutiesEstimate(input:$input){__typename ...ProblemFields ...on DutiesEstimate{total{...MoneyFields}dueAtCheckout{...MoneyFields}dueOnDelivery{...MoneyFields}sellerScheme{scheme name basis}customsValue{...MoneyFields}hsCode date complete reliability restrictions{...RestrictionFields}taxes{...TaxLineFields}items{index customsValue{...MoneyFields}total{...MoneyFields}taxes{line{hsCode name}amount{...MoneyFields}}classification{hsCode source confidence questions becauseOf becauseOfText alternatives{hsCode description heading confidence matchedTerms questions becauseOf becauseOfText}secondOpinion{level message confidence}}problem{...InputProblemFields}}}...InputProblemFields}}fragment ProblemFields on Problem{code message retryable}fragment MoneyFields on Money{amount currency}fragment RestrictionFields on Restriction{severity text itemIndexes rule{name source readOn validFrom validTo reliability dataSet{name title source date}}}fragment TaxLineFields on TaxLine{hsCode kind name amount{...MoneyFields}base{...MoneyFields}ratePercent summary description calculated collectedBy reliability basis rateRange{lowestPercent highestPercent}formula leastAmount{...MoneyFields}}fragment InputProblemFields on InputProblem{code message retryable fields{path code message}}' as TypedDocumentString<
  DutiesEstimateQuery,
  DutiesEstimateQueryVariables
>

export const LandedCostDocument = 'query LandedCost($input:LandedCostInput!$currency:String){landedCost(input:$input){__typename ...ProblemFields ...on LandedCost{rateCardVersions options{rateOption{...RateOptionFields}goodsValue{...MoneyFields}insuranceCost{...MoneyFields}clearanceFees{name amount{...MoneyFields}description calculated}duties{total{...MoneyFields}customsValue{...MoneyFields}hsCode date complete reliability taxes{...TaxLineFields}}total{...MoneyFields}dueAtCheckout{...MoneyFields}dueOnDelivery{...MoneyFields}invoicedToSender{...MoneyFields}payments{purpose payer moment amount{...MoneyFields}}}filteredOut restrictions{...RestrictionFields}declined{...DeclinedProductFields}}...InputProblemFields}}fragment ProblemFields on Problem{code message retryable}fragment RateOptionFields on RateOption{token product{...ProductFields}price{...MoneyFields}priceIn(currency:$currency){...ConvertedPriceFields}listPrice{...MoneyFields}rateCardVersion badges breakdown{kind name amount{...MoneyFields}reason}transit{minWorkingDays maxWorkingDays}pickupDate earliestDelivery latestDelivery}fragment ProductFields on Product{id name carrier{id name}}fragment MoneyFields on Money{amount currency}fragment ConvertedPriceFields on ConvertedPrice{currency amount amountWithVat vatRatePercent missing exchangeRates{currency unitsPerEuro validFrom}}fragment TaxLineFields on TaxLine{hsCode kind name amount{...MoneyFields}base{...MoneyFields}ratePercent summary description calculated collectedBy reliability basis rateRange{lowestPercent highestPercent}formula leastAmount{...MoneyFields}}fragment RestrictionFields on Restriction{severity text itemIndexes rule{name source readOn validFrom validTo reliability dataSet{name title source date}}}fragment DeclinedProductFields on DeclinedProduct{product{...ProductFields}code service message limit actual unit}fragment InputProblemFields on InputProblem{code message retryable fields{path code message}}' as TypedDocumentString<
  LandedCostQuery,
  LandedCostQueryVariables
>

export const ClassifyDocument = 'query Classify($description:String!$first:Int$facts:GoodsFactsInput$answers:[ClassificationAnswerInput!]){classify(description:$description first:$first facts:$facts answers:$answers){__typename ...ProblemFields ...on HsCandidates{candidates{hsCode description heading confidence matchedTerms questions becauseOf becauseOfText}questions{name text options{value label hsCode difference{...MoneyFields}}}}...InputProblemFields}}fragment ProblemFields on Problem{code message retryable}fragment MoneyFields on Money{amount currency}fragment InputProblemFields on InputProblem{code message retryable fields{path code message}}' as TypedDocumentString<
  ClassifyQuery,
  ClassifyQueryVariables
>

export const CustomsDeclarationDocument = 'query CustomsDeclaration($input:CustomsDeclarationInput!){customsDeclaration(input:$input){__typename ...ProblemFields ...on CustomsDeclaration{form formReason complete totalValue{...MoneyFields}netWeight{kilograms}grossWeight{kilograms}boxes{number name value}items{index value{...MoneyFields}netWeight{kilograms}boxes{number name value}h7Elements{number name value}descriptionProblem{code message terms}proposedHsCode{hsCode description confidence}}h7{elements{number name value}}h7Reason missing{document number name path required requiredBy}}...InputProblemFields}}fragment ProblemFields on Problem{code message retryable}fragment MoneyFields on Money{amount currency}fragment InputProblemFields on InputProblem{code message retryable fields{path code message}}' as TypedDocumentString<
  CustomsDeclarationQuery,
  CustomsDeclarationQueryVariables
>

export const KeptEstimateDocument = 'query KeptEstimate($id:ID!){keptEstimate(id:$id){...KeptEstimateFields}}fragment KeptEstimateFields on KeptEstimate{id createdAt expiresAt shipmentId reference from{...PlaceFields}to{...PlaceFields}total{...MoneyFields}customsValue{...MoneyFields}hsCode complete date customsRevision lines{hsCode kind name amount{...MoneyFields}calculated}}fragment PlaceFields on Place{country postalCode city}fragment MoneyFields on Money{amount currency}' as TypedDocumentString<
  KeptEstimateQuery,
  KeptEstimateQueryVariables
>

export const SellerRegistrationsDocument = 'query SellerRegistrations{sellerRegistrations{scheme number validFrom validTo}}' as TypedDocumentString<
  SellerRegistrationsQuery,
  SellerRegistrationsQueryVariables
>

export const SaveEstimateDocument = 'mutation SaveEstimate($input:SaveEstimateInput!){saveEstimate(input:$input){__typename ...ProblemFields ...on EstimateSaved{alreadySaved estimate{...KeptEstimateFields}}...InputProblemFields}}fragment ProblemFields on Problem{code message retryable}fragment KeptEstimateFields on KeptEstimate{id createdAt expiresAt shipmentId reference from{...PlaceFields}to{...PlaceFields}total{...MoneyFields}customsValue{...MoneyFields}hsCode complete date customsRevision lines{hsCode kind name amount{...MoneyFields}calculated}}fragment PlaceFields on Place{country postalCode city}fragment MoneyFields on Money{amount currency}fragment InputProblemFields on InputProblem{code message retryable fields{path code message}}' as TypedDocumentString<
  SaveEstimateMutation,
  SaveEstimateMutationVariables
>

export const CustomsCoverageDocument = 'query CustomsCoverage($countries:[CountryCode!]){customsCoverage(countries:$countries){__typename ...ProblemFields ...on CustomsCoverage{countries{country name basis chapters{nationalLine subheading groupAverage notLoaded}dataSets{name title source date nextEditionDue isOverdue}taxes{name ratePercent levied}dutyRules taxRules hasAllRules agreements agreementsWithoutRates reliability}}...InputProblemFields}}fragment ProblemFields on Problem{code message retryable}fragment InputProblemFields on InputProblem{code message retryable fields{path code message}}' as TypedDocumentString<
  CustomsCoverageQuery,
  CustomsCoverageQueryVariables
>

export const RatesDocument = 'query Rates($input:RatesInput!$currency:String){rates(input:$input){__typename ...ProblemFields ...RateQuoteFields ...InputProblemFields}}fragment ProblemFields on Problem{code message retryable}fragment RateQuoteFields on RateQuote{rateCardVersions options{...RateOptionFields}filteredOut declined{...DeclinedProductFields}}fragment RateOptionFields on RateOption{token product{...ProductFields}price{...MoneyFields}priceIn(currency:$currency){...ConvertedPriceFields}listPrice{...MoneyFields}rateCardVersion badges breakdown{kind name amount{...MoneyFields}reason}transit{minWorkingDays maxWorkingDays}pickupDate earliestDelivery latestDelivery}fragment ProductFields on Product{id name carrier{id name}}fragment MoneyFields on Money{amount currency}fragment ConvertedPriceFields on ConvertedPrice{currency amount amountWithVat vatRatePercent missing exchangeRates{currency unitsPerEuro validFrom}}fragment DeclinedProductFields on DeclinedProduct{product{...ProductFields}code service message limit actual unit}fragment InputProblemFields on InputProblem{code message retryable fields{path code message}}' as TypedDocumentString<
  RatesQuery,
  RatesQueryVariables
>

export const RatesWithServicesDocument = 'query RatesWithServices($input:RatesInput!$currency:String){rates(input:$input){__typename ...ProblemFields ...on RateQuote{rateCardVersions options{...RateOptionFields availableServices{service slot name weekdays requiredInput maxAmount{...MoneyFields}price{...MoneyFields}priceIn(currency:$currency){...ConvertedPriceFields}}}filteredOut declined{...DeclinedProductFields}}...InputProblemFields}}fragment ProblemFields on Problem{code message retryable}fragment RateOptionFields on RateOption{token product{...ProductFields}price{...MoneyFields}priceIn(currency:$currency){...ConvertedPriceFields}listPrice{...MoneyFields}rateCardVersion badges breakdown{kind name amount{...MoneyFields}reason}transit{minWorkingDays maxWorkingDays}pickupDate earliestDelivery latestDelivery}fragment ProductFields on Product{id name carrier{id name}}fragment MoneyFields on Money{amount currency}fragment ConvertedPriceFields on ConvertedPrice{currency amount amountWithVat vatRatePercent missing exchangeRates{currency unitsPerEuro validFrom}}fragment DeclinedProductFields on DeclinedProduct{product{...ProductFields}code service message limit actual unit}fragment InputProblemFields on InputProblem{code message retryable fields{path code message}}' as TypedDocumentString<
  RatesWithServicesQuery,
  RatesWithServicesQueryVariables
>

export const RatesBatchDocument = 'query RatesBatch($inputs:[RatesInput!]!$currency:String){ratesBatch(inputs:$inputs){__typename ...ProblemFields ...on RatesBatch{results{__typename ...ProblemFields ...ProblemFields ...RateQuoteFields ...InputProblemFields}}...InputProblemFields}}fragment ProblemFields on Problem{code message retryable}fragment RateQuoteFields on RateQuote{rateCardVersions options{...RateOptionFields}filteredOut declined{...DeclinedProductFields}}fragment RateOptionFields on RateOption{token product{...ProductFields}price{...MoneyFields}priceIn(currency:$currency){...ConvertedPriceFields}listPrice{...MoneyFields}rateCardVersion badges breakdown{kind name amount{...MoneyFields}reason}transit{minWorkingDays maxWorkingDays}pickupDate earliestDelivery latestDelivery}fragment ProductFields on Product{id name carrier{id name}}fragment MoneyFields on Money{amount currency}fragment ConvertedPriceFields on ConvertedPrice{currency amount amountWithVat vatRatePercent missing exchangeRates{currency unitsPerEuro validFrom}}fragment DeclinedProductFields on DeclinedProduct{product{...ProductFields}code service message limit actual unit}fragment InputProblemFields on InputProblem{code message retryable fields{path code message}}' as TypedDocumentString<
  RatesBatchQuery,
  RatesBatchQueryVariables
>

export const CarriersDocument = 'query Carriers{carriers{id name products{id name}}}' as TypedDocumentString<
  CarriersQuery,
  CarriersQueryVariables
>

export const CarrierDocument = 'query Carrier($id:ID!){carrier(id:$id){id name products{id name}}}' as TypedDocumentString<
  CarrierQuery,
  CarrierQueryVariables
>

export const ProductDocument = 'query Product($id:ID!){product(id:$id){...ProductFields}}fragment ProductFields on Product{id name carrier{id name}}' as TypedDocumentString<
  ProductQuery,
  ProductQueryVariables
>

export const ShipmentDocument = 'query Shipment($id:ID!){shipment(id:$id){...ShipmentFields parcels{type count weight{kilograms}lengthCm widthCm heightCm stackable shape packaging freightClass}contentItems{...ContentItemFields}}}fragment ShipmentFields on Shipment{id state reference carrier{id name}product{id name}trackingNumber trackingNumbers from{...PlaceFields}to{...PlaceFields}sender{...ContactFields}recipient{...ContactFields}services{service slot cashOnDelivery{amount currency}dangerousGoods{unNumber hazardClass packingGroup limitedQuantity netWeightKg packages}}price{...MoneyFields}priceValidUntil createdAt bookedAt updatedAt cancelledAt deliveredAt cancellable cancelAttempts{...CancelAttemptFields}pendingCancelAttempt{...CancelAttemptFields}trackingEvents(last:10){nodes{type occurredAt trackingNumber}pageInfo{hasPreviousPage startCursor}}}fragment PlaceFields on Place{country postalCode city}fragment ContactFields on Contact{name company street phone email vatNumber eoriNumber}fragment MoneyFields on Money{amount currency}fragment CancelAttemptFields on CancelAttempt{createdAt outcome refusalCode carrierReason carrierRefusalCode sends settledAt settledBy nextTryAt retryAfterSeconds parcels{...ParcelCancellationFields}}fragment ParcelCancellationFields on ParcelCancellation{trackingNumber outcome refusalCode carrierReason}fragment ContentItemFields on ContentItem{description count value{...MoneyFields}hsCode originCountry weight{kilograms}quantities{unit amount}alcoholPercent additionalCode sku facts{material composition madeFor category brand use construction}}' as TypedDocumentString<
  ShipmentQuery,
  ShipmentQueryVariables
>

export const ShipmentsDocument = 'query Shipments($first:Int$after:String$last:Int$before:String$filter:ShipmentFilter$sort:ShipmentSort){shipments(first:$first after:$after last:$last before:$before filter:$filter sort:$sort){edges{cursor node{...ShipmentFields}}totalCount pageInfo{hasNextPage hasPreviousPage startCursor endCursor}}}fragment ShipmentFields on Shipment{id state reference carrier{id name}product{id name}trackingNumber trackingNumbers from{...PlaceFields}to{...PlaceFields}sender{...ContactFields}recipient{...ContactFields}services{service slot cashOnDelivery{amount currency}dangerousGoods{unNumber hazardClass packingGroup limitedQuantity netWeightKg packages}}price{...MoneyFields}priceValidUntil createdAt bookedAt updatedAt cancelledAt deliveredAt cancellable cancelAttempts{...CancelAttemptFields}pendingCancelAttempt{...CancelAttemptFields}trackingEvents(last:10){nodes{type occurredAt trackingNumber}pageInfo{hasPreviousPage startCursor}}}fragment PlaceFields on Place{country postalCode city}fragment ContactFields on Contact{name company street phone email vatNumber eoriNumber}fragment MoneyFields on Money{amount currency}fragment CancelAttemptFields on CancelAttempt{createdAt outcome refusalCode carrierReason carrierRefusalCode sends settledAt settledBy nextTryAt retryAfterSeconds parcels{...ParcelCancellationFields}}fragment ParcelCancellationFields on ParcelCancellation{trackingNumber outcome refusalCode carrierReason}' as TypedDocumentString<
  ShipmentsQuery,
  ShipmentsQueryVariables
>

export const CreateDraftShipmentDocument = 'mutation CreateDraftShipment($input:CreateDraftShipmentInput!$currency:String){createDraftShipment(input:$input){__typename ...ProblemFields ...on DraftShipmentCreated{alreadyCreated shipment{...ShipmentFields}}...on OptionNotAvailable{code message retryable declined{...DeclinedProductFields}}...on OptionExpired{code message retryable quotedPrice{...MoneyFields}expiredAt currentPrice{...MoneyFields}currentPriceIn(currency:$currency){...ConvertedPriceFields}currentToken}...on IdempotencyConflict{code message retryable}...on DraftQuotaExceeded{code message retryable}...InputProblemFields}}fragment ProblemFields on Problem{code message retryable}fragment ShipmentFields on Shipment{id state reference carrier{id name}product{id name}trackingNumber trackingNumbers from{...PlaceFields}to{...PlaceFields}sender{...ContactFields}recipient{...ContactFields}services{service slot cashOnDelivery{amount currency}dangerousGoods{unNumber hazardClass packingGroup limitedQuantity netWeightKg packages}}price{...MoneyFields}priceValidUntil createdAt bookedAt updatedAt cancelledAt deliveredAt cancellable cancelAttempts{...CancelAttemptFields}pendingCancelAttempt{...CancelAttemptFields}trackingEvents(last:10){nodes{type occurredAt trackingNumber}pageInfo{hasPreviousPage startCursor}}}fragment PlaceFields on Place{country postalCode city}fragment ContactFields on Contact{name company street phone email vatNumber eoriNumber}fragment MoneyFields on Money{amount currency}fragment CancelAttemptFields on CancelAttempt{createdAt outcome refusalCode carrierReason carrierRefusalCode sends settledAt settledBy nextTryAt retryAfterSeconds parcels{...ParcelCancellationFields}}fragment ParcelCancellationFields on ParcelCancellation{trackingNumber outcome refusalCode carrierReason}fragment DeclinedProductFields on DeclinedProduct{product{...ProductFields}code service message limit actual unit}fragment ProductFields on Product{id name carrier{id name}}fragment ConvertedPriceFields on ConvertedPrice{currency amount amountWithVat vatRatePercent missing exchangeRates{currency unitsPerEuro validFrom}}fragment InputProblemFields on InputProblem{code message retryable fields{path code message}}' as TypedDocumentString<
  CreateDraftShipmentMutation,
  CreateDraftShipmentMutationVariables
>

export const BookShipmentDocument = 'mutation BookShipment($input:BookShipmentInput!){bookShipment(input:$input){__typename ...ProblemFields ...on ShipmentBooked{alreadyBooked shipment{...ShipmentFields}}...on ShipmentNotBooked{code message retryable carrierReason carrierRefusalCode shipment{...ShipmentFields}}...on DraftPriceExpired{code message retryable price{...MoneyFields}validUntil currentPrice{...MoneyFields}shipment{...ShipmentFields}}...on ShipmentNotFound{code message retryable}}}fragment ProblemFields on Problem{code message retryable}fragment ShipmentFields on Shipment{id state reference carrier{id name}product{id name}trackingNumber trackingNumbers from{...PlaceFields}to{...PlaceFields}sender{...ContactFields}recipient{...ContactFields}services{service slot cashOnDelivery{amount currency}dangerousGoods{unNumber hazardClass packingGroup limitedQuantity netWeightKg packages}}price{...MoneyFields}priceValidUntil createdAt bookedAt updatedAt cancelledAt deliveredAt cancellable cancelAttempts{...CancelAttemptFields}pendingCancelAttempt{...CancelAttemptFields}trackingEvents(last:10){nodes{type occurredAt trackingNumber}pageInfo{hasPreviousPage startCursor}}}fragment PlaceFields on Place{country postalCode city}fragment ContactFields on Contact{name company street phone email vatNumber eoriNumber}fragment MoneyFields on Money{amount currency}fragment CancelAttemptFields on CancelAttempt{createdAt outcome refusalCode carrierReason carrierRefusalCode sends settledAt settledBy nextTryAt retryAfterSeconds parcels{...ParcelCancellationFields}}fragment ParcelCancellationFields on ParcelCancellation{trackingNumber outcome refusalCode carrierReason}' as TypedDocumentString<
  BookShipmentMutation,
  BookShipmentMutationVariables
>

export const CancelShipmentDocument = 'mutation CancelShipment($input:CancelShipmentInput!){cancelShipment(input:$input){__typename ...ProblemFields ...on ShipmentCancelled{message alreadyCancelled carrierNotified labelMustBeDestroyed shipment{...ShipmentFields}}...on ShipmentNotCancelled{code message retryable refusalCode carrierReason shipment{...ShipmentFields}}...on CancellationPending{message retryAfterSeconds parcels{...ParcelCancellationFields}shipment{...ShipmentFields}}...on ShipmentNotFound{code message retryable}}}fragment ProblemFields on Problem{code message retryable}fragment ShipmentFields on Shipment{id state reference carrier{id name}product{id name}trackingNumber trackingNumbers from{...PlaceFields}to{...PlaceFields}sender{...ContactFields}recipient{...ContactFields}services{service slot cashOnDelivery{amount currency}dangerousGoods{unNumber hazardClass packingGroup limitedQuantity netWeightKg packages}}price{...MoneyFields}priceValidUntil createdAt bookedAt updatedAt cancelledAt deliveredAt cancellable cancelAttempts{...CancelAttemptFields}pendingCancelAttempt{...CancelAttemptFields}trackingEvents(last:10){nodes{type occurredAt trackingNumber}pageInfo{hasPreviousPage startCursor}}}fragment PlaceFields on Place{country postalCode city}fragment ContactFields on Contact{name company street phone email vatNumber eoriNumber}fragment MoneyFields on Money{amount currency}fragment CancelAttemptFields on CancelAttempt{createdAt outcome refusalCode carrierReason carrierRefusalCode sends settledAt settledBy nextTryAt retryAfterSeconds parcels{...ParcelCancellationFields}}fragment ParcelCancellationFields on ParcelCancellation{trackingNumber outcome refusalCode carrierReason}' as TypedDocumentString<
  CancelShipmentMutation,
  CancelShipmentMutationVariables
>

export const WebhookEndpointsDocument = 'query WebhookEndpoints{webhookEndpoints{...WebhookEndpointFields}}fragment WebhookEndpointFields on WebhookEndpoint{id url types state waiting nextTryAt createdAt}' as TypedDocumentString<
  WebhookEndpointsQuery,
  WebhookEndpointsQueryVariables
>

export const WebhookDeliveriesDocument = 'query WebhookDeliveries($id:ID!$first:Int$after:String$last:Int$before:String){webhookEndpoint(id:$id){...WebhookEndpointFields deliveries(first:$first after:$after last:$last before:$before){edges{cursor node{id sequence type shipmentId endedAt durationMs status failure}}pageInfo{hasNextPage hasPreviousPage startCursor endCursor}}}}fragment WebhookEndpointFields on WebhookEndpoint{id url types state waiting nextTryAt createdAt}' as TypedDocumentString<
  WebhookDeliveriesQuery,
  WebhookDeliveriesQueryVariables
>

export const ReplayWebhookDocument = 'mutation ReplayWebhook($input:ReplayWebhookInput!){replayWebhook(input:$input){__typename ...ProblemFields ...on WebhookReplayed{alreadyReplayed endpoint{...WebhookEndpointFields}}...on WebhookNotFound{code message retryable}...InputProblemFields}}fragment ProblemFields on Problem{code message retryable}fragment WebhookEndpointFields on WebhookEndpoint{id url types state waiting nextTryAt createdAt}fragment InputProblemFields on InputProblem{code message retryable fields{path code message}}' as TypedDocumentString<
  ReplayWebhookMutation,
  ReplayWebhookMutationVariables
>

/** The members of every union and interface, in the form of the option `possibleTypes` of Apollo Client. */
export const possibleTypes: {
  BookShipmentResult: ('DraftPriceExpired' | 'ShipmentBooked' | 'ShipmentNotBooked' | 'ShipmentNotFound')[]
  CancelShipmentResult: ('CancellationPending' | 'ShipmentCancelled' | 'ShipmentNotCancelled' | 'ShipmentNotFound')[]
  ClassifyResult: ('HsCandidates' | 'InputProblem')[]
  CreateCheckoutTokenResult: ('CheckoutToken' | 'InputProblem')[]
  CreateDraftShipmentResult: ('DraftQuotaExceeded' | 'DraftShipmentCreated' | 'IdempotencyConflict' | 'InputProblem' | 'OptionExpired' | 'OptionNotAvailable')[]
  CustomsCoverageResult: ('CustomsCoverage' | 'InputProblem')[]
  CustomsDeclarationResult: ('CustomsDeclaration' | 'InputProblem')[]
  DutiesEstimateResult: ('DutiesEstimate' | 'InputProblem')[]
  LandedCostResult: ('InputProblem' | 'LandedCost')[]
  Problem: ('DraftPriceExpired' | 'DraftQuotaExceeded' | 'EstimateQuotaExceeded' | 'IdempotencyConflict' | 'InputProblem' | 'OptionExpired' | 'OptionNotAvailable' | 'ShipmentNotBooked' | 'ShipmentNotCancelled' | 'ShipmentNotFound' | 'WebhookNotFound')[]
  RatesBatchResult: ('InputProblem' | 'RatesBatch')[]
  RatesResult: ('InputProblem' | 'RateQuote')[]
  ReplayWebhookResult: ('InputProblem' | 'WebhookNotFound' | 'WebhookReplayed')[]
  SaveEstimateResult: ('EstimateQuotaExceeded' | 'EstimateSaved' | 'IdempotencyConflict' | 'InputProblem')[]
} = {
  "BookShipmentResult": [
    "DraftPriceExpired",
    "ShipmentBooked",
    "ShipmentNotBooked",
    "ShipmentNotFound"
  ],
  "CancelShipmentResult": [
    "CancellationPending",
    "ShipmentCancelled",
    "ShipmentNotCancelled",
    "ShipmentNotFound"
  ],
  "ClassifyResult": [
    "HsCandidates",
    "InputProblem"
  ],
  "CreateCheckoutTokenResult": [
    "CheckoutToken",
    "InputProblem"
  ],
  "CreateDraftShipmentResult": [
    "DraftQuotaExceeded",
    "DraftShipmentCreated",
    "IdempotencyConflict",
    "InputProblem",
    "OptionExpired",
    "OptionNotAvailable"
  ],
  "CustomsCoverageResult": [
    "CustomsCoverage",
    "InputProblem"
  ],
  "CustomsDeclarationResult": [
    "CustomsDeclaration",
    "InputProblem"
  ],
  "DutiesEstimateResult": [
    "DutiesEstimate",
    "InputProblem"
  ],
  "LandedCostResult": [
    "InputProblem",
    "LandedCost"
  ],
  "Problem": [
    "DraftPriceExpired",
    "DraftQuotaExceeded",
    "EstimateQuotaExceeded",
    "IdempotencyConflict",
    "InputProblem",
    "OptionExpired",
    "OptionNotAvailable",
    "ShipmentNotBooked",
    "ShipmentNotCancelled",
    "ShipmentNotFound",
    "WebhookNotFound"
  ],
  "RatesBatchResult": [
    "InputProblem",
    "RatesBatch"
  ],
  "RatesResult": [
    "InputProblem",
    "RateQuote"
  ],
  "ReplayWebhookResult": [
    "InputProblem",
    "WebhookNotFound",
    "WebhookReplayed"
  ],
  "SaveEstimateResult": [
    "EstimateQuotaExceeded",
    "EstimateSaved",
    "IdempotencyConflict",
    "InputProblem"
  ]
}

/** The results of operations that are not problems. */
export const successTypes = [
  'CancellationPending',
  'CheckoutToken',
  'CustomsCoverage',
  'CustomsDeclaration',
  'DraftShipmentCreated',
  'DutiesEstimate',
  'EstimateSaved',
  'HsCandidates',
  'LandedCost',
  'RateQuote',
  'RatesBatch',
  'ShipmentBooked',
  'ShipmentCancelled',
  'WebhookReplayed',
] as const

/**
 * The option `keys` of graphcache, the normalised cache of urql: the types without an id. Without it, graphcache warns
 * that they have no key.
 */
export const graphcacheKeys: Readonly<Record<string, () => null>> = /* @__PURE__ */ Object.fromEntries(
  'AlternativeEstimate AppliedRule AvailableService CancelAttempt CancellationPending ChapterCoverage ChargeableParcel CheckoutToken Classification ClassificationOption ClassificationQuestion ClearanceFee CollectedAmount Contact ContentItem ConvertedPrice CountryCoverage CustomsCoverage CustomsDeclaration CustomsRule DangerousGoods DataSet DeclarationField DeclaredItem DeclinedProduct DescriptionProblem DraftPriceExpired DraftQuotaExceeded DraftShipmentCreated DutiesEstimate EstimateQuotaExceeded EstimateRange EstimateSaved ExchangeRate FieldProblem GoodsFacts H7Declaration HsAlternative HsCandidate HsCandidates HsProposal IdempotencyConflict InputProblem ItemEstimate ItemQuantity ItemTax KeptTaxLine LandedCost LandedCostOption LandedCostPayment MissingField Money OptionExpired OptionNotAvailable OtherSchemeEstimate PageInfo ParcelCancellation PercentRange Place PriceLine RateOption RateQuote RatesBatch Restriction RestrictionRule RuleFigure SecondOpinion SellerRegistration SellerScheme ShipmentBooked ShipmentCancelled ShipmentConnection ShipmentEdge ShipmentNotBooked ShipmentNotCancelled ShipmentNotFound ShipmentParcel ShipmentService TariffQuota TaxCoverage TaxLine TaxedItem TrackingEvent TrackingEventConnection TrackingEventEdge TransitTime WebhookDeliveryConnection WebhookDeliveryEdge WebhookNotFound WebhookReplayed Weight'.split(' ').map((name) => [name, () => null]),
)