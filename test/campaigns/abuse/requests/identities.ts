/** Identities of an attacker: key ids, secrets, addresses. */
import type { Dice } from '../../../support/random/seeded-dice.ts'

const BASE64URL = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

function random(dice: Dice, length: number): string {
  return Array.from({ length }, () => BASE64URL[dice.int(0, BASE64URL.length - 1)]).join('')
}

/** A key id that does not exist, well-formed or malformed. */
export function randomKeyId(dice: Dice, isWellFormed: boolean): string {
  if (isWellFormed) return `wb_${random(dice, 16)}`
  return dice.pick([
    () => `wb_${random(dice, 15)}`,
    () => `wb_${random(dice, 17)}`,
    () => `WB_${random(dice, 16)}`,
    () => `wb-${random(dice, 16)}`,
    () => `wb_${random(dice, 15)}.`,
    () => `wb_${random(dice, 15)}=`,
    () => random(dice, dice.int(1, 200)),
    () => `wb_${random(dice, 8)} ${random(dice, 7)}`,
    () => `demo${random(dice, 3)}`,
    () => `x wb_${random(dice, 16)}`,
  ])()
}

/** A wrong secret for a valid header value, often similar to the right one. */
export function wrongSecret(dice: Dice, header: string): string {
  const at = header.indexOf('@')
  const [keyId, secret] = [header.slice(0, at), header.slice(at + 1)]
  const wrong = dice.pick([
    () => secret.slice(0, -1),
    () => `${secret}A`,
    () => secret.toLowerCase() + secret.toUpperCase(),
    () => `${secret}@${secret}`,
    () => random(dice, 43),
    () => 'x',
  ])()
  return `${keyId}@${wrong}`
}

/** Addresses of connections: that of the bystanders, another one, or several. */
export function sources(dice: Dice): {
  readonly addresses: number
  from(connection: number): string | undefined
} {
  // Systems other than Linux have only 127.0.0.1.
  const kind = process.platform === 'linux' ? dice.pick(['same', 'other', 'few'] as const) : 'same'
  switch (kind) {
    case 'same':
      return { addresses: 1, from: () => undefined }
    case 'other':
      return { addresses: 1, from: () => '127.0.0.2' }
    case 'few':
      return { addresses: 3, from: (connection) => `127.0.1.${1 + (connection % 3)}` }
  }
}
