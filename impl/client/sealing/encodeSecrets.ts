/** An envelope as `secrets` of `simulatePolicyData`: base64 of its UTF-8 bytes (decision K8). */
export function encodeSecrets(envelope: string): string {
  const bytes = new TextEncoder().encode(envelope)
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
}
