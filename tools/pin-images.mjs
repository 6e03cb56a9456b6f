/**
 * Prints the images of the compose file, the Dockerfile and the profiles with their digests, as lines for `.env`:
 * `node tools/pin-images.mjs > .env.images`. Asks the registries through Docker. See docs/production.md.
 */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'

const compose = readFileSync(path.resolve(import.meta.dirname, '../docker-compose.yml'), 'utf8')

for (const [variable, image] of imagesOf(compose)) {
  const output = execFileSync(
    'docker',
    ['buildx', 'imagetools', 'inspect', image, '--format', '{{.Manifest.Digest}}'],
    { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] },
  )
  const digest = output.trim()
  if (!/^sha256:[0-9a-f]{64}$/.test(digest)) throw new Error(`${image}: not a digest: ${digest}`)
  console.log(`${variable}=${image}@${digest}`)
}

/** The variables that name an image, with their defaults. */
function imagesOf(text) {
  return new Map([...text.matchAll(/\$\{(\w+_IMAGE):-([^}]+)\}/g)].map(([, name, image]) => [name, image]))
}
