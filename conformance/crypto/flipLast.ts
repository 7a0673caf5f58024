/** The same hex with its fourth digit from the end changed. */
export const flipLast = <T extends string>(hex: T): T =>
  `${hex.slice(0, -4)}${hex.at(-4) === '0' ? '1' : '0'}${hex.slice(-3)}` as T
