/**
 * Protects against spreadsheet formulas in CSV files ("=HYPERLINK(…)"). A cell that a spreadsheet would run is written
 * with an apostrophe in front; reading removes exactly that apostrophe, so a file is read back as it was written.
 * Plain numbers such as -5.00 and a sign on its own are not formulas.
 */

const HARMLESS = /^(?:[+-]?\d+(?:\.\d+)?|[=+\-@])$/
/**
 * A formula begins with one of these signs; a tab or line end hides what follows. A cell that begins with apostrophes and
 * such a sign gets one more apostrophe, since reading removes one.
 */
const NEEDS_GUARD = /^'*[=+\-@\t\r\n]/
const GUARDED = /^'+[=+\-@\t\r\n]/

/** The text to write for a cell. */
export function withFormulaGuard(cell: string): string {
  return NEEDS_GUARD.test(cell) && !HARMLESS.test(cell) ? `'${cell}` : cell
}

/** The cell that a written text stands for. */
export function withoutFormulaGuard(cell: string): string {
  return cell.startsWith("'") && GUARDED.test(cell) ? cell.slice(1) : cell
}
