/** The tables as Kysely sees them: one file of row types per migration subject. Row types stay inside `store/`. */
import type { AccountTableRows } from './tables/accounts.ts'
import type { CustomsTableRows } from './tables/customs.ts'
import type { ProductionUseTableRows } from './tables/production-use.ts'
import type { RateBookTableRows } from './tables/rate-book.ts'
import type { ShipmentTableRows } from './tables/shipments.ts'

/** Table name to row type. Columns that the database fills are `Generated`; money is bigint, read as number. */
export interface Database
  extends AccountTableRows,
    ProductionUseTableRows,
    RateBookTableRows,
    ShipmentTableRows,
    CustomsTableRows {}
