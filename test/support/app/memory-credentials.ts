/** A credential store in memory, for tests of what is built on it. */
import type { ApiKey, CredentialStore } from '../../../src/operations/ports/caller.ts'

type Lookups = {
  findKey(keyId: string): ApiKey | undefined | Promise<ApiKey | undefined>
  isKnown(keyId: string): boolean
}

/** A store with these lookups. `used` collects the ids of the keys that were used. */
export function memoryCredentials(
  lookups: Lookups,
  { origins = [], used = [] }: { readonly origins?: readonly string[]; readonly used?: string[] } = {},
): CredentialStore {
  return {
    ...lookups,
    noteUse: (keyId) => void used.push(keyId),
    pageOrigins: {
      isEmpty: () => origins.length === 0,
      has: (origin) => origins.includes(origin),
      find: (origin) => origins.includes(origin),
    },
  }
}
