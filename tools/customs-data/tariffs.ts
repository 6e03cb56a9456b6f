/**
 * Writes the tariffs of the customs data. A published rate is split into columns. Its text is stored only if the
 * columns cannot express it. Sources: the published tariffs of the EU and the United Kingdom, and the rates calculated
 * for the codes that HS 2022 introduced.
 */
import { readSource, type SourceLine, sourceCell, writeTable } from './files.ts'
import { dutyRate, type Rate, textRate, writeRates } from './tariff-rows.ts'

/** Throws if a rate of the EU or of the United Kingdom cannot be parsed. */
export function writeTariffs(folder: string): void {
  writeTariff(folder, 'tariff-eu.csv', 'EUR')
  writeTariff(folder, 'tariff-gb.csv', 'GBP')
  writeFill(folder)
}

function writeTariff(folder: string, file: string, currency: string): void {
  const rows = readSource(folder, file).map((line) => ({
    code: sourceCell(line, 'code'),
    rate: europeanRate(line, currency),
  }))
  writeRates(file, rows)
}

/** A seasonal duty has the rate of its first season. */
function europeanRate(line: SourceLine, currency: string): Rate {
  const percent = sourceCell(line, 'ad_valorem_percent')
  const text = sourceCell(line, 'specific').replace(/\s+/g, ' ').trim()
  if (/\b(EA|ADSZ|ADFM)\b/.test(text)) return textRate('meursing', text, percent)
  if (/^Entry Price$/i.test(text)) return textRate('entry_price', 'Entry price')
  if (/\(\d{1,2} ?[A-Z]{3}|\d{2} JAN/.test(text)) {
    const [firstSeason = ''] = text.split(' (')
    return { ...dutyRate(firstSeason, currency), condition: 'seasonal', text }
  }
  const rate = dutyRate(text === '' ? `${percent}%` : text, currency)
  if (percent !== '' && percent !== rate.percent)
    throw new Error(`${sourceCell(line, 'code')}: the percentage ${percent} contradicts ${text}`)
  return rate
}

function writeFill(folder: string): void {
  const rows = readSource(folder, 'tariff-hs2022-fill.csv').map((line) => [
    sourceCell(line, 'jurisdiction'),
    sourceCell(line, 'hs6'),
    trimmed(sourceCell(line, 'ad_valorem_percent')),
    trimmed(sourceCell(line, 'lowest')),
    trimmed(sourceCell(line, 'highest')),
    sourceCell(line, 'source_lines'),
    'subheading',
    sourceCell(line, 'ad_valorem_percent') === '' ? 'an amount per quantity' : '',
  ])
  const header = 'jurisdiction,code_prefix,ad_valorem_percent,lowest_percent,highest_percent,lines,level,text'
  writeTable('hs2022-fill.csv', header, rows)
}

/** "13.0" as "13". */
function trimmed(percent: string): string {
  return percent === '' ? '' : String(Number(percent))
}
