/** Compares the generated parts of pages with the code. "npm run docs" updates them. */
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { PARTS, partsIn, withGeneratedParts } from './generated.ts'
import { ROOT, readPages } from './pages.ts'

const pages = readPages().filter(({ text }) => partsIn(text).length > 0)

describe('generated parts of pages', () => {
  test.each(pages)('$name is up to date; "npm run docs" updates it', async ({ name, text }) => {
    await expect(withGeneratedParts(text)).toMatchFileSnapshot(path.join(ROOT, name))
  })

  test('every part is in one page', () => {
    expect(pages.flatMap(({ text }) => partsIn(text)).sort()).toEqual(Object.keys(PARTS).sort())
  })
})
