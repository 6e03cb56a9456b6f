/**
 * Writes the tariffs that are known by six digits only: India, Canada, the Gulf states, Türkiye and Kazakhstan. Source:
 * most-favoured-nation rates of 2023 by WITS/TRAINS (World Bank and UNCTAD), collected in tables
 * `<country>_hs6_2023.csv` with the columns `code`, `mfn_percent` and `note`.
 *
 * A zero that stands for an amount per quantity, for a quota or for special goods is not written as a rate. The row
 * then has the condition `not_loaded` and a text. See docs/customs-files.md#six-digit-tariffs.
 */
import { readSource, sourceCell } from './files.ts'
import { type SixDigitRate, writeSixDigitTariff } from './six-digit-table.ts'
import { writeTurkishTariff } from './turkish-tariff.ts'

const AVERAGE_OF_LINES = 'The average of the national lines of this subheading.'

/** Writes all tariffs from a folder with the tables of six digits. */
export function writeSixDigitTariffs(folder: string): void {
  writeSixDigitTariff('tariff-in.csv', rates(folder, 'in_hs6_2023.csv', indianRate))
  writeSixDigitTariff('tariff-ca.csv', rates(folder, 'ca_hs6_2023.csv', canadianRate))
  writeSixDigitTariff('tariff-gulf.csv', rates(folder, 'ae_hs6_2023.csv', gulfRate))
  writeSixDigitTariff('tariff-kz.csv', rates(folder, 'kz_hs6_2023.csv', kazakhRate))
  writeTurkishTariff(rates(folder, 'tr_hs6_2023.csv', (_code, percent) => ({ percent })))
}

function rates(
  folder: string,
  file: string,
  rateOf: (code: string, percent: string, note: string) => SixDigitRate,
): ReadonlyMap<string, SixDigitRate> {
  return new Map(
    readSource(folder, file).map((line) => {
      const code = sourceCell(line, 'code')
      return [code, rateOf(code, sourceCell(line, 'mfn_percent'), sourceCell(line, 'note'))]
    }),
  )
}

/** Rates of the Indian schedule. Others are averages of national lines. */
const INDIAN_RATES = new Set(
  '0 1 2 2.5 3 5 7.5 8 10 12.5 15 20 25 30 35 40 45 50 60 70 80 100 105 110 125 150'.split(' '),
)

function indianRate(_code: string, percent: string, note: string): SixDigitRate {
  if (note !== '')
    return {
      percent,
      note: 'An amount in rupees per piece, kilogram or square metre applies if it is higher. The percentage is that of similar goods.',
    }
  return INDIAN_RATES.has(percent) ? { percent } : { percent, note: AVERAGE_OF_LINES }
}

/** Codes whose figures lack an amount per quantity or the duty outside a quota. The prefixes are those of the HS. */
const CANADIAN_GAPS: readonly { readonly prefixes: string; readonly text: string }[] = [
  {
    prefixes: '0105 0207 020990 021099 0401 0402 0403 0404 0405 0406 0407 0408 2105 3502 3504',
    text: 'up to about 300% on dairy, poultry and eggs outside quotas',
  },
  {
    prefixes: '1517 160100 160220 160231 160232 180620 190120 190190 210690',
    text: 'over 200% on goods of dairy or poultry outside quotas, and lower on others',
  },
  {
    prefixes: '0701 0702 0703 0704 0705 0706 0707 0708 0709 0710 0806 0807 0808 0809 0810',
    text: 'an amount per kilogram in season for some goods',
  },
  {
    prefixes: '1001 1003 1101 1102 1103 1104 1107 1108 1109 1701 1702 1902',
    text: 'an amount per tonne or kilogram for some goods, and higher outside quotas',
  },
  { prefixes: '2204 2205 2206 2207 2208', text: 'an amount per litre for some goods' },
]

const CANADIAN_MILK = 'Goods with much milk are subject to more than 200% outside quotas.'
const CANADIAN_MILK_CODES = ['180690', '190110', '220299', '230990']

function canadianRate(code: string, percent: string): SixDigitRate {
  const gap = CANADIAN_GAPS.find(({ prefixes }) =>
    prefixes.split(' ').some((prefix) => code.startsWith(prefix)),
  )
  if (gap !== undefined) return { percent: '', condition: 'not_loaded', text: gap.text }
  const average = isQuarterOrThird(percent) ? AVERAGE_OF_LINES : ''
  const milk = CANADIAN_MILK_CODES.includes(code) ? CANADIAN_MILK : ''
  return { percent, note: [average, milk].filter((part) => part !== '').join(' ') }
}

/** Canadian rates are multiples of half a percent, with few exceptions such as 6.1%. Others are averages. */
function isQuarterOrThird(percent: string): boolean {
  return /\.\d\d/.test(percent)
}

const GULF_RATES = new Set(['0', '5', '10', '50', '100'])
const GULF_SPIRITS = '220890'

function gulfRate(code: string, percent: string, note: string): SixDigitRate {
  if (note.startsWith('pork'))
    return { percent: '', condition: 'not_loaded', text: 'set by each Gulf state (pork)' }
  if (code === GULF_SPIRITS)
    return { percent: '50', note: 'Goods without alcohol are subject to 5%. The rate on alcohol is of 2010.' }
  if (note.startsWith('alcohol')) return { percent, note: 'The rate on alcohol is of 2010.' }
  return GULF_RATES.has(percent) ? { percent } : { percent, note: AVERAGE_OF_LINES }
}

const KAZAKH_RATE = /^(\d+|\d+\.5)$/

function kazakhRate(_code: string, percent: string, note: string): SixDigitRate {
  if (note.includes('most likely a compound'))
    return {
      percent: '',
      condition: 'not_loaded',
      text: 'a percentage with a minimum in euro per kilogram, pair, litre or square metre',
    }
  if (note.startsWith('0 in WITS'))
    return { percent, note: 'The zero rate is uncertain: the source also gives 0% for duties per quantity.' }
  if (note.startsWith('may contain'))
    return { percent, note: 'A lower bound: duties per quantity are counted as 0%.' }
  return KAZAKH_RATE.test(percent) ? { percent } : { percent, note: AVERAGE_OF_LINES }
}
