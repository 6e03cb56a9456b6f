/**
 * Parses the text of an expression. The grammar, from the loosest binding to the tightest: or, and, not, comparisons
 * with in and between, + and -, * and /, -. Meaning of the parts: docs/rate-card-expressions.md.
 */
import { ExpressionFault } from './expression-fault.ts'
import { type Token, tokensOf } from './lexer.ts'
import type { Case, Choice, Comparator, Syntax } from './syntax.ts'

/** The most parts of an expression: numbers, names, operators and functions. */
export const MAX_PARTS = 400

/** How deep brackets, functions and signs can be nested. */
export const MAX_DEPTH = 20

const KEYWORDS: ReadonlySet<string> = new Set(['and', 'or', 'not', 'in', 'between', 'by', 'else'])
const COMPARATORS: ReadonlySet<string> = new Set<Comparator>(['<', '<=', '>', '>=', '=', '!='])

/** Throws an ExpressionFault. */
export function parseExpression(text: string): Syntax {
  return new Parser(tokensOf(text)).whole()
}

class Parser {
  private readonly tokens: readonly Token[]
  private next = 0
  private parts = 0
  private depth = 0

  constructor(tokens: readonly Token[]) {
    this.tokens = tokens
  }

  whole(): Syntax {
    const syntax = this.or()
    if (this.token.kind !== 'end') this.fail('the end of the expression or an operator')
    return syntax
  }

  private get token(): Token {
    return this.tokens[this.next]!
  }

  private fail(expected: string): never {
    const { kind, text, at } = this.token
    throw new ExpressionFault(at, `expected ${expected}, found ${kind === 'end' ? 'the end' : text}`)
  }

  /** Counts a part of the expression. */
  private part<Part extends Syntax>(part: Part): Part {
    this.parts += 1
    if (this.parts > MAX_PARTS)
      throw new ExpressionFault(part.at, `an expression has at most ${MAX_PARTS} parts`)
    return part
  }

  private nested<Value>(parse: () => Value): Value {
    this.depth += 1
    if (this.depth > MAX_DEPTH)
      throw new ExpressionFault(this.token.at, `brackets can be nested ${MAX_DEPTH} deep at most`)
    const value = parse()
    this.depth -= 1
    return value
  }

  private is(text: string): boolean {
    const { kind, text: found } = this.token
    return found === text && (kind === 'symbol' || (kind === 'name' && KEYWORDS.has(text)))
  }

  private accepts(text: string): boolean {
    const isNext = this.is(text)
    if (isNext) this.next += 1
    return isNext
  }

  private take(text: string): void {
    if (!this.accepts(text)) this.fail(text)
  }

  private or(): Syntax {
    return this.joined('or', () => this.and())
  }

  private and(): Syntax {
    return this.joined('and', () => this.not())
  }

  private joined(kind: 'and' | 'or', parse: () => Syntax): Syntax {
    const first = parse()
    if (!this.is(kind)) return first
    const parts = [first]
    while (this.accepts(kind)) parts.push(parse())
    return this.part({ kind, parts, at: first.at })
  }

  private not(): Syntax {
    const { at } = this.token
    if (!this.accepts('not')) return this.comparison()
    const part = this.nested(() => this.not())
    return this.part({ kind: 'not', part, at })
  }

  private comparison(): Syntax {
    const left = this.sum()
    const { text, at, kind } = this.token
    if (kind === 'symbol' && COMPARATORS.has(text)) {
      this.next += 1
      const right = this.sum()
      return this.part({ kind: 'comparison', operator: text as Comparator, left, right, at })
    }
    if (this.accepts('not')) {
      if (!this.is('in') && !this.is('between')) this.fail('in or between')
      return this.part({ kind: 'not', part: this.choice(left), at })
    }
    return this.is('in') || this.is('between') ? this.choice(left) : left
  }

