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
import { DUTY_LEVELS } from './007-duty-levels.ts'
import { TARIFF_AREAS } from './008-tariff-areas.ts'
import { EXCISE_AND_CLEARANCE } from './009-excise-and-clearance.ts'
import { ACCOUNT_AVERAGES } from './010-account-averages.ts'
import { TAX_RECIPIENTS } from './011-tax-recipients.ts'
import { RELEASE_CYCLES } from './012-release-cycles.ts'
import { CONDITIONAL_DUTIES } from './013-conditional-duties.ts'

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
  '007-duty-levels': { statements: DUTY_LEVELS, compatibleFrom: '004-customs' },
  '008-tariff-areas': { statements: TARIFF_AREAS, compatibleFrom: '004-customs' },
  '009-excise-and-clearance': { statements: EXCISE_AND_CLEARANCE, compatibleFrom: '004-customs' },
  '010-account-averages': { statements: ACCOUNT_AVERAGES, compatibleFrom: '004-customs' },
  '011-tax-recipients': { statements: TAX_RECIPIENTS, compatibleFrom: '004-customs' },
  '012-release-cycles': { statements: RELEASE_CYCLES, compatibleFrom: '004-customs' },
  '013-conditional-duties': { statements: CONDITIONAL_DUTIES, compatibleFrom: '004-customs' },
}
