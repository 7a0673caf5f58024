const MiB = 1024 * 1024

/** Allowed names of parts and their maximum sizes, which bound memory use. */
const kinds: readonly { readonly pattern: RegExp; readonly maxBytes: number }[] = [
  { pattern: /^manifest\.json$/, maxBytes: MiB },
  { pattern: /^chain\/deployment\.json$/, maxBytes: 16 * MiB },
  { pattern: /^chain\/state\/\d{6}$/, maxBytes: 16 * MiB },
  { pattern: /^database\/[a-z_][a-z0-9_]{0,62}\/\d{6}$/, maxBytes: 256 * MiB },
  { pattern: /^content\/b[a-z2-7]{30,150}$/, maxBytes: 256 * MiB },
  { pattern: /^end\.json$/, maxBytes: 64 * MiB },
]

/** Undefined for an invalid name. */
export const largestOf = (name: string): number | undefined =>
  kinds.find(({ pattern }) => pattern.test(name))?.maxBytes

export const numbered = (prefix: string, at: number): string =>
  `${prefix}/${String(at).padStart(6, '0')}`
