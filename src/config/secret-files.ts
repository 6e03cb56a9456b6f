/** Secrets that are read from a file, whose path is in `<name>_FILE`, instead of the environment. */
import { readFileSync } from 'node:fs'
import type { Environment } from './settings.ts'

export type SecretFile = { readonly setting: string; readonly path: string }

/** The settings that can also be read from a file, whose path is in `<name>_FILE`. */
const SECRETS = [
  ...(['DATABASE_URL', 'PGPASSWORD', 'HTTPS_PROXY', 'WAYBILL_TOKEN_SECRET'] as const),
  ...(['WAYBILL_CLASSIFIER_KEY', 'WAYBILL_SHARED_LIMITS'] as const),
  ...(['OTEL_EXPORTER_OTLP_HEADERS', 'OTEL_EXPORTER_OTLP_TRACES_HEADERS'] as const),
] as const

/** The environment with the contents of the files. Adds to `faults`. */
export function withSecretFiles(given: Environment, faults: string[]): Environment {
  const contents: Record<string, string> = {}
  for (const name of SECRETS) {
    const path = given[`${name}_FILE`]
    if (path === undefined) continue
    if (given[name] !== undefined) faults.push(`${name}, ${name}_FILE: only one of them can be set`)
    try {
      const text = readFileSync(path, 'utf8').replace(/\r?\n$/, '')
      if (text === '') faults.push(`${name}_FILE: the file ${path} is empty`)
      contents[name] = text
    } catch (error) {
      faults.push(`${name}_FILE: the file ${path} cannot be read: ${(error as NodeJS.ErrnoException).code}`)
    }
  }
  return { ...given, ...contents }
}

export function secretFilesOf(
  env: Readonly<Record<`${(typeof SECRETS)[number]}_FILE`, string | undefined>>,
): SecretFile[] {
  return SECRETS.flatMap((name) => {
    const path = env[`${name}_FILE`]
    return path === undefined ? [] : { setting: `${name}_FILE`, path }
  })
}
