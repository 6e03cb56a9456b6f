/**
 * All migrations by name, in the order of their names. The list is written out so that the build includes the files.
 * From the first release on, migrations are only added; see "Change the database schema" in CONTRIBUTING.md.
 */
import { ACCOUNTS } from './001-accounts.ts'
import { RATE_CARDS } from './002-rate-cards.ts'
import { SHIPMENTS } from './003-shipments.ts'
import { CUSTOMS } from './004-customs.ts'
import { CANCELLATION } from './005-cancellation.ts'
import { SHIPMENT_LISTS } from './006-shipment-lists.ts'
import { ADDED_CUSTOMS_COLUMNS } from './007-customs-columns.ts'
import { ADDED_CUSTOMS_TABLES } from './008-customs-tables.ts'
import { VERIFICATIONS } from './009-verifications.ts'
import { RECOVERY_POINTS } from './010-recovery-points.ts'
import { SHIPMENT_SIZES } from './011-shipment-sizes.ts'
import { DRAFTS } from './012-drafts.ts'
import { BROWSER_KEYS } from './013-browser-keys.ts'
import { CONTACTS } from './014-contacts.ts'
import { PICK_UP } from './015-pick-up.ts'
import { CHECKOUT } from './016-checkout.ts'
import { EVENTS } from './017-events.ts'
import { WEBHOOKS } from './018-webhooks.ts'
import { CUSTOMS_AMOUNTS } from './019-customs-amounts.ts'
import { TRADE_DEFENCE } from './020-trade-defence.ts'
import { KEPT_ESTIMATES } from './021-kept-estimates.ts'
import { SELLER_SCHEMES } from './022-seller-schemes.ts'
import { CONTRACT_TERMS } from './024-contract-terms.ts'
import { PRICE_TERMS } from './025-price-terms.ts'
import { AGREED_CODES } from './026-agreed-codes.ts'
import { CARRIER_CALLS } from './028-carrier-calls.ts'
import { SURCHARGE_EXPRESSIONS } from './029-surcharge-expressions.ts'
import { ATTEMPT_TRACES } from './030-attempt-traces.ts'
import { SENDER_SERVICES } from './031-services.ts'
import { CARRIER_ORDERS } from './032-carrier-orders.ts'
import { SHARED_LIMITS } from './033-shared-limits.ts'
import { GROWTH_INDEXES } from './034-growth-indexes.ts'
import { DELIVERIES } from './035-deliveries.ts'
import { ERASURE } from './036-erasure.ts'
import { PRICE_RULES } from './037-price-rules.ts'
import { BILLED_WEIGHTS } from './038-billed-weights.ts'
import { ACCOUNT_KEYS } from './039-account-keys.ts'
import { CARRIER_NUMBERS } from './040-carrier-numbers.ts'
import { ARCHIVED_SHIPMENTS } from './043-archive.ts'
import { CORRECTIONS } from './044-corrections.ts'
import { CONTRACT_DISCOUNTS } from './045-contract-discounts.ts'
import { COST_CARDS } from './046-cost-cards.ts'
import { MARGINS } from './047-margins.ts'
import { FUEL_TABLES } from './048-fuel-tables.ts'
import { STEP_TENTHS } from './049-step-tenths.ts'
import { MEASURES } from './051-measures.ts'
import { FREIGHT_CLASSES } from './052-freight-classes.ts'
import { SERVICE_INPUTS } from './053-service-inputs.ts'
import { BOOKED_ARCHIVE } from './055-booked-archive.ts'
import { ACCOUNT_MOVES } from './056-account-moves.ts'
import { TOKEN_PAUSES } from './057-token-pauses.ts'
import { FORMER_KEYS } from './058-former-keys.ts'

export type Migration = {
  readonly statements: readonly string[]
  /**
   * The oldest version that can run on the schema after this migration, given as the name of that version's newest
   * migration.
   */
  readonly compatibleFrom: string
}

