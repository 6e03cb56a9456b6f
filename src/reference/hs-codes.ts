/** The six-digit codes that exist in HS 2022. Source: hs2022-codes.txt (UN Comtrade's list, taken 2026-11). */
import { readFileSync } from 'node:fs'

/** Every six-digit code of HS 2022, digits only. Throws with the line number where the file holds anything else. */
export function readHs2022Codes(): ReadonlySet<string> {
  const text = readFileSync(new URL('./hs2022-codes.txt', import.meta.url), 'utf8')
  const codes = new Set<string>()
  text.split('\n').forEach((raw, index) => {
    const line = raw.trim()
    if (line === '' || line.startsWith('#')) return
    if (!/^\d{6}$/.test(line))
      throw new Error(`hs2022-codes.txt, line ${index + 1}: expected six digits, got ${line}`)
    codes.add(line)
  })
  return codes
}
