/**
 * Japan: the rates applied to members of the WTO, and the rates of the economic partnership agreements. Texts that are
 * not understood are stored as published. Source: the web tariff of Japan Customs.
 */
import { type SourceLine, sourceCell } from '../files.ts'
import {
  dutyRate,
  type PreferenceRow,
  plainPercent,
  type Rate,
  readTariff,
  readTariffByCode,
  sourceRate,
  textRate,
  writeTariffFile,
} from '../tariff-rows.ts'
import { type Agreement, type ConcessionLine, preferenceRows, writeAgreements } from './preferences.ts'

const AGREEMENTS: readonly Agreement[] = [
  { column: 'eu', origin: 'EU', agreement: 'EU-Japan EPA' },
  { column: 'gb', origin: 'GB', agreement: 'UK-Japan CEPA' },
  { column: 'ch', origin: 'CH', agreement: 'Japan-Switzerland EPA' },
  { column: 'cptpp', origin: 'JP-CPTPP', agreement: 'CPTPP' },
  { column: 'rcep_cn', origin: 'CN', agreement: 'RCEP' },
  { column: 'rcep_kr', origin: 'KR', agreement: 'RCEP' },
  { column: 'in', origin: 'IN', agreement: 'Japan-India CEPA' },
  { column: 'us', origin: 'US', agreement: 'Japan-US Trade Agreement' },
]

/** Members of the CPTPP by the names that the tariff uses for their own rates. */
const CPTPP_MEMBERS: Readonly<Record<string, string>> = {
  オーストラリア: 'AU',
  ブルネイ: 'BN',
  カナダ: 'CA',
  チリ: 'CL',
  英国: 'GB',
  マレーシア: 'MY',
  メキシコ: 'MX',
  ニュージーランド: 'NZ',
  ペルー: 'PE',
  シンガポール: 'SG',
  ベトナム: 'VN',
}

export function writeJapan(folder: string): void {
  const lines = readTariff(folder, '2026/tariffs/jp_2026-07.csv')
  const duties = lines.map((line) => ({ code: sourceCell(line, 'code'), rate: dutyOf(line) }))
  writeTariffFile('tariff-jp.csv', duties)
  const concessions = readTariffByCode(folder, '2026/tariffs/jp_epa_2026-07.csv')
  writeAgreements('preferences-jp.csv', AGREEMENTS, ({ column, origin, agreement }) => {
    const texts = duties.map(({ code, rate }) => ({
      code,
      duty: rate,
      text: sourceCell(concessions.get(code) ?? {}, column),
    }))
    const group = texts.map(({ code, duty, text }) => ({ code, duty, concession: concessionRate(text) }))
    return [...preferenceRows(group, origin, agreement), ...memberRows(texts, agreement)]
  })
}

const HIGHER_OF = /^(.+)又は(.+)のうちいずれか高い税率$/
const LOWER_OF = /^(.+)又は(.+)のうちいずれか低い税率$/
const LOWER_OF_WITH_FLOOR = /^(.+)又は(.+)のうちいずれか低い税率 ?ただしその税率が(.+)を下回る場合は(.+)$/

/** Reads a duty that the source table stored as text, if it names one rate. */
function dutyOf(line: SourceLine): Rate {
  const rate = sourceRate(line)
  if (rate.condition === 'seasonal') return { ...rate, text: rate.text.replace(/^\| /, '') }
  if (rate.condition !== 'not_parsed') return rate
  const [, general = '', wto = ''] = /^general ([^;]+); WTO ([^;]+)$/.exec(rate.text) ?? []
  // A rate of the WTO in brackets is not below the general rate, which applies then. A star marks goods of state
  // trading.
  const applied = wto.startsWith('(') ? general : wto
  return publishedRate(applied) ?? rate
}