export const MIGRATIONS: Readonly<Record<string, Migration>> = {
  '001-accounts': { statements: ACCOUNTS, compatibleFrom: '001-accounts' },
  '002-rate-cards': { statements: RATE_CARDS, compatibleFrom: '002-rate-cards' },
  '003-shipments': { statements: SHIPMENTS, compatibleFrom: '003-shipments' },
  '004-customs': { statements: CUSTOMS, compatibleFrom: '004-customs' },
  '005-cancellation': { statements: CANCELLATION, compatibleFrom: '004-customs' },
  '006-shipment-lists': { statements: SHIPMENT_LISTS, compatibleFrom: '004-customs' },
  '007-customs-columns': { statements: ADDED_CUSTOMS_COLUMNS, compatibleFrom: '004-customs' },
  '008-customs-tables': { statements: ADDED_CUSTOMS_TABLES, compatibleFrom: '004-customs' },
  '009-verifications': { statements: VERIFICATIONS, compatibleFrom: '004-customs' },
  '010-recovery-points': { statements: RECOVERY_POINTS, compatibleFrom: '004-customs' },
  '011-shipment-sizes': { statements: SHIPMENT_SIZES, compatibleFrom: '004-customs' },
  '012-drafts': { statements: DRAFTS, compatibleFrom: '004-customs' },
  '013-browser-keys': { statements: BROWSER_KEYS, compatibleFrom: '004-customs' },
  '014-contacts': { statements: CONTACTS, compatibleFrom: '004-customs' },
  '015-pick-up': { statements: PICK_UP, compatibleFrom: '004-customs' },
  '016-checkout': { statements: CHECKOUT, compatibleFrom: '004-customs' },
  '017-events': { statements: EVENTS, compatibleFrom: '004-customs' },
  '018-webhooks': { statements: WEBHOOKS, compatibleFrom: '004-customs' },
  '019-customs-amounts': { statements: CUSTOMS_AMOUNTS, compatibleFrom: '004-customs' },
  '020-trade-defence': { statements: TRADE_DEFENCE, compatibleFrom: '004-customs' },
  '021-kept-estimates': { statements: KEPT_ESTIMATES, compatibleFrom: '004-customs' },
  '022-seller-schemes': { statements: SELLER_SCHEMES, compatibleFrom: '004-customs' },
  '024-contract-terms': { statements: CONTRACT_TERMS, compatibleFrom: '004-customs' },
  '025-price-terms': { statements: PRICE_TERMS, compatibleFrom: '004-customs' },
  '026-agreed-codes': { statements: AGREED_CODES, compatibleFrom: '004-customs' },
  '028-carrier-calls': { statements: CARRIER_CALLS, compatibleFrom: '004-customs' },
  '029-surcharge-expressions': {
    statements: SURCHARGE_EXPRESSIONS,
    compatibleFrom: '004-customs',
  },
  '030-attempt-traces': { statements: ATTEMPT_TRACES, compatibleFrom: '004-customs' },
  '031-services': { statements: SENDER_SERVICES, compatibleFrom: '004-customs' },
  '032-carrier-orders': { statements: CARRIER_ORDERS, compatibleFrom: '004-customs' },
  '033-shared-limits': { statements: SHARED_LIMITS, compatibleFrom: '004-customs' },
  '034-growth-indexes': { statements: GROWTH_INDEXES, compatibleFrom: '004-customs' },
  '035-deliveries': { statements: DELIVERIES, compatibleFrom: '004-customs' },
  '036-erasure': { statements: ERASURE, compatibleFrom: '004-customs' },
  '037-price-rules': { statements: PRICE_RULES, compatibleFrom: '004-customs' },
  '038-billed-weights': { statements: BILLED_WEIGHTS, compatibleFrom: '004-customs' },
  '039-account-keys': { statements: ACCOUNT_KEYS, compatibleFrom: '004-customs' },
  '040-carrier-numbers': { statements: CARRIER_NUMBERS, compatibleFrom: '004-customs' },
  '043-archive': { statements: ARCHIVED_SHIPMENTS, compatibleFrom: '004-customs' },
  '044-corrections': { statements: CORRECTIONS, compatibleFrom: '004-customs' },
  '045-contract-discounts': { statements: CONTRACT_DISCOUNTS, compatibleFrom: '004-customs' },
  '046-cost-cards': { statements: COST_CARDS, compatibleFrom: '004-customs' },
  '047-margins': { statements: MARGINS, compatibleFrom: '004-customs' },
  '048-fuel-tables': { statements: FUEL_TABLES, compatibleFrom: '004-customs' },
  '049-step-tenths': { statements: STEP_TENTHS, compatibleFrom: '004-customs' },
  '051-measures': { statements: MEASURES, compatibleFrom: '004-customs' },
  '052-freight-classes': { statements: FREIGHT_CLASSES, compatibleFrom: '004-customs' },
  '053-service-inputs': { statements: SERVICE_INPUTS, compatibleFrom: '004-customs' },
  '055-booked-archive': { statements: BOOKED_ARCHIVE, compatibleFrom: '004-customs' },
  '056-account-moves': { statements: ACCOUNT_MOVES, compatibleFrom: '004-customs' },
  '057-token-pauses': { statements: TOKEN_PAUSES, compatibleFrom: '004-customs' },
  '058-former-keys': { statements: FORMER_KEYS, compatibleFrom: '040-carrier-numbers' },
}
