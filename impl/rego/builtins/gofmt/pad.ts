import { codePoints } from '../text.ts'

/**
 * An argument in Go's terms: `int64` and `big` are integers that do or do not fit 64 bits,
 * `float64` a number written as a fraction or with an exponent, everything else is text.
 */
export type Argument =
  | { readonly type: 'int64' | 'big'; readonly value: bigint }
  | { readonly type: 'float64'; readonly value: number }
  | { readonly type: 'string'; readonly value: string }

/** The part between `%` and the verb. */
export type Spec = {
  readonly minus: boolean
  readonly plus: boolean
  readonly sharp: boolean
  readonly space: boolean
  readonly zero: boolean
  /** `%+v` and `%#v`, which are not `plus` and `sharp`. */
  readonly plusV: boolean
  readonly sharpV: boolean
  readonly width: number | undefined
  readonly precision: number | undefined
}

/** Go's name of an argument's type. */
export const typeOf = (arg: Argument): string =>
  arg.type === 'int64' ? 'int' : arg.type === 'big' ? '*big.Int' : arg.type

/** Pads text to the width of a spec, optionally with zeros. */
export function pad(text: string, spec: Spec, zero = spec.zero): string {
  const missing = (spec.width ?? 0) - codePoints(text)
  if (missing <= 0) return text
  if (spec.minus) return text + ' '.repeat(missing)
  return (zero ? '0' : ' ').repeat(missing) + text
}
