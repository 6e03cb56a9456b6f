/** Row type of the table that marks a production database (migration 0008). */
import type { Generated } from 'kysely'

/** One row. `since` is the first start in production; null on a database that had none. */
export interface ProductionUseTableRows {
  production_use: { only_row: Generated<boolean>; since: Date | null }
}
