/** Writes an expression with the figures of a case in place of its measures: "2.25 * 300 kg". */
import type { Choice, Syntax } from './syntax.ts'

/** The figure of a measure; undefined for words that measures are compared with. */
export type FigureOf = (name: string, index: number | undefined) => string | undefined

const LOOSEST = 0
const LEVELS: Readonly<Record<Syntax['kind'], number>> = {
  or: 1,
  and: 2,
  not: 3,
  comparison: 4,
  in: 4,
  arithmetic: 5,
  negative: 7,
  number: 9,
  name: 9,
  quoted: 9,
  day: 9,
  call: 9,
  by: 9,
}

export function printExpression(syntax: Syntax, figureOf: FigureOf): string {
  return print(syntax, figureOf, LOOSEST)
}

function levelOf(syntax: Syntax): number {
  return syntax.kind === 'arithmetic' && (syntax.operator === '*' || syntax.operator === '/')
    ? 6
    : LEVELS[syntax.kind]
}

/** In brackets if the expression binds less tightly than `least`. */
function print(syntax: Syntax, figureOf: FigureOf, least: number): string {
  const level = levelOf(syntax)
  const text = body(syntax, figureOf, level)
  return level < least ? `(${text})` : text
}

function body(syntax: Syntax, figureOf: FigureOf, level: number): string {
  const at = (part: Syntax, least = LOOSEST): string => print(part, figureOf, least)
  switch (syntax.kind) {
    case 'number':
      if (syntax.unit === '') return syntax.text
      return syntax.unit === '%' ? `${syntax.text}%` : `${syntax.text} ${syntax.unit}`
    case 'name':
      return figureOf(syntax.name, syntax.index) ?? nameText(syntax)
    case 'quoted':
      return `"${syntax.text}"`
    case 'day':
      return syntax.text
    case 'negative':
      return `-${at(syntax.part, level)}`
    case 'arithmetic':
      return `${at(syntax.left, level)} ${syntax.operator} ${at(syntax.right, level + 1)}`
    case 'call':
      return `${syntax.name}(${syntax.parts.map((part) => at(part)).join(', ')})`
    case 'comparison':
      return `${at(syntax.left, level + 1)} ${syntax.operator} ${at(syntax.right, level + 1)}`
    case 'in': {
      const { part, choices, word } = syntax
      const bounds = choices.map((choice) => choiceText(choice, figureOf))
      if (word === 'between')
        return `${at(part, level + 1)} between ${at(choices[0]!.low!, 5)} and ${at(choices[0]!.high!, 5)}`
      return `${at(part, level + 1)} in (${bounds.join(', ')})`
    }
    case 'not':
      return `not ${at(syntax.part, level)}`
    case 'and':
    case 'or':
      return syntax.parts.map((part) => at(part, level + 1)).join(` ${syntax.kind} `)
    case 'by': {
      const { subject, cases, otherwise } = syntax
      const entries = cases.map(({ choice, value }) => `${choiceText(choice, figureOf)}: ${at(value, 5)}`)
      if (otherwise !== undefined) entries.push(`else: ${at(otherwise, 5)}`)
      const name =
        subject.kind === 'name' && figureOf(subject.name, subject.index) ? `${nameText(subject)} ` : ''
      return `by ${name}${at(subject, 5)} {${entries.join(', ')}}`
    }
  }
}

function nameText({ name, index }: { readonly name: string; readonly index?: number }): string {
  return index === undefined ? name : `${name}[${index}]`
}

function choiceText({ low, high, isRange }: Choice, figureOf: FigureOf): string {
  const [first, last] = [low, high].map((bound) => (bound === undefined ? '' : print(bound, figureOf, 5)))
  return isRange ? `${first}..${last}` : first!
}
