/** The number of random cases in a test. */

/** The first number in `npm test`, the second in `npm run test:properties`. */
export const caseCount = (short: number, long: number): number =>
  process.env['TEST_CASES'] === 'all' ? long : short
