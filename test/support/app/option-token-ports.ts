/** Tokens of rate options for tests, signed with a fixed secret. */
import type { Ports } from '../../../src/operations/ports/ports.ts'
import { openOptionTokens } from '../../../src/store/accounts/option-tokens.ts'

/** The valid secrets, newest first, which never change. */
export function fixedSecrets(...secrets: [Buffer, ...Buffer[]]) {
  return { current: () => secrets, refresh: async () => false }
}

export const OPTION_TOKEN_PORTS: Pick<Ports, 'optionTokens' | 'optionTokenMinutes'> = {
  optionTokens: openOptionTokens(fixedSecrets(Buffer.alloc(32, 'test'))),
  optionTokenMinutes: 30,
}
