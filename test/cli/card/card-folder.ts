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

/** A copy of the demo rate card with texts replaced. Throws if a file does not contain `from`. */
export async function demoFolderWith(
  ...changes: readonly (readonly [file: string, from: string, to: string])[]
): Promise<string> {
  const folder = await emptyFolder()
  await cp(DEMO_FOLDER, folder, { recursive: true })
  for (const [file, from, to] of changes) {
    const text = await readFile(path.join(folder, file), 'utf8')
    if (!text.includes(from)) throw new Error(`${file} does not hold ${from}`)
    await writeFile(path.join(folder, file), text.replaceAll(from, to))
  }
  return folder
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
