/** Linear systems, for the fits of the classifier. */

/** Solves a small symmetric system by elimination. */
export function solve(matrix: readonly (readonly number[])[], right: readonly number[]): number[] {
  const rowsOf = matrix.map((row, at) => [...row, right[at]!])
  for (let pivot = 0; pivot < rowsOf.length; pivot++) {
    for (let below = pivot + 1; below < rowsOf.length; below++) {
      const factor = rowsOf[below]![pivot]! / rowsOf[pivot]![pivot]!
      for (let at = pivot; at < rowsOf[below]!.length; at++)
        rowsOf[below]![at]! -= factor * rowsOf[pivot]![at]!
    }
  }
  const solution: number[] = []
  for (let row = rowsOf.length - 1; row >= 0; row--) {
    let value = rowsOf[row]!.at(-1)!
    for (let at = row + 1; at < rowsOf.length; at++) value -= rowsOf[row]![at]! * solution[at]!
    solution[row] = value / rowsOf[row]![row]!
  }
  return solution
}
