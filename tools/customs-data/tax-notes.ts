/**
 * Notes on tax rates that apply to only a part of the goods of their codes. A note is found by jurisdiction, kind of
 * rate and code prefix. Source: the published rates and their remarks, in our own words.
 */

/** Prefixes of foods that may be sweets, bakery wares, crisps or ice cream. */
const PREPARED_FOODS = ['17', '18', '19', '20', '21']
const BASIC_FOODS = ['04', '07', '08', '10', '11', '1507', '1509', '1512', '1515', '19']

type TaxNote = {
  readonly jurisdictions: readonly string[]
  readonly kind: string
  /** Absent: all codes of the kind. */
  readonly prefixes?: readonly string[]
  readonly note: string
}

const NOTES: readonly TaxNote[] = [
  {
    jurisdictions: ['AT'],
    kind: 'food',
    note: 'A rate of 4.9% on basic foods from 2026-07-01 was announced and not verified.',
  },
  {
    jurisdictions: ['HR'],
    kind: 'food',
    note: 'Bread, milk, eggs and fresh meat, fish, fruit and vegetables are taxed at 5%. Foods that are not listed are taxed at 25%.',
  },
  { jurisdictions: ['CY'], kind: 'food', note: 'Some basic foods are zero-rated at times.' },
  {
    jurisdictions: ['FR'],
    kind: 'food',
    prefixes: ['17', '18'],
    note: 'Sweets and most chocolate are taxed at the standard rate, which is not considered.',
  },
  { jurisdictions: ['FR'], kind: 'medicines', note: 'Medicines that are reimbursed are taxed at 2.1%.' },
  {
    jurisdictions: ['IE'],
    kind: 'food',
    prefixes: PREPARED_FOODS,
    note: 'Sweets, crisps and ice cream are taxed at 23% and bakery wares at 13.5%, which is not considered.',
  },
  {
    jurisdictions: ['IE'],
    kind: 'medicines',
    note: 'Only medicines taken by mouth are zero-rated; others are taxed at 23%.',
  },
  {
    jurisdictions: ['IT', 'ES'],
    kind: 'food',
    prefixes: BASIC_FOODS,
    note: 'Basic foods such as bread, milk, fruit and vegetables are taxed at 4%, which is not considered.',
  },
  {
    jurisdictions: ['PL'],
    kind: 'food',
    note: 'Some foods are taxed at 8% or 23%, which is not considered.',
  },
  {
    jurisdictions: ['PT'],
    kind: 'food',
    note: 'Some foods are taxed at 13% or 23%, which is not considered.',
  },
  {
    jurisdictions: ['RO'],
    kind: 'food',
    prefixes: PREPARED_FOODS,
    note: 'Foods with much sugar are taxed at 21%, which is not considered.',
  },
  {
    jurisdictions: ['SK'],
    kind: 'food',
    note: 'Basic foods are taxed at 5% and, from 2026, sugary and salty foods at 23%, which is not considered.',
  },
  {
    jurisdictions: ['GB'],
    kind: 'food',
    prefixes: PREPARED_FOODS,
    note: 'Sweets, chocolate biscuits, crisps and ice cream are taxed at 20%, which is not considered.',
  },
  { jurisdictions: ['TR'], kind: 'food', note: 'Basic foods are taxed at 1%, which is not considered.' },
  {
    jurisdictions: ['CA'],
    kind: 'food',
    note: 'Only basic groceries are zero-rated; sweets, snacks and prepared foods are taxed at 5%.',
  },
  {
    jurisdictions: ['CA'],
    kind: 'medicines',
    note: 'Only prescription medicines are zero-rated; others are taxed at 5%.',
  },
  {
    jurisdictions: ['AU'],
    kind: 'food',
    note: 'Only fresh and basic foods are free of tax; others are taxed at 10%.',
  },
  {
    jurisdictions: ['KR'],
    kind: 'food',
    note: 'Only unprocessed foods are exempt; others are taxed at 10%.',
  },
]

/** The note on the rate of a kind for a code prefix. Empty if the rate applies to all of the goods. */
export function taxRateNote(jurisdiction: string, kind: string, prefix: string): string {
  const found = NOTES.find(
    (row) =>
      row.jurisdictions.includes(jurisdiction) &&
      row.kind === kind &&
      (row.prefixes === undefined || row.prefixes.includes(prefix)),
  )
  return found?.note ?? ''
}
