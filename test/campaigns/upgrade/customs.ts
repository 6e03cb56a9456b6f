/**
 * Upgrade of a database with customs data of an operator.
 *
 * 1. An earlier commit imports published tariffs and rows in Waybill's own columns, publishes some of the sets, and
 *    serves. It also stores its shipped rows.
 * 2. This version replaces it and migrates. Lines from imported rows must be the same, and shipped rows of the earlier
 *    version must have no effect, also after they are deleted.
 * 3. This version lists, withdraws and publishes sets.
 *
 * `npm run test:upgrade:customs -- --from 473a410`. The commit must be in the clone.
 */
import { execFileSync } from 'node:child_process'
import { chmodSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { startEmbeddedServer } from '../../../src/store/embedded-postgres/server.ts'
import { makeThrowAwayFolder } from '../../support/app/throw-away-folder.ts'
import { runStatements, urlOf } from '../../support/database/test-server.ts'
import { postTo } from '../concurrency/doors.ts'
import { printFirst } from '../storage/ends.ts'
import { type Replica, startReplica } from '../storage/replica.ts'
import { readSettings } from '../storage/settings.ts'
import { runCampaign, type Undo } from '../storage/undo.ts'
import { checkOut } from './builds.ts'

/** The last commit before the migrations of customs data. */
const FROM = '473a410'
const DAY = '2026-11-21'

const settings = readSettings({}, [], ['from'])
const repository = path.resolve(import.meta.dirname, '../../..')
const fixture = (name: string): string => path.join(repository, 'test/fixtures/customs', name)

/** Files in Waybill's own columns, as an operator of the earlier version could have written them. */
const OWN_FILES = {
  'measures.csv':
    'jurisdiction,code_prefix,ad_valorem_percent,specific,valid_from\nNO,61,10.7,,\nNO,0702,,1.25 EUR/kg,\n',
  'rates.csv': 'jurisdiction,code_prefix,rate_percent\nNO,,26\nNO,49,0\n',
  'thresholds.csv':
    'jurisdiction,applies_to,kind,limit_amount,currency,reason\nNO,duty,relief_up_to,10,EUR,a rule of the operator\n',
  'fees.csv':
    'jurisdiction,fee,name,kind,currency,amount,in_tax_base\nNO,OWN,Own fee,per_consignment,EUR,5,yes\n',
  'later.csv': 'jurisdiction,code_prefix,rate_percent\nSE,,30\n',
  'withdrawn.csv': 'jurisdiction,code_prefix,rate_percent\nFI,,30\n',
} as const

/** Set, file and options of each import. Files whose name contains a slash are fixtures. */
const IMPORTS: readonly (readonly [set: string, file: string, options: string])[] = [
  ['uk', fixture('uk-measures.csv'), '--publish --yes --replace-all'],
  ['taric', fixture('taric-duties.csv'), '--publish --yes --replace-all'],
  ['hts', fixture('hts.json'), '--valid-from 2026-01-01 --publish --yes --replace-all'],
  ['ecb', fixture('eurofxref-hist.csv'), '--publish --yes --replace-all'],
  ['own-measures', 'measures.csv', '--publish --yes --replace-all'],
  ['own-rates', 'rates.csv', '--publish --yes --replace-all'],
  ['own-rules', 'thresholds.csv', '--publish --yes --replace-all'],
  ['own-fees', 'fees.csv', '--publish --yes --replace-all'],
  ['draft', 'later.csv', ''],
  ['withdrawn', 'withdrawn.csv', '--publish --yes --replace-all'],
]

/** Routes and codes of the imported rows. No amount depends on an exchange rate: the rates of the versions differ. */
const GOODS: readonly (readonly [to: string, codes: readonly string[]])[] = [
  ['GB', ['0101210000', '6109100010', '0203115000', '7208100000', '8803300000', '2402100000']],
  ['NL', ['0101210000', '0203115000']],
  ['US', ['61091000', '6109100004']],
  ['NO', ['61091000', '07020000', '49019900', '95030000']],
  ['FI', ['61091000']],
  ['SE', ['61091000']],
]

type Line = {
  readonly name: string
  readonly hsCode: string
  readonly amount: { readonly amount: string }
  readonly rule: {
    readonly publishedRate: string | null
    readonly dataSet: { readonly name: string } | null
  } | null
}

const QUERY = `query ($input: DutiesEstimateInput!) { dutiesEstimate(input: $input) { ... on DutiesEstimate {
  taxes { name hsCode amount { amount } rule { publishedRate dataSet { name } } } } ... on Problem { message } } }`

type Stage = {
  readonly folder: string
  readonly databaseUrl: string
  readonly violations: string[]
  expectSame(what: string, found: readonly string[], expected: readonly string[]): void
}

await runCampaign(upgradeCustoms)

async function upgradeCustoms(undo: Undo) {
  const folder = makeThrowAwayFolder()
  undo.add(() => rmSync(folder, { recursive: true, force: true }))
  chmodSync(folder, 0o755)
  const server = await startEmbeddedServer({ dataDir: path.join(folder, 'data'), durable: false })
  undo.add(() => server.stop())
  const databaseUrl = urlOf(server.connection)
  const oldCode = checkOut(settings.text('from') ?? FROM, path.join(folder, 'old'))
  for (const [name, text] of Object.entries(OWN_FILES)) writeFileSync(path.join(folder, name), text)
  waybill(oldCode, databaseUrl, 'migrate')
  for (const [set, file, options] of IMPORTS) {
    const words = `customs import ${path.resolve(folder, file)} --set ${set} --title ${set} --date ${DAY}`
    waybill(oldCode, databaseUrl, `${words} ${options}`)
  }
  waybill(oldCode, databaseUrl, 'customs withdraw withdrawn --yes')
  const violations: string[] = []
  const stage: Stage = {
    folder,
    databaseUrl,
    violations,
    expectSame: (what, found, expected) => {
      for (const line of expected) if (!found.includes(line)) violations.push(`${what}: lacks ${line}`)
      for (const line of found) if (!expected.includes(line)) violations.push(`${what}: has ${line}`)
    },
  }
  const counts = await run(undo, stage, oldCode)
  printFirst('violations', violations)
  return { ...counts, violations: violations.length }
}

async function run(undo: Undo, stage: Stage, oldCode: string): Promise<{ readonly lines: number }> {
  const { databaseUrl, violations, expectSame } = stage
  const start = (code?: string): Promise<Replica> => startReplica(undo, databaseUrl, {}, code)
  const old = await start(oldCode)
  const before = await importedLines(old)
  if (before.length < 15) violations.push(`only ${before.length} lines come from imported rows`)
  await old.stop()

  const current = await start()
  expectSame('imported lines in this version', await importedLines(current), before)
  const all = await allLines(current)
  await runStatements(databaseUrl, 'DELETE FROM customs_data_set WHERE is_shipped')
  waybill(repository, databaseUrl, 'customs withdraw own-fees --yes')
  await pause(3_000)
  const withoutFee = before.filter((line) => !line.includes('Own fee'))
  const followed = (lines: readonly string[]): readonly string[] =>
    lines.filter((line) => !line.includes('VAT') && !line.includes('Value added tax'))
  expectSame('this version without the fee', followed(await importedLines(current)), followed(withoutFee))
  waybill(repository, databaseUrl, 'customs publish own-fees --yes')
  await pause(3_000)
  expectSame('this version without stored shipped rows', await allLines(current), all)
  checkCommands(stage)

  await current.stop()
  violations.push(...[...current.errors, ...old.errors].map((line) => `error in a log: ${line}`))
  return { lines: before.length }
}

/** The commands of this version list and describe the sets of the earlier one. */
function checkCommands({ folder, databaseUrl, violations }: Stage): void {
  const list = waybill(repository, databaseUrl, 'customs list')
  for (const [set] of IMPORTS) {
    const state = set === 'draft' || set === 'withdrawn' ? set : 'published'
    if (!new RegExp(`^${set} +${state} `, 'm').test(list))
      violations.push(`customs list: ${set} is not ${state}`)
  }
  const coverage = waybill(repository, databaseUrl, 'customs coverage NO')
  if (!coverage.includes('26%')) violations.push(`customs coverage: ${coverage}`)
  const file = path.join(folder, 'exported.csv')
  waybill(repository, databaseUrl, `customs export own-rates --out ${file}`)
  if (!/^NO,(VAT)?,49,0,/m.test(readFileSync(file, 'utf8'))) violations.push('customs export: lacks NO 49')
  waybill(repository, databaseUrl, 'customs diff draft')
  waybill(repository, databaseUrl, 'customs discard draft')
}

function waybill(folder: string, databaseUrl: string, words: string): string {
  const env = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(WAYBILL_|NODE_ENV|VITEST|PG)/.test(name)),
  )
  return execFileSync(
    process.execPath,
    ['--import', 'tsx', 'src/cli/waybill.ts', ...words.split(' ').filter(Boolean)],
    {
      cwd: folder,
      env: { ...env, DATABASE_URL: databaseUrl },
      encoding: 'utf8',
      maxBuffer: 2 ** 26,
    },
  )
}

