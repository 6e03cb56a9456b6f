/** How many random cases a test runs. */

/** The first number in `npm test`, the second in `npm run test:properties`. */
export const caseCount = (short: number, long: number): number =>
  process.env['TEST_CASES'] === 'all' ? long : short
