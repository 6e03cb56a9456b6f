/** The legal notes of the shipped lexicon, on titles for and against each of them; and the format of their files. */
import { describe, expect, it, test } from 'vitest'
import { interview } from '../../../src/core/classification/classify.ts'
import type { HsCandidate } from '../../../src/core/hs-candidate.ts'
import { loadLexicon, readLexicon } from '../../../src/reference/lexicon-reader/lexicon.ts'
import { parseNotes, parseSets } from '../../../src/reference/lexicon-reader/notes.ts'
import { citations, laterExamples, type NoteExamples, noteExamples } from './legal-note-examples.ts'

/**
 * Examples that the classifier does not get right, or for another reason, with the code that it gives. Remove those
 * that it learns.
 */
const NOT_YET: Readonly<Record<string, string>> = {
  'Rubber treat ball for dogs': '401699',
  'cotton shirt sleeve size 62 cm': '620630',
  'Hairpins black metal': '961519',
  'Spaghetti dinner kit: spaghetti, tomato sauce and grated cheese': '210320',
  'Rubber drive belt for washing machine': '401039',
  'Windscreen wipers for car': '851290',
  'Faux pearl necklace, alloy clasp': '711610',
  'Gingerbread Christmas cookies': '190520',
  'Toy cat for toddlers': '392490',
  'Leather shoe laces': '640399',
  'Makeup remover wipes': '340111',
  'Face wash gel for oily skin': '330499',
  'Cotton leggings size 74 cm': '610462',
  'Baby hat cotton': '611120',
  'Inflatable pool lounger PVC': '950300',
  'Pamper hamper: perfume, shower gel and soap': '340130',
  'Set of 4 cotton napkins': '630251',
  'Brush head attachment for electric toothbrush': '960321',
  'Rope dog toy cotton': '630790',
  'Pan scourer powder': '732399',
  'jeans size 86 cm waist': '620462',
  'Wooden letter tray': '442199',
}

const lexicon = loadLexicon()

function found(description: string): HsCandidate | undefined {
  return interview(lexicon, { description }, 1).candidates[0]
}

describe.each([...noteExamples, ...laterExamples])('the note $note', (examples: NoteExamples) => {
  test.each(examples.for)('decides "%s"', (title, code) => {
    const best = found(title)
    expect(best?.code).toBe(NOT_YET[title] ?? code)
    if (!(title in NOT_YET)) expect(best?.becauseOf?.citation).toMatch(citations[examples.note]!)
  })

  test.each(examples.against)('does not decide "%s"', (title, code) => {
    const best = found(title)
    expect(best?.code).toBe(NOT_YET[title] ?? code)
    if (!(title in NOT_YET)) expect(best?.becauseOf?.citation ?? '').not.toMatch(citations[examples.note]!)
  })
})

test('every note of the lexicon decides a code and says it in a short sentence', () => {
  const { notes = [], sets = [] } = readLexicon()
  const used = new Set(sets.map(({ note }) => note))
  expect(notes.filter(({ id, codes }) => codes.length === 0 && !used.has(id))).toEqual([])
  expect(notes.filter(({ summary }) => !/^[A-Z].{10,148}\.$/.test(summary)).map(({ id }) => id)).toEqual([])
  expect(notes.filter(({ citation }) => !/^((Subheading n|N)ote \d|General Rule \d)/.test(citation))).toEqual(
    [],
  )
})

test('every note has at least three titles for it and three against it', () => {
  const notes = Object.keys(citations)
  const countOf = (note: string, side: 'for' | 'against'): number =>
    [...noteExamples, ...laterExamples]
      .filter((examples) => examples.note === note)
      .flatMap((examples) => examples[side]).length
  expect(notes.filter((note) => countOf(note, 'for') < 3 || countOf(note, 'against') < 3)).toEqual([])
})

test('the examples that are not right yet are examples', () => {
  const titles = [...noteExamples, ...laterExamples]
    .flatMap((note) => [...note.for, ...note.against])
    .map(([title]) => title)
  expect(Object.keys(NOT_YET).filter((title) => !titles.includes(title))).toEqual([])
})

const NOTE = 'note rings | Note 11 to chapter 71\nsays Rings of brass.\nsource ours, 2026\n'

describe('a file of notes', () => {
  it('gives the citation, the summary, the codes and the words of each note', () => {
    const text = `# head\n${NOTE}codes 7117, 9101-9102\nwords gold ring,\n  ring\nunless gold ring toy\nnote sets | General Rule 3(b)\nsays Sets.\nsource ours\n`
    expect(parseNotes('n.txt', text)).toEqual([
      {
        ...{ id: 'rings', citation: 'Note 11 to chapter 71', summary: 'Rings of brass.' },
        ...{ codes: ['7117', '9101', '9102'], words: ['gold ring', 'ring'], unless: ['gold ring toy'] },
      },
      { id: 'sets', citation: 'General Rule 3(b)', summary: 'Sets.', codes: [], words: [], unless: [] },
    ])
  })

  test.each([
    ['says Rings.\n', 'n.txt, line 1: expected "note <id> | <citation>"'],
    ['note Rings | Note 1\n', 'line 1: expected "note <id> | <citation>"; an id has small letters'],
    ['note rings |\n', 'line 1: expected "note <id> | <citation>"; an id has small letters'],
    [
      `${NOTE}says Again.\n`,
      'line 4: expected "note <id> | <citation>", and below it each of says, source, codes, words, unless',
    ],
    [`${NOTE}code 7117\n`, 'line 4: expected'],
    [`${NOTE}words ring, (!)\n`, 'line 1: the note rings: "(!)" in "words" has no word'],
    [`${NOTE}words\n`, 'line 4: expected'],
    [`${NOTE}unless ring,,\n`, 'line 1: the note rings: "" in "unless" has no word'],
    [`${NOTE}codes 711\n`, 'line 4: expected two, four or six digits, got 711'],
    [`${NOTE}codes 7119\n`, 'line 4: no code of HS 2022 begins with 7119'],
    [`${NOTE}${NOTE}`, 'line 4: the note rings is declared twice'],
    ['note rings | Note 1\nsource ours\n', 'line 1: the note rings has no line "says"'],
    ['note rings | Note 1\nsays Rings.\n', 'line 1: the note rings has no line "source"'],
  ])('with %j is refused', (text, message) => {
    expect(() => parseNotes('n.txt', text, new Set(['711719']))).toThrow(message)
  })
})

describe('a file of sets', () => {
  const notes = parseNotes('n.txt', `${NOTE}words set\nnote other | Note 2\nsays Other.\nsource ours\n`)

  it('gives the essential goods, the others and the note', () => {
    expect(parseSets('s.txt', '2203-2204, 220830 | 7013 | rings\n', notes)).toEqual([
      { essential: ['2203', '2204', '220830'], others: ['7013'], note: 'rings' },
    ])
  })

  test.each([
    ['2203 | 7013\n', 's.txt, line 1: expected "code, code | code, code | note"'],
    ['2203 | 7013 | unknown\n', 'line 1: unknown is not a note'],
    ['2203 | 7013 | other\n', 'line 1: the note other has no words for a set'],
    ['2203 | glass | rings\n', 'line 1: expected two, four or six digits, got glass'],
  ])('with %j is refused', (text, message) => {
    expect(() => parseSets('s.txt', text, notes)).toThrow(message)
  })
})
