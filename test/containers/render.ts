/** Renders the chart with Helm itself, not an imitation: docs/kubernetes.md, "Check a change of the chart". */
import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseAllDocuments } from 'yaml'

const ROOT = path.resolve(import.meta.dirname, '../..')

export const CHART = path.join(ROOT, 'deploy/helm/waybill')

/** The path of Helm. Undefined if it is not installed. */
export async function findHelm(): Promise<string | undefined> {
  const tool = pathToFileURL(path.join(ROOT, 'tools/helm.mjs')).href
  const { findHelm: find } = (await import(tool)) as { readonly findHelm: () => string | undefined }
  return find()
}

export type Manifest = {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: {
    readonly name: string
    readonly labels: Readonly<Record<string, string>>
    readonly annotations?: Readonly<Record<string, string>>
  }
  // biome-ignore lint/suspicious/noExplicitAny: the tests read many kinds, whose schemas are checked beforehand.
  readonly spec: any
  readonly data?: Readonly<Record<string, string>>
}

export type Rendered = { readonly manifests: readonly Manifest[]; readonly fault: string }

/** Renders the chart with values. `fault` is what Helm prints if it refuses them, otherwise empty. */
export function render(helm: string, values: object, release = 'shop'): Rendered {
  const { status, stdout, stderr } = spawnSync(helm, ['template', release, CHART, '--values', '-'], {
    input: JSON.stringify(values),
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  })
  if (status !== 0) return { manifests: [], fault: stderr }
  // Kubernetes reads YAML 1.1.
  const documents = parseAllDocuments(stdout, { version: '1.1' })
  const faults = documents.flatMap((document) => document.errors ?? [])
  if (faults.length > 0) throw faults[0]
  return { manifests: documents.map((document) => document.toJS()).filter(Boolean), fault: '' }
}
