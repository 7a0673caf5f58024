import pc from 'picocolors'

export type Colours = ReturnType<typeof pc.createColors>

type Environment = Readonly<Record<string, string | undefined>>

/**
 * Colours where a person reads them: a terminal that is not dumb. NO_COLOR and FORCE_COLOR are
 * honoured; CI alone is no reason, its logs are read by programs too.
 */
export const colours = (
  stream: { readonly isTTY?: boolean | undefined },
  { NO_COLOR, FORCE_COLOR, TERM }: Environment = process.env,
): Colours => {
  if (NO_COLOR !== undefined && NO_COLOR !== '') return pc.createColors(false)
  if (FORCE_COLOR !== undefined && FORCE_COLOR !== '0') return pc.createColors(true)
  return pc.createColors(stream.isTTY === true && TERM !== 'dumb')
}