/** Undefined for a text without a rate for all of the goods. */
function publishedRate(text: string): Rate | undefined {
  const plain = text.trim().replaceAll(' ', '')
  const [, share = '', cap = '', floor, floorAgain] = LOWER_OF_WITH_FLOOR.exec(text.trim()) ?? []
  if (floor !== undefined && floor === floorAgain) return sumRate(`${share} MAX ${cap} MIN ${floor}`)
  const [, higherA = '', higherB = ''] = HIGHER_OF.exec(plain) ?? []
  if (higherA !== '') return sumRate(`${higherA} MIN ${higherB}`)
  const [, lowerA = '', lowerB = ''] = LOWER_OF.exec(plain) ?? []
  if (lowerA !== '') return sumRate(`${lowerA} MAX ${lowerB}`)
  return sumRate(plain)
}

const UNITS: Readonly<Record<string, string>> = {
  kg: 'kg',
  l: 'l',
  kl: '1000 l',
  '㎡': 'm2',
  頭: 'head',
  足: 'pair',
  MT: 'tonne',
}
const AMOUNT = /^([\d,]+(?:\.\d+)?)円\/(kg|kl|l|㎡|頭|足|MT)$/
const SHARE = /^(\d+(?:\.\d+)?)%?$/

/** "2.9%+1.01円/㎡", with "MIN" and "MAX" before other sums. */
function sumRate(text: string): Rate | undefined {
  const words = text.split(/( MIN | MAX )/).map((part) => {
    if (/^ (MIN|MAX) $/.test(part)) return part
    const terms = part.split('+').map(translatedTerm)
    return terms.includes(undefined) ? undefined : terms.join(' + ')
  })
  if (words.includes(undefined)) return undefined
  const share = words.join('')
  return dutyRate(share === 'free' ? '0%' : share, 'JPY')
}

function translatedTerm(term: string): string | undefined {
  const trimmed = term.trim()
  if (trimmed === '無税') return '0%'
  const [, share] = SHARE.exec(trimmed) ?? []
  if (share !== undefined) return `${Number(share)}%`
  const [, amount = '', unit = ''] = AMOUNT.exec(trimmed) ?? []
  return amount === '' ? undefined : `${Number(amount.replaceAll(',', ''))} JPY/${UNITS[unit]}`
}

/** A rate in brackets does not apply, because the general rate is lower. */
function concessionRate(text: string): Rate | undefined {
  if (text === '' || /^\([^()]+\)$/.test(text)) return undefined
  const others = membersOf(text)?.find(({ members }) => members === undefined)
  if (others !== undefined) return others.rate
  return publishedRate(text) ?? textRate('not_parsed', text.replace(/\s+/g, ' ').trim())
}

type MemberRate = { readonly members: readonly string[] | undefined; readonly rate: Rate }

const MEMBER_RATE = /\(([^()]+)に対する待遇\) ?([^()]+)/g

/** The rates of a text that has one for each member or for the other members. Undefined for any other text. */
function membersOf(text: string): readonly MemberRate[] | undefined {
  const found = [...text.matchAll(MEMBER_RATE)]
  if (found.length === 0 || found.map(([whole]) => whole).join('') !== text) return undefined
  const rates = found.map(([, names = '', rate = '']) => {
    const codes = names.split(/、|及び/).map((name) => CPTPP_MEMBERS[name])
    const members = names === '他の締約国' ? undefined : codes.filter((code) => code !== undefined)
    const isKnown = members === undefined || members.length === codes.length
    return { members, rate: isKnown ? publishedRate(rate) : undefined }
  })
  const known = rates.flatMap(({ members, rate }) => (rate === undefined ? [] : [{ members, rate }]))
  return known.length === rates.length ? known : undefined
}

/** Rows of single members, which take precedence over the row of the group because they name the origin. */
function memberRows(
  texts: readonly (Omit<ConcessionLine, 'concession'> & { readonly text: string })[],
  agreement: string,
): readonly PreferenceRow[] {
  return texts.flatMap(({ code, duty, text }) =>
    (membersOf(text) ?? []).flatMap(({ members = [], rate }) =>
      plainPercent(duty) === 0 ? [] : members.map((origin) => ({ code, origin, agreement, rate })),
    ),
  )
}
