/**
 * Reads the shipped lexicon: entries (`lexicon/*.txt`), families and dimensions (`lexicon/rules/*.txt`), words of other
 * languages (`lexicon/languages/*.txt`) and labels of headings. See docs/lexicon.md for the formats. A malformed line is
 * an error with its file and line.
 */
import { readdirSync, readFileSync } from 'node:fs'
import type { LexiconSource } from '../../core/customs/classification/lexicon.ts'
import { readHs2022Codes } from '../customs.ts'
import { parseRules } from './rules.ts'
import { parseAccessories, parseEntries, parseHeadings, parseLanguage } from './word-lists.ts'

export function readLexicon(): LexiconSource {
  const known = readHs2022Codes()
  const rules = parseRules(
    filesIn('rules/', (file, text) => ({ file, text })),
    known,
  )
  return {
    entries: filesIn('', (file, text) => parseEntries(file, text, known)).flat(),
    dimensions: rules.dimensions,
    families: rules.families,
    languages: filesIn('languages/', parseLanguage),
    accessories: filesIn('accessories/', parseAccessories).flat(),
    headings: parseHeadings(
      'hs2022-headings.txt',
      readFileSync(new URL('../hs2022-headings.txt', import.meta.url), 'utf8'),
    ),
  }
}

function filesIn<T>(folder: string, parse: (file: string, text: string) => T): T[] {
  const url = new URL(`../lexicon/${folder}`, import.meta.url)
  return readdirSync(url)
    .filter((name) => name.endsWith('.txt'))
    .sort()
    .map((name) => parse(folder + name, readFileSync(new URL(name, url), 'utf8')))
}
