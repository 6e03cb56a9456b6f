/** `waybill customs coverage`: what the customs data contain for each country. */
import type { Command } from 'commander'
import { type CountryCoverage, customsCoverage } from '../../core/customs/coverage.ts'
import { formatPercent } from '../../core/customs/tariff/duty-text.ts'
import { isCountryCode } from '../../core/place.ts'
import { loadCompiledCustoms } from '../../store/customs/customs.ts'
import type { WithDatabase } from '../terminal/database.ts'
import { UsageError } from '../terminal/errors.ts'
import { type Output, report, table } from '../terminal/output.ts'

const HEADING = [
  'COUNTRY',
  'NAME',
  'DUTY',
  'CHAPTERS',
  'DATE',
  'TARIFF',
  'TAX',
  'LOW VALUE',
  'AGREEMENTS',
  'CONFIDENCE',
]

export function coverageCommand(customs: Command, withDatabase: WithDatabase, output: Output): void {
  customs
    .command('coverage')
    .description('show what the customs data contain for each country today')
    .argument('[country]', 'ISO code of one country, such as NG')
    .option('--json', 'print JSON')
    .action(async (country: string | undefined, { json }: { readonly json?: boolean }) => {
      if (country !== undefined && !isCountryCode(country))
        throw new UsageError(`${country} is not a country code: two capital letters such as NG`)
      const tables = await withDatabase(({ db }) => loadCompiledCustoms(db))
      const today = new Date().toISOString().slice(0, 10)
      const coverage = customsCoverage(tables, today, country === undefined ? undefined : [country])
      report(output, json, coverage, table(HEADING, coverage.map(coverageCells)))
    })
}

const DUTY_TEXT = {
  NATIONAL_LINE: 'line',
  SUBHEADING: 'subheading',
  GROUP_AVERAGE: 'average',
  NOT_LOADED: 'not loaded',
} as const

/** The cells of a country, as in docs/customs-coverage.md. */
export function coverageCells(coverage: CountryCoverage): string[] {
  const { country, name, duties, taxes, dutyRules, taxRules, hasAllRules } = coverage
  const { NATIONAL_LINE, SUBHEADING, GROUP_AVERAGE, NOT_LOADED } = duties.chapters
  const [set] = duties.dataSets
  const agreements = `${coverage.agreements}+${coverage.agreementsWithoutRates}`
  return [
    ...[country, name, DUTY_TEXT[duties.basis]],
    [NATIONAL_LINE, SUBHEADING, GROUP_AVERAGE, NOT_LOADED].join('/'),
    ...[set?.date ?? '', set?.title ?? '', taxes.map(taxText).join(', ')],
    `${dutyRules} duty, ${taxRules} tax${hasAllRules ? '' : ', incomplete'}`,
    ...[agreements, coverage.confidence],
  ]
}

function taxText({ name, status, ratePpm }: CountryCoverage['taxes'][number]): string {
  if (status === 'none') return `no ${name}`
  return ratePpm === undefined ? `${name} not loaded` : `${name} ${formatPercent(ratePpm)}`
}
