export type LogPart<Entry> = {
  /** The number of the latest entry of the log. */
  readonly latest: number
  /** In order. */
  readonly entries: readonly Entry[]
}

const most = 1_000

/** What is known of a log and what was read after it, without entries that both have. */
export function joined<Entry extends { readonly seq: number }>(
  known: LogPart<Entry>,
  read: LogPart<Entry>,
): LogPart<Entry> {
  const last = known.entries.at(-1)?.seq ?? 0
  const fresh = read.entries.filter(({ seq }) => seq > last)
  const entries = fresh.length === 0 ? known.entries : [...known.entries, ...fresh].slice(-most)
  return { latest: Math.max(known.latest, read.latest), entries }
}
