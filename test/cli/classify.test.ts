/** `waybill classify`: output and refusals. It does not open the database. */
import { existsSync } from 'node:fs'
import { readFile, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { PassThrough } from 'node:stream'
import { afterAll, describe, expect, test } from 'vitest'
import { runCommand } from '../../src/cli/program.ts'
import { emptyFolder, removeFolders } from './card/card-folder.ts'

afterAll(removeFolders)

type Ran = { readonly code: number; readonly out: string; readonly err: string; readonly drawn: string }

/** Runs the command. Opening the database fails the test. With `watched`, there is a terminal. */
async function run(words: readonly string[], watched = false): Promise<Ran> {
  const out: string[] = []
  const err: string[] = []
  const drawn: string[] = []
  const progress = Object.assign(new PassThrough(), { isTTY: true, columns: 100 })
  progress.on('data', (chunk: Buffer) => drawn.push(chunk.toString()))
  const code = await runCommand(
    ['classify', ...words],
    () => Promise.reject(new Error('a database was asked for')),
    {
      line: (text) => void out.push(text),
      error: (text) => void err.push(text),
      ...(watched && { progress }),
    },
  )
  return { code, out: out.join('\n'), err: err.join('\n'), drawn: drawn.join('') }
}

/** Writes a file with these lines. `target` is a path for the result. */
async function files(...lines: readonly string[]): Promise<{ source: string; target: string }> {
  const folder = await emptyFolder()
  const source = path.join(folder, 'goods.csv')
  await writeFile(source, `${lines.join('\n')}\n`)
  return { source, target: path.join(folder, 'coded.csv') }
}

/** Classifies a file with these lines. `text` is the result. */
async function classified(...lines: readonly string[]): Promise<Ran & { text: string; target: string }> {
  const { source, target } = await files(...lines)
  const ran = await run(['--in', source, '--out', target])
  return { ...ran, target, text: existsSync(target) ? await readFile(target, 'utf8') : '' }
}

/** The cells added to a row for which the lexicon finds several codes. */
const ADDED = /^610910,"[^"]+",(0\.\d\d|1\.00),(\d{6} [01]\.\d\d(; )?)*,("[^"]*"|[^,"]*),[^,"]*,$/

const COLUMNS = 'code,code_label,confidence,alternatives,questions,because_of,agreed_code'

describe('a file of descriptions', () => {
  test('is written with its columns and seven more, in the same order', async () => {
    const { code, out, err, text, target } = await classified(
      'sku,description,note',
      'A1,cotton t-shirt,first',
      'A2,asdfgh,second',
      'A3,cotton t-shirt,',
    )
    const [header, first = '', second, third = '', ...rest] = text.split('\n')
    expect(header).toBe(`sku,description,note,${COLUMNS}`)
    expect(first.startsWith('A1,cotton t-shirt,first,')).toBe(true)
    expect(first.slice('A1,cotton t-shirt,first,'.length)).toMatch(ADDED)
    expect(second).toBe('A2,asdfgh,second,,,,,,,')
    expect(third).toBe(first.replace('A1', 'A3').replace('first', ''))
    expect(rest).toEqual([''])
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(out).toBe(`Wrote 3 rows to ${target}; 1 of them without a code.`)
  })

  test('has at most five alternative codes per row, without duplicates', async () => {
    const { text } = await classified('description', 'cotton t-shirt')
    const [others = ''] = text.match(/\d{6} \d\.\d\d(; \d{6} \d\.\d\d)*/) ?? []
    const codes = others.split('; ').map((text) => text.split(' ')[0])
    expect(codes.length).toBeLessThanOrEqual(5)
    expect(new Set([...codes, '610910']).size).toBe(codes.length + 1)
  })

  test('keeps commas, quotes and line ends in cells', async () => {
    const { text } = await classified(
      'description,"note, with a comma"',
      '"asdfgh, qwerty","he said ""no"""',
      '"asdfgh\nqwerty",plain',
    )
    expect(text).toBe(
      `description,"note, with a comma",${COLUMNS}\n` +
        '"asdfgh, qwerty","he said ""no""",,,,,,,\n"asdfgh\nqwerty",plain,,,,,,,\n',
    )
  })

  test('has no cell in the result that a spreadsheet would run as a formula', async () => {
    const { text, target } = await classified(
      'description,=note',
      '"=HYPERLINK(""x"")",-5.00',
      'asdfgh,@SUM(A1)',
    )
    expect(text).toBe(
      `description,'=note,${COLUMNS}\n"'=HYPERLINK(""x"")",-5.00,,,,,,,\nasdfgh,'@SUM(A1),,,,,,,\n`,
    )
    expect((await stat(target)).mode & 0o777).toBe(0o600)
  })

  test('may have long descriptions, of which the first 500 characters are classified', async () => {
    const filler = 'asdfgh '.repeat(80)
    const { out, text } = await classified('description', `${filler}cotton t-shirt`, 'cotton t-shirt')
    expect(out).toMatch(/\nOf 1 description, only the first 500 characters were classified\.$/)
    const [, first = '', second = ''] = text.split('\n')
    expect(first).toBe(`${filler}cotton t-shirt,,,,,,,`)
    expect(second).toMatch(/^cotton t-shirt,610910/)
  })

  test('may be separated by semicolons; the result has commas', async () => {
    const { text } = await classified('description;weight', 'asdfgh;1,5')
    expect(text).toBe(`description,weight,${COLUMNS}\nasdfgh,"1,5",,,,,,,\n`)
  })

  test('may have no rows or one row', async () => {
    const { out, text, target } = await classified('description')
    expect(text).toBe(`description,${COLUMNS}\n`)
    expect(out).toBe(`Wrote 0 rows to ${target}; 0 of them without a code.`)
    expect((await classified('description', 'asdfgh')).out).toMatch(/^Wrote 1 row to .*; 1 of them/)
  })

  test('may have an empty description, which gets no code', async () => {
    const { text } = await classified('sku,description', 'A1,', 'A2,asdfgh')
    expect(text.split('\n').slice(1, 3)).toEqual(['A1,,,,,,,,', 'A2,asdfgh,,,,,,,'])
  })

  test('is summarised in JSON with --json', async () => {
    const { source, target } = await files('description', 'cotton t-shirt', 'asdfgh', 'asdfgh')
    const { code, out, err } = await run(['--in', source, '--out', target, '--json'])
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(JSON.parse(out)).toEqual({ rows: 3, classified: 1, file: target })
    expect(existsSync(target)).toBe(true)
  })
})

describe('facts and answers of a file', () => {
  /** The code of each row. */
  async function codes(header: string, ...rows: readonly string[]): Promise<readonly string[]> {
    const { text, err } = await classified(header, ...rows)
    expect(err).toBe('')
    const place = text.split('\n')[0]!.split(',').indexOf('code')
    return text
      .split('\n')
      .slice(1, -1)
      .map((row) => row.split(',')[place] ?? '')
  }

  test('are read from their columns', async () => {
    expect(await codes('description,composition', 't-shirt,60% polyester 40% cotton', 't-shirt,')).toEqual([
      '610990',
      '610910',
    ])
    expect(await codes('made_for,description', 'women,boxer shorts cotton')).toEqual(['610821'])
    expect(await codes('description,category', ',Toys > Puzzles')).toEqual(['950300'])
    expect(await codes('description,answers', 't-shirt,fibre=synthetic;wearer=men')).toEqual(['610990'])
  })

  test('have the column of a fault', async () => {
    const { code, err, text } = await classified(
      'description,brand,composition,answers',
      `t-shirt,${'x'.repeat(101)},,`,
      't-shirt,,120% cotton,cotton',
    )
    expect({ code, text }).toEqual({ code: 1, text: '' })
    expect(err).toMatch(/row 2, column brand: expected a text that must have at most 100 characters/)
    expect(err).toMatch(
      /row 3, column composition: expected a text that must have percentages of at most 100/,
    )
    expect(err).toMatch(/row 3, column answers: expected answers such as "fibre=cotton; make=knitted"/)
  })

  test('answer the questions, which the file has with their answers', async () => {
    const { text } = await classified('description', 't-shirt')
    const [answer = ''] = /fibre=[a-z]+ 610990/.exec(text) ?? []
    expect(await codes('description,answers', `t-shirt,${answer.split(' ')[0]}`)).toEqual(['610990'])
  })
})

test('a reviewed file is classified again, and keeps the agreed codes', async () => {
  const { text } = await classified('sku,description', 'A1,t-shirt', 'A2,cotton t-shirt')
  const [header, first = '', second = ''] = text.split('\n')
  const { text: again } = await classified(
    `${header},answers`,
    `${first}61099090,fibre=synthetic`,
    `${second},`,
  )
  const [names, changed, same] = again.split('\n')
  expect(names).toBe(`${header},answers`)
  expect(changed).toMatch(/^A1,t-shirt,610990,.*,61099090,fibre=synthetic$/)
  expect(same).toBe(`${second},`)
})

describe('the column because_of', () => {
  test('has the legal note that decides the code', async () => {
    const { text } = await classified('description', 'brass necklace', 'guitar')
    const [header = '', necklace = '', guitar = ''] = text.split('\n')
    expect(header.split(',').slice(-2)).toEqual(['because_of', 'agreed_code'])
    expect(necklace).toMatch(/^brass necklace,711719,.*,Note 11 to chapter 71,$/)
    expect(guitar).toMatch(/^guitar,920290,.*,,$/)
  })

  test('is added to a file of an earlier version, which has the other columns', async () => {
    const earlier = 'description,code,code_label,confidence,alternatives,questions,agreed_code'
    const { code, text } = await classified(earlier, 'brass necklace,1,2,3,4,5,71171900')
    expect(code).toBe(0)
    const [header, row] = text.split('\n')
    expect(header).toBe(`${earlier},because_of`)
    expect(row).toMatch(/^brass necklace,711719,.*,71171900,Note 11 to chapter 71$/)
  })

  test('is refused without the others', async () => {
    const { code, err } = await classified('description,because_of', 'brass necklace,1')
    expect(code).toBe(1)
    expect(err).toMatch(/row 1, column because_of: expected no column with this name/)
  })
})

describe('nothing is written', () => {
  test('over an existing file', async () => {
    const { source, target } = await files('description', 'cotton t-shirt')
    await writeFile(target, 'mine')
    const { code, out, err } = await run(['--in', source, '--out', target])
    expect({ code, out, err }).toEqual({ code: 1, out: '', err: `waybill: ${target} already exists` })
    expect(await readFile(target, 'utf8')).toBe('mine')
    expect((await run(['--in', source, '--out', source])).code).toBe(1)
  })

  test('for a file without the column `description`', async () => {
    const { code, out, err, text } = await classified('sku,Beschreibung', 'A1,cotton t-shirt')
    expect({ code, out, text }).toEqual({ code: 1, out: '', text: '' })
    expect(err).toMatch(/row 1: expected a column "description", found "sku, Beschreibung"/)
    expect(err).toMatch(/goods\.csv has 1 fault$/)
  })

  test('for a file that already has some of the added columns', async () => {
    const { code, err, text } = await classified('description,code,questions', 'cotton t-shirt,1,2')
    expect({ code, text }).toEqual({ code: 1, text: '' })
    expect(err).toMatch(/row 1, column code: expected no column with this name/)
    expect(err).toMatch(/row 1, column questions: expected no column with this name/)
    expect(err).toMatch(/has 2 faults$/)
  })

  test('for a row with too many cells, or a file without a header', async () => {
    const { code, err, text } = await classified('description,sku', 'cotton t-shirt,A1', 'a,b,c')
    expect({ code, text }).toEqual({ code: 1, text: '' })
    expect(err).toMatch(/row 3: expected 2 cells, as in the header, found "3 cells"/)
    expect((await classified('')).code).toBe(1)
  })

  test('for a file or to a folder that does not exist', async () => {
    const { source, target } = await files('description', 'asdfgh')
    const missing = await run(['--in', `${source}.old`, '--out', target])
    expect(missing.code).toBe(1)
    expect(missing.err).toBe(`waybill: ${source}.old does not exist`)
    const nowhere = await run(['--in', source, '--out', path.join(path.dirname(target), 'none', 'a.csv')])
    expect(nowhere.code).toBe(1)
    expect(nowhere.err).toBe(`waybill: ${path.join(path.dirname(target), 'none')} does not exist`)
  })

  test('if there are faults, which are one JSON document with --json', async () => {
    const { source, target } = await files('sku', 'A1')
    const { code, out, err } = await run(['--in', source, '--out', target, '--json'])
    expect({ code, err }).toEqual({ code: 1, err: '' })
    expect(JSON.parse(out)).toMatchObject({ faults: [{ row: 1, expected: 'a column "description"' }] })
  })

  test.each([
    [[]],
    [['--in', 'goods.csv']],
    [['--out', 'coded.csv']],
  ])('if the arguments are invalid: %j', async (words) => {
    const { code, err } = await run(words)
    expect(code).toBe(2)
    expect(err).toMatch(/required option '--(in|out) <file>'/)
  })
})

describe('progress', () => {
  const MANY = ['description', ...Array.from({ length: 450 }, (_, nth) => `asdfgh ${nth}`)]

  test('is drawn at a terminal', async () => {
    const { source, target } = await files(...MANY)
    const { code, drawn } = await run(['--in', source, '--out', target], true)
    expect(code).toBe(0)
    expect(drawn).toContain('Classifying [')
    expect(drawn).toMatch(/\b450 rows/)
    expect((await readFile(target, 'utf8')).split('\n')).toHaveLength(452)
  })

  test('is not drawn with --json', async () => {
    const { source, target } = await files(...MANY)
    const { out, drawn } = await run(['--in', source, '--out', target, '--json'], true)
    expect(drawn).toBe('')
    expect(JSON.parse(out)).toMatchObject({ rows: 450, classified: 0 })
  })
})