  private choice(part: Syntax): Syntax {
    const { at } = this.token
    if (this.accepts('between')) {
      const low = this.sum()
      this.take('and')
      const choice = { low, high: this.sum(), isRange: true, at: low.at }
      return this.part({ kind: 'in', word: 'between', part, choices: [choice], at })
    }
    this.take('in')
    if (!this.accepts('(')) return this.part({ kind: 'in', word: 'in', part, choices: [this.range()], at })
    const choices = [this.range()]
    while (this.accepts(',')) choices.push(this.range())
    this.take(')')
    return this.part({ kind: 'in', word: 'in', part, choices, at })
  }

  /** A value, or a range with `..`. */
  private range(): Choice {
    const { at } = this.token
    if (this.accepts('..')) return { low: undefined, high: this.sum(), isRange: true, at }
    const low = this.sum()
    if (!this.accepts('..')) return { low, high: low, isRange: false, at }
    const isOpen = [')', ',', ':', 'and', 'or'].some((text) => this.is(text)) || this.token.kind === 'end'
    return { low, high: isOpen ? undefined : this.sum(), isRange: true, at }
  }

  private sum(): Syntax {
    let left = this.product()
    for (;;) {
      const { at } = this.token
      const operator = this.accepts('+') ? '+' : this.accepts('-') ? '-' : undefined
      if (operator === undefined) return left
      left = this.part({ kind: 'arithmetic', operator, left, right: this.product(), at })
    }
  }

  private product(): Syntax {
    let left = this.signed()
    for (;;) {
      const { at } = this.token
      const operator = this.accepts('*') ? '*' : this.accepts('/') ? '/' : undefined
      if (operator === undefined) return left
      left = this.part({ kind: 'arithmetic', operator, left, right: this.signed(), at })
    }
  }

  private signed(): Syntax {
    const { at } = this.token
    if (!this.accepts('-')) return this.primary()
    const part = this.nested(() => this.signed())
    return this.part({ kind: 'negative', part, at })
  }

  private primary(): Syntax {
    const { kind, text, at } = this.token
    if (this.accepts('(')) {
      const inner = this.nested(() => this.or())
      this.take(')')
      return inner
    }
    if (this.accepts('by')) return this.nested(() => this.by(at))
    if (kind === 'name' && KEYWORDS.has(text)) this.fail('a number, a name or a bracket')
    if (kind === 'symbol' || kind === 'end') this.fail('a number, a name or a bracket')
    this.next += 1
    switch (kind) {
      case 'number':
        return this.part({ kind: 'number', text, unit: this.unit(), at })
      case 'day':
        return this.part({ kind: 'day', text, at })
      case 'quoted':
        return this.part({ kind: 'quoted', text, at })
      case 'name':
        return this.named(text, at)
    }
  }

  /** The unit after a number. There, `in` is the inch. */
  private unit(): string {
    if (this.accepts('%')) return '%'
    const { kind, text } = this.token
    if (kind !== 'name' || (KEYWORDS.has(text) && text !== 'in')) return ''
    this.next += 1
    return text
  }

  private named(name: string, at: number): Syntax {
    if (this.accepts('(')) {
      const parts = this.nested(() => {
        const list = [this.or()]
        while (this.accepts(',')) list.push(this.or())
        return list
      })
      this.take(')')
      return this.part({ kind: 'call', name, parts, at })
    }
    if (!this.accepts('[')) return this.part({ kind: 'name', name, at })
    const { kind, text } = this.token
    if (kind !== 'number' || text.includes('.')) this.fail('the number of an element, such as 1')
    this.next += 1
    this.take(']')
    return this.part({ kind: 'name', name, index: Number(text), at })
  }

  /** After `by`: a subject and its cases in braces. */
  private by(at: number): Syntax {
    const subject = this.sum()
    this.take('{')
    const cases: Case[] = []
    let otherwise: Syntax | undefined
    do {
      if (this.accepts('else')) {
        this.take(':')
        otherwise = this.sum()
        break
      }
      const choice = this.range()
      this.take(':')
      cases.push({ choice, value: this.sum() })
    } while (this.accepts(','))
    this.take('}')
    return this.part({ kind: 'by', subject, cases, otherwise, at })
  }
}
