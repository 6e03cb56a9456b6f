import { describe, expect, test } from 'vitest'
import { readConfig } from '../../src/config/config.ts'
import { settingsOf, situationOf } from '../../src/config/settings.ts'
import { readPage, readPages } from './pages.ts'

type Row = {
  readonly name: string
  readonly values: string
  /** The default by situation, a key of SITUATIONS. '' applies to all other situations. */
  readonly fallbacks: ReadonlyMap<string, string>
}

const DATABASE_URL = 'postgres://localhost/waybill'

/** The environments in which defaults differ, by their name on the page. */
const SITUATIONS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  '': {},
  production: { NODE_ENV: 'production' },
  'with DATABASE_URL': { DATABASE_URL },
  'with DATABASE_URL and a public HOST': { DATABASE_URL, HOST: '0.0.0.0' },
  'with WAYBILL_POOLER=transaction': { DATABASE_URL, WAYBILL_POOLER: 'transaction' },
}

/** Situations that are checked for every setting, even if the page has no separate default for them. */
const ALWAYS_CHECKED = ['', 'production', 'with DATABASE_URL']

const rows: readonly Row[] = readPage('docs/configuration.md').prose.flatMap(({ text }) => {
  const [, name, values, fallback] = /^\| `([A-Z_]+)` \| ([^|]+) \| ([^|]+) \|/.exec(text) ?? []
  if (name === undefined || values === undefined || fallback === undefined) return []
  return [{ name, values, fallbacks: fallbacksIn(plain(fallback)) }]
})

/** Reads `true; with DATABASE_URL false; production false`. */
function fallbacksIn(cell: string): ReadonlyMap<string, string> {
  const [usual = '', ...others] = cell.split('; ')
  return new Map([
    ['', usual],
    ...others.map((other): [string, string] => {
      const end = other.lastIndexOf(' ')
      return [other.slice(0, end), other.slice(end + 1)]
    }),
  ])
}

function plain(cell: string): string {
  return cell.replaceAll('`', '').trim()
}

function settingsInCode(): string[] {
  return Object.keys(settingsOf(situationOf({})))
}

const NOT_SET = 'none'

/** Settings without which another one is refused. */
const NEEDED: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  WAYBILL_TRUSTED_DOCUMENTS_ONLY: { WAYBILL_TRUSTED_DOCUMENTS: 'manifest.json' },
}

describe('docs/configuration.md', () => {
  test('lists exactly the settings of the program', () => {
    const inCode = settingsInCode()
    expect(inCode.length).toBeGreaterThan(10)
    expect(rows.map(({ name }) => name).sort()).toEqual(inCode.sort())
  })

  test.each(rows)('gives the defaults of $name', ({ name, fallbacks }) => {
    for (const situation of new Set([...ALWAYS_CHECKED, ...fallbacks.keys()])) {
      const environment = SITUATIONS[situation]
      // The situation sets this variable.
      if (environment !== undefined && name in environment) continue
      const value = fallbacks.get(situation) ?? fallbacks.get('')!
      const given = value === NOT_SET ? {} : { [name]: value }
      expect(environment, situation).toBeDefined()
      expect(readConfig({ ...environment, ...given }), situation).toEqual(readConfig(environment))
    }
  })

  test.each(rows.filter(({ values }) => /^[\d,]+ to [\d,]+$/.test(values)))('gives the bounds of $name', ({
    name,
    values,
  }) => {
    const [least = 0, most = 0] = values.split(' to ').map((bound) => Number(bound.replaceAll(',', '')))
    for (const bound of [least, most]) expect(() => readConfig({ [name]: String(bound) })).not.toThrow()
    for (const beyond of [least - 1, most + 1])
      expect(() => readConfig({ [name]: String(beyond) })).toThrow(name)
  })

  test.each(
    rows.filter(({ values }) => values.startsWith('`') && values.includes(',')),
  )('gives the accepted values of $name', ({ name, values }) => {
    for (const word of values.split(',').map(plain))
      expect(() => readConfig({ DATABASE_URL, [name]: word })).not.toThrow()
  })

  test.each(rows.filter(({ values }) => values === 'boolean'))('says that $name is boolean', ({ name }) => {
    const needed = NEEDED[name]
    expect(readConfig({ ...needed, [name]: 'true' })).not.toEqual(readConfig({ ...needed, [name]: 'false' }))
  })
})

test('no page names a setting that does not exist', () => {
  const known = new Set(settingsInCode())
  const unknown = readPages().flatMap(({ name, text }) =>
    [...text.matchAll(/\bWAYBILL_[A-Z_]+\b/g)]
      .map(([setting]) => setting)
      .filter((setting) => !known.has(setting))
      .map((setting) => `${name}: ${setting}`),
  )
  expect(unknown).toEqual([])
})
