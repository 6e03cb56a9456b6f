/**
 * Where the journal (operations/journal.ts) is written: JSON lines, appended to the file `WAYBILL_JOURNAL` or to
 * standard output. A line is with the operating system when the function returns, so it survives the end of the
 * process. See docs/operations.md#the-journal.
 */
import { appendFileSync } from 'node:fs'

/**
 * Returns the function that writes an entry. It throws if the file cannot be written, so nobody is told what is missing
 * in it. Throws at once if the file cannot be opened. If the reader of standard output stalls, lines wait in memory.
 */
export function openJournal(file: string | undefined): (entry: object) => void {
  // Opened for each entry, so the file can be renamed at any time. The newline in front ends an entry that a full disk
  // has cut off, even if another process wrote it.
  const append = (line: string): void =>
    file === undefined
      ? void process.stdout.write(`${line}\n`)
      : appendFileSync(file, `\n${line}\n`, { mode: 0o600 })
  if (file !== undefined) appendFileSync(file, '', { mode: 0o600 })
  return (entry) => append(JSON.stringify({ time: new Date().toISOString(), ...entry }))
}
