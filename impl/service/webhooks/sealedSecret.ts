import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { WebhookError } from './webhookError.ts'

/** Seals the HMAC secrets of webhooks, which are needed again and so cannot be hashed. */
export type SecretSealer = {
  seal(secret: string, apiKeyId: string): Uint8Array
  /** @throws WebhookError `secret`: another gateway key, another API key, or not what was sealed */
  open(sealed: Uint8Array, apiKeyId: string): string
}

const algorithm = 'aes-256-gcm'
const nonceSize = 12
const tagSize = 16

/**
 * AES-256-GCM under a key derived from the gateway's own by HKDF-SHA256: a copy of the database
 * alone opens nothing. Bound to the API key, so that a row moved to another key does not open either.
 *
 * @param gatewayKey 32 bytes of hex, as the configuration carries it
 */
export function secretSealer(
  gatewayKey: string,
  random: (size: number) => Uint8Array = randomBytes,
): SecretSealer {
  const material = Buffer.from(gatewayKey.replace(/^0x/, ''), 'hex')
  const key = Buffer.from(hkdfSync('sha256', material, '', 'webhook secrets at rest, 1', 32))
  return {
    seal(secret, apiKeyId) {
      const nonce = random(nonceSize)
      const cipher = createCipheriv(algorithm, key, nonce).setAAD(Buffer.from(apiKeyId))
      const ciphertext = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()])
      return Buffer.concat([nonce, cipher.getAuthTag(), ciphertext])
    },
    open(sealed, apiKeyId) {
      try {
        const nonce = sealed.subarray(0, nonceSize)
        const decipher = createDecipheriv(algorithm, key, nonce, { authTagLength: tagSize })
        decipher.setAAD(Buffer.from(apiKeyId))
        decipher.setAuthTag(sealed.subarray(nonceSize, nonceSize + tagSize))
        const ciphertext = sealed.subarray(nonceSize + tagSize)
        return Buffer.concat([decipher.update(ciphertext), decipher.final()]).toString('utf8')
      } catch (cause) {
        throw new WebhookError('secret', 'the stored secret does not open', cause)
      }
    },
  }
}
