/** Which of the known names an unknown one may have been meant to be. */

/** The known name that at most two letters set apart from `name` (one in a short name); undefined when none is near. */
export function closestName(name: string, known: readonly string[]): string | undefined {
  const lower = name.toLowerCase()
  let closest: string | undefined
  let least = lower.length < 5 ? 1 : 2
  for (const candidate of known) {
    const distance = editDistance(lower, candidate, least)
    if (distance > least || (distance === least && closest !== undefined)) continue
    closest = candidate
    least = distance
  }
  return closest
}

/** How many letters to insert, drop or replace; anything above `limit` may come out as `limit + 1`. */
function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit) return limit + 1
  let above = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i]
    for (let j = 1; j <= b.length; j += 1) {
      const replaced = above[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)
      row.push(Math.min(replaced, above[j]! + 1, row[j - 1]! + 1))
    }
    above = row
  }
  return above[b.length]!
}
