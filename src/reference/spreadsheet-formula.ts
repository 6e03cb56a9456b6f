/**
 * Cells that a spreadsheet would run as a formula when it opens a CSV file ("=HYPERLINK(…)"): files written here keep
 * them as text by an apostrophe in front, and files read here lose that apostrophe again, so that what is written is
 * read back the same. Plain numbers such as -5.00, and a sign that stands alone, are no formulas.
 */

const HARMLESS = /^(?:[+-]?\d+(?:\.\d+)?|[=+\-@])$/
/**
 * A formula begins with one of these signs; a tab or line end hides what comes behind it. With apostrophes in front it
 * would be taken for a guarded cell.
 */
const NEEDS_GUARD = /^'*[=+\-@\t\r\n]/
const GUARDED = /^'+[=+\-@\t\r\n]/

/** The cell as it is written. */
export function withFormulaGuard(cell: string): string {
  return NEEDS_GUARD.test(cell) && !HARMLESS.test(cell) ? `'${cell}` : cell
}

/** The cell as it was before it was written. */
export function withoutFormulaGuard(cell: string): string {
  return cell.startsWith("'") && GUARDED.test(cell) ? cell.slice(1) : cell
}
