/** Who sends or receives a shipment. Stored for the account; has no effect on prices. See schema/shipments.graphql. */
import { isAbsent, isJsonObject, note, type ProblemList, readText } from './input.ts'
import { type FieldPath, within } from './problem.ts'

/** Texts as given, without blanks at the ends. VAT and EORI numbers are in capitals. */
export type Contact = {
  readonly name?: string
  readonly company?: string
  readonly street?: string
  readonly phone?: string
  readonly email?: string
  readonly vatNumber?: string
  readonly eoriNumber?: string
}

/** Of a shipment. */
export type Contacts = { readonly sender?: Contact; readonly recipient?: Contact }

type Rule = {
  readonly maxLength: number
  readonly form?: RegExp
  readonly expected?: string
  readonly isCapitals?: true
}

const RULES: Readonly<Record<keyof Contact, Rule>> = {
  name: { maxLength: 100 },
  company: { maxLength: 100 },
  street: { maxLength: 200 },
  phone: {
    maxLength: 30,
    form: /^[0-9 +()./-]{3,}$/,
    expected: 'must be a telephone number such as "+31 20 555 0100"',
  },
  email: {
    maxLength: 254,
    form: /^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)+$/,
    expected: 'must be an e-mail address such as "ada@example.com"',
  },
  vatNumber: {
    maxLength: 20,
    isCapitals: true,
    form: /^[A-Za-z]{2}[A-Za-z0-9 .+*-]{2,}$/,
    expected: 'must be a VAT number with its country prefix, such as "NL001234567B01"',
  },
  eoriNumber: {
    maxLength: 17,
    isCapitals: true,
    form: /^[A-Za-z]{2}[A-Za-z0-9]+$/,
    expected: 'must be an EORI number such as "NL001234567"',
  },
}

// The keys of RULES are those of Contact.
const FIELDS = Object.keys(RULES) as readonly (keyof Contact)[]

/** Undefined if neither is given. */
export function readContacts(
  problems: ProblemList,
  input: { readonly sender: unknown; readonly recipient: unknown },
): Contacts | undefined {
  const sender = readContact(problems, ['sender'], input.sender)
  const recipient = readContact(problems, ['recipient'], input.recipient)
  if (sender === undefined && recipient === undefined) return undefined
  return { ...(sender !== undefined && { sender }), ...(recipient !== undefined && { recipient }) }
}

/** Undefined if no field is given. */
function readContact(problems: ProblemList, path: FieldPath, value: unknown): Contact | undefined {
  if (isAbsent(value)) return undefined
  if (!isJsonObject(value)) return note(problems, path, 'WRONG_TYPE', 'must be an object')
  const given = FIELDS.flatMap((field) => {
    const { maxLength, form, expected = '', isCapitals } = RULES[field]
    const text = readText(problems, within(path, field), value[field], maxLength)
    if (text === undefined) return []
    if (form?.test(text) === false) {
      note(problems, within(path, field), 'MALFORMED', expected)
      return []
    }
    return [[field, isCapitals === true ? text.toUpperCase() : text] as const]
  })
  return given.length === 0 ? undefined : Object.fromEntries(given)
}
