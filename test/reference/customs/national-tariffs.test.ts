/**
 * A sample of the shipped national tariffs and their preferences, as read in the published tables. The script
 * tools/customs-data/national/check.ts compares thousands of codes.
 */
import { describe, expect, test } from 'vitest'
import { classifyItems, estimateRequest } from '../../../src/core/customs/estimate/estimate.ts'
import { dutyBasis } from '../../../src/core/customs/estimate/explain/line.ts'
import { checkDutiesRequest } from '../../../src/core/customs/request.ts'
import { shippedTables } from '../../support/customs/shipped-tables.ts'

const tables = shippedTables()

/** The first line of an estimate above all low-value rules: "code rate basis data set", with the agreement. */
function duty(to: string, code: string, originCountry?: string): string {
  const request = checkDutiesRequest({
    from: { country: 'TW' },
    to: { country: to },
    contentItems: [{ description: 'goods', tariff: code, numberOfItems: 1, cost: 50_000, originCountry }],
    recipientType: 'business',
  })
  if ('kind' in request) throw new Error(JSON.stringify(request.fields))
  const answer = estimateRequest(
    tables,
    request,
    classifyItems(request.items, () => []),
    '2026-11-23',
  )
  const [line] = answer.taxes
  if (line === undefined) return 'no line'
  const { calculation } = line
  if (calculation.kind === 'joined') return 'joined'
  const { facts } = calculation
  if (!('measure' in facts)) return calculation.kind === 'charged' ? calculation.rule : calculation.reason
  const { row, rateText } = facts.measure
  const rate = row.condition === '' ? rateText : row.condition
  const texts = [line.harmonizedCode, rate, dutyBasis(line), row.confidence, row.agreement, row.dataSet]
  return texts.filter((text) => text !== '').join(' ')
}

describe('the most-favoured-nation duty', () => {
  test.each([
    ['JP', '610910', '610910 7.4% SUBHEADING high tariff-jp'],
    ['JP', '640399015', '640399015 30% MIN 4300 JPY/pair NATIONAL_LINE high tariff-jp'],
    ['JP', '640399', '640399 30% MIN 2400 JPY/pair SUBHEADING high tariff-jp'],
    ['JP', '220421020', '220421020 15% MIN 67 JPY/l MAX 125 JPY/l NATIONAL_LINE high tariff-jp'],
    ['JP', '902300000', '902300000 0% NATIONAL_LINE high tariff-jp'],
    ['JP', '080510000', '080510000 seasonal NOT_LOADED high tariff-jp'],
    ['JP', '100630090', '100630090 not_parsed NOT_LOADED high tariff-jp'],
    ['ZA', '610910', '610910 45% NATIONAL_LINE high tariff-sacu'],
    ['BW', '85171310', '85171310 0% NATIONAL_LINE high tariff-sacu'],
    ['NA', '64041190', '64041190 30% MIN 5 ZAR/pair NATIONAL_LINE medium tariff-sacu'],
    ['SZ', '24011000', '240110 not_parsed NOT_LOADED high tariff-sacu'],
    ['CN', '61091000', '61091000 6% NATIONAL_LINE medium tariff-cn'],
    ['CN', '851713', '851713 0% SUBHEADING medium tariff-cn'],
    ['CN', '10063010', '10063010 65% NATIONAL_LINE medium tariff-cn'],
    ['CN', '370130', '370130 not_loaded NOT_LOADED medium tariff-cn'],
    ['BR', '61091000', '61091000 35% NATIONAL_LINE medium tariff-br'],
    ['BR', '33049990', '33049990 18% NATIONAL_LINE low tariff-br'],
    ['BR', '851713', '851713 16% SUBHEADING low tariff-br'],
    ['NG', '61091000', '61091000 20% NATIONAL_LINE medium tariff-ecowas'],
    ['ML', '851713', '851713 10% SUBHEADING medium tariff-ecowas'],
    ['CM', '61091000', '61091000 30% NATIONAL_LINE low tariff-cemac'],
    ['AU', '95030010', '95030010 0% NATIONAL_LINE medium tariff-au'],
    ['AU', '61099000', '61099000 5% NATIONAL_LINE medium tariff-au-additions'],
    ['AU', '610910', '610910 5% SUBHEADING low tariff-au-additions'],
    ['AU', '22084000', '22084000 not_parsed NOT_LOADED medium tariff-au'],
    ['AU', '330499', 'noMeasure'],
    ['MX', '64039901', '64039901 35% NATIONAL_LINE high tariff-mx'],
    ['MX', '17049099', '17049099 not_parsed NOT_LOADED high tariff-mx'],
    ['MX', '330499', 'noMeasure'],
    ['VN', '610910', '610910 20% SUBHEADING low tariff-vn'],
    ['VN', '441919', '441919 25% SUBHEADING low tariff-vn'],
    ['VN', '64039990', '640399 30% SUBHEADING low tariff-vn'],
  ])('%s %s: %s', (to, code, expected) => {
    expect(duty(to, code)).toBe(expected)
  })
})

describe('the preference', () => {
  test.each([
    ['JP', '610910010', 'IT', '610910010 0% NATIONAL_LINE high EU-Japan EPA preferences-jp'],
    ['JP', '640399015', 'GB', '640399015 3.9% NATIONAL_LINE high UK-Japan CEPA preferences-jp'],
    ['JP', '420221110', 'CN', '420221110 10% NATIONAL_LINE high RCEP preferences-jp'],
    ['JP', '441231118', 'MY', '441231118 3% NATIONAL_LINE high CPTPP preferences-jp'],
    ['JP', '441231118', 'SG', '441231118 1% NATIONAL_LINE high CPTPP preferences-jp'],
    ['JP', '040690090', 'FR', '040690090 29.8% NATIONAL_LINE high tariff-jp'],
    ['ZA', '64041190', 'DE', '64041190 20% NATIONAL_LINE high SADC-EU EPA or SACUM-UK EPA preferences-sacu'],
    ['ZA', '610910', 'MU', '610910 0% NATIONAL_LINE medium SADC Protocol on Trade preferences-sacu'],
    ['LS', '610910', 'NO', '610910 20% NATIONAL_LINE high EFTA-SACU FTA preferences-sacu'],
    ['ZA', '610910', 'EG', '610910 45% NATIONAL_LINE high tariff-sacu'],
    ['ZA', '610910', 'US', '610910 45% NATIONAL_LINE high tariff-sacu'],
    ['AU', '61099000', 'CN', '61099000 0% NATIONAL_LINE medium ChAFTA preferences'],
    ['AU', '22030063', 'US', '22030063 not_parsed NOT_LOADED medium tariff-au'],
    ['AU', '72081000', 'GB', '72081000 5% NATIONAL_LINE medium tariff-au-additions'],
  ])('%s %s of %s: %s', (to, code, origin, expected) => {
    expect(duty(to, code, origin)).toBe(expected)
  })
})
