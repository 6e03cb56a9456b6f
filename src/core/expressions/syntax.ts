/** The parsed form of expressions. `at` is the place in the text, for messages. */

type Placed = { readonly at: number }

export type Comparator = '<' | '<=' | '>' | '>=' | '=' | '!='

export type Syntax =
  /** `unit` is '' without a unit, and '%' for a percentage. */
  | (Placed & { readonly kind: 'number'; readonly text: string; readonly unit: string })
  /** `index` counts from 1; undefined for a name that is not an element of a list. */
  | (Placed & { readonly kind: 'name'; readonly name: string; readonly index?: number })
  | (Placed & { readonly kind: 'quoted'; readonly text: string })
  /** 'YYYY-MM-DD' or 'MM-DD'. */
  | (Placed & { readonly kind: 'day'; readonly text: string })
  | (Placed & { readonly kind: 'negative'; readonly part: Syntax })
  | (Placed & {
      readonly kind: 'arithmetic'
      readonly operator: '+' | '-' | '*' | '/'
      readonly left: Syntax
      readonly right: Syntax
    })
  | (Placed & { readonly kind: 'call'; readonly name: string; readonly parts: readonly Syntax[] })
  | (Placed & {
      readonly kind: 'comparison'
      readonly operator: Comparator
      readonly left: Syntax
      readonly right: Syntax
    })
  /** `between` is a single range. */
  | (Placed & {
      readonly kind: 'in'
      readonly word: 'in' | 'between'
      readonly part: Syntax
      readonly choices: readonly Choice[]
    })
  | (Placed & { readonly kind: 'not'; readonly part: Syntax })
  | (Placed & { readonly kind: 'and' | 'or'; readonly parts: readonly Syntax[] })
  | (Placed & {
      readonly kind: 'by'
      readonly subject: Syntax
      readonly cases: readonly Case[]
      /** Undefined without `else`. */
      readonly otherwise: Syntax | undefined
    })

/** A value (`isRange` is false, and both bounds are the value), or an inclusive range, which may lack a bound. */
export type Choice = Placed & {
  readonly low: Syntax | undefined
  readonly high: Syntax | undefined
  readonly isRange: boolean
}

export type Case = { readonly choice: Choice; readonly value: Syntax }

/** The names that an expression uses, without their indexes. Words that it compares with are included. */
export function namesIn(syntax: Syntax): ReadonlySet<string> {
  const names = new Set<string>()
  visit(syntax, (part) => {
    if (part.kind === 'name') names.add(part.name)
  })
  return names
}

/** Calls `see` with a part and all parts below it. */
export function visit(syntax: Syntax, see: (part: Syntax) => void): void {
  see(syntax)
  for (const part of partsOf(syntax)) visit(part, see)
}

function partsOf(syntax: Syntax): readonly Syntax[] {
  switch (syntax.kind) {
    case 'number':
    case 'name':
    case 'quoted':
    case 'day':
      return []
    case 'negative':
    case 'not':
      return [syntax.part]
    case 'arithmetic':
    case 'comparison':
      return [syntax.left, syntax.right]
    case 'call':
    case 'and':
    case 'or':
      return syntax.parts
    case 'in':
      return [syntax.part, ...syntax.choices.flatMap(boundsOf)]
    case 'by': {
      const { subject, cases, otherwise } = syntax
      return [
        subject,
        ...cases.flatMap(({ choice, value }) => [...boundsOf(choice), value]),
        ...(otherwise === undefined ? [] : [otherwise]),
      ]
    }
  }
}

function boundsOf({ low, high, isRange }: Choice): readonly Syntax[] {
  return [low, isRange ? high : undefined].filter((bound) => bound !== undefined)
}
