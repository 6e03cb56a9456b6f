/** Whether averages of groups of goods count in an account's estimates of duties. See docs/operations.md. */
export const ACCOUNT_AVERAGES = [
  'ALTER TABLE account ADD COLUMN count_averages boolean NOT NULL DEFAULT true',
]
