/** Every migration, oldest first by name. Written out, not scanned from disk, so that the build carries them. */
import type { Migration } from 'kysely'
import * as accounts from './0001-accounts.ts'
import * as rateBook from './0002-rate-book.ts'
import * as shipments from './0003-shipments.ts'
import * as customs from './0004-customs.ts'
import * as rateCardVersions from './0005-rate-card-versions.ts'
import * as customsMeasures from './0006-customs-measures.ts'
import * as cancellationRecovery from './0007-cancellation-recovery.ts'
import * as productionUse from './0008-production-use.ts'
import * as recoveryByAccount from './0009-recovery-by-account.ts'

/** Name to migration. Names sort in the order of execution; a released one is never changed or removed. */
export const migrations: Readonly<Record<string, Migration>> = {
  '0001-accounts': accounts,
  '0002-rate-book': rateBook,
  '0003-shipments': shipments,
  '0004-customs': customs,
  '0005-rate-card-versions': rateCardVersions,
  '0006-customs-measures': customsMeasures,
  '0007-cancellation-recovery': cancellationRecovery,
  '0008-production-use': productionUse,
  '0009-recovery-by-account': recoveryByAccount,
}
