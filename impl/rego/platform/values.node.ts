/** What the engine takes from its platform; `values.portable.ts` is the same for browsers and workers. */

/** Loaded on first use: that takes longer than compiling a policy, and few policies need it. */
const crypto = () => process.getBuiltinModule('node:crypto')

export const toHex = (bytes: Uint8Array): string => view(bytes).toString('hex')

/** Bytes of an even number of hexadecimal digits. */
export const ofHex = (text: string): Uint8Array => Buffer.from(text, 'hex')

/** Padded; the URL alphabet is without padding. */
export const toBase64 = (bytes: Uint8Array, url = false): string =>
  view(bytes).toString(url ? 'base64url' : 'base64')

/** Bytes of valid base64 of either alphabet without padding. */
export const ofBase64 = (text: string): Uint8Array => Buffer.from(text, 'base64')

export function sha256(parts: readonly Uint8Array[]): Uint8Array {
  const hash = crypto().createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest()
}

/** Unpredictable bytes: the default seed of an evaluation. */
export const randomSeed = (): Uint8Array => crypto().randomBytes(16)

const view = (bytes: Uint8Array): Buffer =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
