/** Files that commands write: for the user alone, complete or not at all, and never in the place of another. */
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { writeExport, writeExports } from '../../../src/cli/terminal/export-file.ts'
import { Refusal } from '../../../src/cli/terminal/output.ts'
import { makeThrowAwayFolder } from '../../support/app/throw-away-folder.ts'

let folder: string
let umask: number
beforeEach(() => {
  folder = makeThrowAwayFolder()
  umask = process.umask(0)
})
afterEach(() => {
  process.umask(umask)
  rmSync(folder, { recursive: true })
})

const inFolder = (name: string): string => path.join(folder, name)
const modeOf = (file: string): number => statSync(file).mode & 0o777

describe.skipIf(process.platform === 'win32')('an export', () => {
  test('can be read by nobody else, whatever the umask is', () => {
    writeExport(inFolder('a.csv'), 'é\n')
    expect([modeOf(inFolder('a.csv')), readFileSync(inFolder('a.csv'), 'utf8')]).toEqual([0o600, 'é\n'])
    writeExports(inFolder('new/card'), new Map([['rates.csv', 'x']]))
    expect([inFolder('new'), inFolder('new/card'), inFolder('new/card/rates.csv')].map(modeOf)).toEqual([
      ...[0o700, 0o700, 0o600],
    ])
  })

  test('into a folder that is there leaves the mode of the folder', () => {
    mkdirSync(inFolder('card'))
    chmodSync(inFolder('card'), 0o755)
    writeExports(inFolder('card'), new Map([['rates.csv', 'x']]))
    expect([inFolder('card'), inFolder('card/rates.csv')].map(modeOf)).toEqual([0o755, 0o600])
  })

  test('does not replace a file, nor what a link points to', () => {
    writeFileSync(inFolder('a.csv'), 'old')
    symlinkSync(inFolder('elsewhere.csv'), inFolder('link.csv'))
    for (const name of ['a.csv', 'link.csv'])
      expect(() => writeExport(inFolder(name), 'new')).toThrow(
        new Refusal(`${inFolder(name)} is there already`),
      )
    expect(readdirSync(folder).sort()).toEqual(['a.csv', 'link.csv'])
    expect(readFileSync(inFolder('a.csv'), 'utf8')).toBe('old')
  })

  test('that cannot be written leaves nothing', () => {
    const tooLong = 'x'.repeat(300)
    expect(() => writeExport(inFolder(tooLong), 'x')).toThrow(/ cannot be written: ENAMETOOLONG$/)
    expect(() => writeExport(inFolder('none/a.csv'), 'x')).toThrow(`${inFolder('none')} does not exist`)
    const files = new Map([
      ['rates.csv', 'x'],
      [tooLong, 'x'],
    ])
    expect(() => writeExports(folder, files)).toThrow(/ENAMETOOLONG/)
    expect(readdirSync(folder)).toEqual([])
  })
})
