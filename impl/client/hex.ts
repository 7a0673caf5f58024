/** Hex with its prefix, such as an address, bytes or a quantity. */
export type Hex = `0x${string}`
