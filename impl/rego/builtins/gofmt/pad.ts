import { codePoints } from '../text.ts'

/**
 * An argument as Go sees it: `int` and `big` are integers that fit 64 bits or not, `float` a
 * fraction, everything else is text.
 */
export type Argument =
  | { readonly type: 'int64' | 'big'; readonly value: bigint }
  | { readonly type: 'float64'; readonly value: number }
  | { readonly type: 'string'; readonly value: string }

/** What stands between `%` and the verb. */
export type Spec = {
  readonly minus: boolean
  readonly plus: boolean
  readonly sharp: boolean
  readonly space: boolean
  readonly zero: boolean
  readonly width: number | undefined
  readonly precision: number | undefined
}

/** The name of an argument's type in Go. */
export const typeOf = (arg: Argument): string =>
  arg.type === 'int64' ? 'int' : arg.type === 'big' ? '*big.Int' : arg.type

/** Pads text to the width of a spec, with zeros on request. */
export const pad = (text: string, spec: Spec, zero = spec.zero): string => {
  const missing = (spec.width ?? 0) - codePoints(text)
  if (missing <= 0) return text
  if (spec.minus) return text + ' '.repeat(missing)
  return (zero ? '0' : ' ').repeat(missing) + text
}
