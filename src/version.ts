/** The version of Waybill that runs: the one in package.json. */
import { readFileSync } from 'node:fs'

// One level up from src/ and from dist/.
const { version }: { version: string } = JSON.parse(
  readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
)

export const VERSION = version
