/** Exported files are readable by the user only, written completely or not at all, and never replace another file. */

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
import { Refusal } from '../../../src/cli/terminal/errors.ts'
import { writeExport, writeExports } from '../../../src/cli/terminal/export-file.ts'
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
  test('is readable by the user only, regardless of the umask', () => {
    writeExport(inFolder('a.csv'), 'é\n')
    expect([modeOf(inFolder('a.csv')), readFileSync(inFolder('a.csv'), 'utf8')]).toEqual([0o600, 'é\n'])
    writeExports(inFolder('new/card'), new Map([['rates.csv', 'x']]))
    expect([inFolder('new'), inFolder('new/card'), inFolder('new/card/rates.csv')].map(modeOf)).toEqual([
      ...[0o700, 0o700, 0o600],
    ])
  })

  test('into an existing folder keeps the mode of the folder', () => {
    mkdirSync(inFolder('card'))
    chmodSync(inFolder('card'), 0o755)
    writeExports(inFolder('card'), new Map([['rates.csv', 'x']]))
    expect([inFolder('card'), inFolder('card/rates.csv')].map(modeOf)).toEqual([0o755, 0o600])
  })

  test('replaces neither a file nor the target of a link', () => {
    writeFileSync(inFolder('a.csv'), 'old')
    symlinkSync(inFolder('elsewhere.csv'), inFolder('link.csv'))
    for (const name of ['a.csv', 'link.csv'])
      expect(() => writeExport(inFolder(name), 'new')).toThrow(
        new Refusal(`${inFolder(name)} already exists`),
      )
    expect(readdirSync(folder).sort()).toEqual(['a.csv', 'link.csv'])
    expect(readFileSync(inFolder('a.csv'), 'utf8')).toBe('old')
  })

  test('that fails leaves nothing behind', () => {
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
