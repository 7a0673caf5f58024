import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { WebhookError } from './webhookError.ts'

/** Encrypts the HMAC secrets of webhooks, which are needed again and so cannot be hashed. */
export type SecretSealer = {
  seal(secret: string, apiKeyId: string): Uint8Array
  /** @throws WebhookError `secret`: another gateway key, another API key, or damaged data */
  open(sealed: Uint8Array, apiKeyId: string): string
}

const algorithm = 'aes-256-gcm'
const nonceSize = 12
const tagSize = 16

/**
 * AES-256-GCM with a key derived from the gateway's by HKDF-SHA256, so that a copy of the database
 * is not enough to decrypt. Bound to the API key, so that a row cannot be moved to another key.
 *
 * @param gatewayKey 32 bytes of hex, as in the configuration
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
        throw new WebhookError('secret', 'the stored secret cannot be decrypted', cause)
      }
    },
  }
}