/** The lines of all goods whose rule is in a set of the operator. */
async function importedLines(replica: Replica): Promise<readonly string[]> {
  const sets = IMPORTS.map(([set]) => set)
  return (await allLines(replica)).filter((line) => sets.some((set) => line.endsWith(` by ${set}`)))
}

async function allLines({ origin }: Replica): Promise<readonly string[]> {
  const found: string[] = []
  for (const [country, codes] of GOODS)
    for (const hsCode of codes) {
      const item = {
        description: 'goods',
        count: 2,
        value: { amount: '700' },
        hsCode,
        weightKg: '12',
        originCountry: 'JP',
      }
      const input = {
        from: { country: 'JP' },
        to: { country },
        contentItems: [item],
        asOf: `${DAY}T12:00:00Z`,
      }
      const { json } = await postTo(origin)('/graphql', { query: QUERY, variables: { input } })
      const { data } = json as { data?: { dutiesEstimate?: { taxes?: readonly Line[] } } }
      const taxes = data?.dutiesEstimate?.taxes
      if (taxes === undefined) throw new Error(`${country} ${hsCode}: ${JSON.stringify(json).slice(0, 300)}`)
      for (const { name, amount, rule } of taxes)
        found.push(
          `${country} ${hsCode} ${name} ${amount.amount} (${rule?.publishedRate}) by ${rule?.dataSet?.name}`,
        )
    }
  return found
}
