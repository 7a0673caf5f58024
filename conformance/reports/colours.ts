import picocolors from 'picocolors'

export type Colours = ReturnType<typeof picocolors.createColors>

/** Colours if the output is a terminal that is not dumb, and NO_COLOR is not set. */
export function coloursFor(
  stream: { readonly isTTY?: boolean | undefined },
  env: Readonly<Record<string, string | undefined>>,
): Colours {
  const forced = env.FORCE_COLOR !== undefined && env.FORCE_COLOR !== '0'
  const wanted = forced || (stream.isTTY === true && env.TERM !== 'dumb')
  return picocolors.createColors(wanted && !env.NO_COLOR)
}
