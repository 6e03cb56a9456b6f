/** Copies of the demo rate card that tests may change, and zips and price lists made from it. */
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { zipSync } from 'fflate'
import { makeWorkbook, type TestCell } from '../../reference/tariff-import/make-workbook.ts'

export const DEMO_FOLDER = path.resolve(import.meta.dirname, '../../../src/reference/demo-rate-book')

const made: string[] = []

/** A new temporary folder; `removeFolders` removes it. */
export async function emptyFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'waybill-card-'))
  made.push(folder)
  return folder
}

/** Writes a file with these lines in a folder of its own. */
export async function fileOf(name: string, ...lines: readonly string[]): Promise<string> {
  const file = path.join(await emptyFolder(), name)
  await writeFile(file, `${lines.join('\n')}\n`)
  return file
}

/** Removes all folders that this module has made. Call it in `afterAll`. */
export async function removeFolders(): Promise<void> {
  await Promise.all(made.splice(0).map((folder) => rm(folder, { recursive: true })))
}

type TextChange = readonly [file: string, from: string, to: string]

/** A copy of the demo rate card with texts replaced. Throws if a file does not contain `from`. */
export async function demoFolderWith(...changes: readonly TextChange[]): Promise<string> {
  const folder = await emptyFolder()
  await cp(DEMO_FOLDER, folder, { recursive: true })
  await replaceTexts(folder, changes)
  return folder
}

/**
 * `demoFolderWith` for the products of these carriers only: comparing the prices of the whole card takes seconds per
 * command. Some of them must have prices in every zone, as polderpost has.
 */
export async function demoFolderOf(
  carriers: readonly string[],
  ...changes: readonly TextChange[]
): Promise<string> {
  const folder = await demoFolderWith()
  const linesOf = async (file: string) => (await readFile(path.join(folder, file), 'utf8')).split('\n')
  const ofCarriers = new Set(['*', ...carriers])
  const products = (await linesOf('products.csv')).map((line) => line.split(','))
  const kept = new Set(products.flatMap(([id, carrier = '']) => (ofCarriers.has(carrier) ? [id] : [])))
  for (const file of await readdir(folder)) {
    const [header = '', ...lines] = await linesOf(file)
    const isKept = (line: string): boolean => {
      const [first = ''] = line.split(',')
      if (header.startsWith('product_id,')) return kept.has(first)
      return !header.startsWith('carrier_code,') || ofCarriers.has(first)
    }
    await writeFile(path.join(folder, file), [header, ...lines.filter(isKept), ''].join('\n'))
  }
  await replaceTexts(folder, changes)
  return folder
}

/** Throws if a file does not contain `from`. */
async function replaceTexts(folder: string, changes: readonly TextChange[]): Promise<void> {
  for (const [file, from, to] of changes) {
    const text = await readFile(path.join(folder, file), 'utf8')
    if (!text.includes(from)) throw new Error(`${file} does not hold ${from}`)
    await writeFile(path.join(folder, file), text.replaceAll(from, to))
  }
}

/** A zip of a folder, with the files in the folder `prices`. */
export async function zipOf(folder: string): Promise<string> {
  const files: Record<string, Uint8Array> = {}
  for (const name of await readdir(folder)) files[`prices/${name}`] = await readFile(path.join(folder, name))
  const zip = path.join(await emptyFolder(), 'prices.zip')
  await writeFile(zip, zipSync(files))
  return zip
}

/** A workbook with these sheets. */
export async function workbookOf(
  sheets: Readonly<Record<string, readonly (readonly TestCell[])[]>>,
): Promise<string> {
  const file = path.join(await emptyFolder(), 'prices.xlsx')
  await writeFile(file, makeWorkbook(sheets))
  return file
}

/** A price list with these lines. */
export async function priceList(...lines: readonly string[]): Promise<string> {
  const file = path.join(await emptyFolder(), 'prices.csv')
  await writeFile(file, `${lines.join('\n')}\n`)
  return file
}
