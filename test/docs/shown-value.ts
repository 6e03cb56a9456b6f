/**
 * Compares a JSON value in the documentation with a real one. `…` matches what the documentation leaves out: more
 * entries as the last entry of a list, more fields as a key of an object, the rest of a text at its end.
 */

const LEFT_OUT = '…'

/** The differences between both values; empty if there are none. */
export function differences(shown: unknown, real: unknown, path = '$'): string[] {
  if (typeof shown === 'string' && shown.endsWith(LEFT_OUT)) {
    const beginning = shown.slice(0, -LEFT_OUT.length).trimEnd()
    return typeof real === 'string' && real.startsWith(beginning) ? [] : [difference(path, shown, real)]
  }
  if (Array.isArray(shown)) return listDifferences(shown, real, path)
  if (isFields(shown)) return fieldDifferences(shown, real, path)
  return Object.is(shown, real) ? [] : [difference(path, shown, real)]
}

function listDifferences(shown: readonly unknown[], real: unknown, path: string): string[] {
  if (!Array.isArray(real)) return [difference(path, shown, real)]
  const isCut = shown.at(-1) === LEFT_OUT
  const entries = isCut ? shown.slice(0, -1) : shown
  if (isCut ? real.length <= entries.length : real.length !== entries.length)
    return [`${path}: ${real.length} entries`]
  return entries.flatMap((entry, index) => differences(entry, real[index], `${path}[${index}]`))
}

function fieldDifferences(shown: Readonly<Record<string, unknown>>, real: unknown, path: string): string[] {
  if (!isFields(real)) return [difference(path, shown, real)]
  const unseen = LEFT_OUT in shown ? [] : Object.keys(real).filter((name) => !(name in shown))
  return [
    ...unseen.map((name) => `${path}.${name}: not shown`),
    ...Object.keys(shown)
      .filter((name) => name !== LEFT_OUT)
      .flatMap((name) => differences(shown[name], real[name], `${path}.${name}`)),
  ]
}

function isFields(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function difference(path: string, shown: unknown, real: unknown): string {
  return `${path}: shown ${JSON.stringify(shown)}, real ${JSON.stringify(real)}`
}

/** The texts that are cut in the documentation, with the whole text of the real value: `shp…` and `shp_x1Y2`. */
export function cutTexts(shown: unknown, real: unknown): readonly (readonly [string, string])[] {
  if (typeof shown === 'string')
    return shown.endsWith(LEFT_OUT) && typeof real === 'string' ? [[shown, real]] : []
  if (Array.isArray(shown))
    return shown.flatMap((entry, index) => cutTexts(entry, Array.isArray(real) ? real[index] : undefined))
  if (!isFields(shown) || !isFields(real)) return []
  return Object.keys(shown).flatMap((name) => cutTexts(shown[name], real[name]))
}
