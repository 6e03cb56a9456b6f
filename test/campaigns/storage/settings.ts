/** Command-line options of a campaign: `--name value`, each a whole number or a text. */
import { parseArgs } from 'node:util'

/** Reads the arguments. Options with a default are numbers. Throws on an unknown option. */
export function readSettings<Numbers extends Readonly<Record<string, number>>>(
  numbers: Numbers,
  flags: readonly string[] = [],
  texts: readonly string[] = [],
): { [Name in keyof Numbers]: number } & {
  flag(name: string): boolean
  text(name: string): string | undefined
} {
  const options = Object.fromEntries([
    ...Object.keys(numbers).map((name) => [name, { type: 'string' as const }]),
    ...texts.map((name) => [name, { type: 'string' as const }]),
    ...flags.map((name) => [name, { type: 'boolean' as const }]),
  ])
  const values: Readonly<Record<string, unknown>> = parseArgs({ options }).values
  const read = Object.entries(numbers).map(([name, defaultValue]) => {
    const given = values[name]
    const value = given === undefined ? defaultValue : Number(given)
    if (!Number.isSafeInteger(value) || value < 0) throw new Error(`--${name}: expected a whole number`)
    return [name, value]
  })
  return {
    ...(Object.fromEntries(read) as { [Name in keyof Numbers]: number }),
    flag: (name) => values[name] === true,
    text: (name) => {
      const given = values[name]
      return typeof given === 'string' ? given : undefined
    },
  }
}

/** The given seed, or a new one for 0. */
export function seedOf(chosen: number): number {
  return chosen === 0 ? Math.floor(Math.random() * 1_000_000_000) + 1 : chosen
}
