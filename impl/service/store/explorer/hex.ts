/** Hex in the form for `decode(..., 'hex')`: lower case without `0x`. */
export const bare = (hex: string): string => hex.slice(2).toLowerCase()

export const bareOrNull = (hex: string | null | undefined): string | null =>
  hex === null || hex === undefined ? null : bare(hex)

/** JSON text of a value, or null without a value. */
export const jsonOrNull = (value: unknown): string | null =>
  value === null || value === undefined ? null : JSON.stringify(value)
