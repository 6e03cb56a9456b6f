/** The images of a release by their digests. See docs/releases.md#the-image. */
import { execFileSync, spawnSync } from 'node:child_process'
import path from 'node:path'

/** Lines for `.env`. Undefined if Docker is not installed. Throws if the digest of an image is not found. */
export function pinnedImages(root) {
  if (spawnSync('docker', ['--version']).error !== undefined) return undefined
  return execFileSync(process.execPath, [path.join(root, 'tools/pin-images.mjs')], { encoding: 'utf8' })
}

/** The base image for the build. */
export function baseImage(images = '') {
  return /^NODE_IMAGE=(.+)$/m.exec(images)?.[1] ?? '<image with its digest>'
}
