import pc from 'picocolors'

export type Colours = ReturnType<typeof pc.createColors>

type Environment = Readonly<Record<string, string | undefined>>

/**
 * Colours for terminals other than TERM=dumb. Honours NO_COLOR and FORCE_COLOR; CI alone does not
 * enable colours, because programs read its logs too.
 */
export function colours(
  stream: { readonly isTTY?: boolean | undefined },
  { NO_COLOR, FORCE_COLOR, TERM }: Environment = process.env,
): Colours {
  if (NO_COLOR !== undefined && NO_COLOR !== '') return pc.createColors(false)
  if (FORCE_COLOR !== undefined && FORCE_COLOR !== '0') return pc.createColors(true)
  return pc.createColors(stream.isTTY === true && TERM !== 'dumb')
}
