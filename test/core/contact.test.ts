import { describe, expect, test } from 'vitest'
import { readContacts } from '../../src/core/contact.ts'
import type { ProblemList } from '../../src/core/input.ts'

const ADA = {
  name: 'Ada Janssen',
  company: 'Janssen Textiles BV',
  street: 'Damrak 1',
  phone: '+31 (20) 555-0100',
  email: 'ada@mail.example.com',
  vatNumber: 'NL001234567b01',
  eoriNumber: 'nl001234567',
}

function read(sender: unknown, recipient?: unknown) {
  const problems: ProblemList = []
  return { contacts: readContacts(problems, { sender, recipient }), problems }
}

test('a complete contact is kept as given, with the EORI number in capitals', () => {
  expect(read(ADA, { name: ' Bo ' })).toEqual({
    contacts: {
      sender: { ...ADA, vatNumber: 'NL001234567B01', eoriNumber: 'NL001234567' },
      recipient: { name: 'Bo' },
    },
    problems: [],
  })
})

test.each([undefined, null, {}, { name: '', email: null }, { name: '  ' }])('%j is no contact', (contact) => {
  expect(read(contact, contact)).toEqual({ contacts: undefined, problems: [] })
})

describe('a faulty field is reported with its path', () => {
  test.each([
    ['name', 'x'.repeat(101), 'TOO_LONG'],
    ['company', 'x'.repeat(101), 'TOO_LONG'],
    ['street', 'x'.repeat(201), 'TOO_LONG'],
    ['street', 'a\u0000b', 'MALFORMED'],
    ['phone', '0800-CALL', 'MALFORMED'],
    ['phone', '1'.repeat(31), 'TOO_LONG'],
    ['email', 'ada', 'MALFORMED'],
    ['email', 'ada@example', 'MALFORMED'],
    ['email', 'a@b@example.com', 'MALFORMED'],
    ['email', `${'a'.repeat(250)}@b.com`, 'TOO_LONG'],
    ['vatNumber', '001234567', 'MALFORMED'],
    ['vatNumber', `NL${'1'.repeat(19)}`, 'TOO_LONG'],
    ['eoriNumber', 'NL-001', 'MALFORMED'],
    ['eoriNumber', `NL${'1'.repeat(16)}`, 'TOO_LONG'],
    ['name', 5, 'WRONG_TYPE'],
  ])('%s: %j', (field, value, code) => {
    for (const end of ['sender', 'recipient'] as const) {
      const problems: ProblemList = []
      readContacts(problems, { sender: undefined, recipient: undefined, [end]: { ...ADA, [field]: value } })
      expect(problems).toMatchObject([{ path: [end, field], code }])
    }
  })
})
