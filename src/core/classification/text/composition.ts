/**
 * Compares the components of goods by their percentages: "60% cotton 40% polyester". This is how notes 2(A) and 2(B) to
 * section XI classify mixtures of fibres.
 */

/** A mention of a value, with the percentages beside it. */
export type SharedMention = {
  readonly value: number
  readonly percentBefore: number | undefined
  readonly percentAfter: number | undefined
}

/** A mention with its percentage. */
export type Component<Mention> = { readonly mention: Mention; readonly share: number }

/**
 * The components of the first part of goods: the shell in "shell 80% cotton 20% polyester; lining 100% polyester".
 * Empty unless all mentions have a percentage, all in front of their words or all behind them.
 */
export function componentsOf<Mention extends SharedMention>(
  mentions: readonly Mention[],
): readonly Component<Mention>[] {
  for (const side of ['percentBefore', 'percentAfter'] as const) {
    const components = mentions.flatMap((mention) => {
      const share = mention[side]
      return share === undefined ? [] : [{ mention, share }]
    })
    if (components.length < mentions.length) continue
    let whole = 0
    const next = components.findIndex(({ share }) => {
      whole += share
      return whole > 100
    })
    // A first component is never above 100 percent.
    return next === -1 ? components : components.slice(0, next)
  }
  return []
}

/** The values of a dimension, and how they are compared. */
type ComparedValues = {
  readonly valuesUnder: readonly ReadonlySet<number>[]
  /** Whether the last value takes precedence over others with the same share. Otherwise, the first mention does. */
  readonly lastOfEquals: boolean
}

/**
 * The values of the components, largest share first. Shares of kinds of one thing are added up first: 30% polyester and
 * 30% viscose are more than 40% cotton.
 */
export function valuesByShare(
  { valuesUnder, lastOfEquals }: ComparedValues,
  components: readonly Component<SharedMention>[],
): readonly number[] {
  const groupOf = (value: number): number => {
    let widest = value
    valuesUnder.forEach((values, other) => {
      if (values.has(value) && values.size > valuesUnder[widest]!.size) widest = other
    })
    return widest
  }
  const byGroup = new Map<number, number>()
  const byValue = new Map<number, number>()
  for (const { mention, share } of components) {
    const group = groupOf(mention.value)
    byGroup.set(group, (byGroup.get(group) ?? 0) + share)
    byValue.set(mention.value, (byValue.get(mention.value) ?? 0) + share)
  }
  const groupShare = (value: number): number => byGroup.get(groupOf(value))!
  return [...byValue.keys()].sort(
    (a, b) =>
      groupShare(b) - groupShare(a) ||
      (lastOfEquals ? groupOf(b) - groupOf(a) : 0) ||
      byValue.get(b)! - byValue.get(a)! ||
      (lastOfEquals ? b - a : 0),
  )
}
