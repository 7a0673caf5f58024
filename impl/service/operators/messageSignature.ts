import { createHash, createHmac, timingSafeEqual } from 'node:crypto'

/** A covered component: its identifier in `Signature-Input`, including quotes, and its value. */
export type Component = readonly [identifier: string, value: string]

/** The signed bytes (RFC 9421, section 2.5); `params` starts with a semicolon. */
export const signatureBase = (components: readonly Component[], params: string): string =>
  [
    ...components.map(([identifier, value]) => `${identifier}: ${value}`),
    `"@signature-params": ${signatureInput(components, params)}`,
  ].join('\n')

/** The value after the label in `Signature-Input`. */
export const signatureInput = (components: readonly Component[], params: string): string =>
  `(${components.map(([identifier]) => identifier).join(' ')})${params}`

/** `hmac-sha256` over a signature base (RFC 9421, section 3.3.3). */
export const hmacSha256 = (secret: string | Uint8Array, base: string): Buffer =>
  createHmac('sha256', secret).update(base).digest()

/** A byte sequence in the notation of structured fields. */
export const byteSequence = (bytes: Uint8Array): string =>
  `:${Buffer.from(bytes).toString('base64')}:`

/** The value of `Content-Digest` (RFC 9530). */
export const contentDigest = (body: string | Uint8Array): string =>
  `sha-256=${byteSequence(createHash('sha256').update(body).digest())}`

/** Constant-time comparison. */
export function sameText(a: string, b: string): boolean {
  const [first, second] = [a, b].map((text) => createHash('sha256').update(text).digest())
  return timingSafeEqual(first!, second!)
}
