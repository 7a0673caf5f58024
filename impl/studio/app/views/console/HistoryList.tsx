import { Badge } from '../../ui/Badge.tsx'
import { Button } from '../../ui/Button.tsx'
import { Empty } from '../../ui/Notice.tsx'
import { durationText, Time } from '../../ui/Time.tsx'
import type { HistoryEntry } from './history.ts'

/** The requests of this browser, newest first. */
export function HistoryList(props: {
  readonly entries: readonly HistoryEntry[]
  readonly onChoose: (entry: HistoryEntry) => void
  readonly onClear: () => void
}) {
  const { entries, onChoose, onClear } = props
  if (entries.length === 0) return <Empty>No request was sent yet.</Empty>
  return (
    <div class="stack">
      <div class="row">
        <span class="muted grow">Kept in this browser, without keys, secrets and responses.</span>
        <Button small onPress={onClear}>
          Clear history
        </Button>
      </div>
      <ol class="history">
        {entries.map((entry, index) => (
          <li key={`${entry.at}-${index}`} class="row">
            <Button small onPress={() => onChoose(entry)}>
              {entry.call}
            </Button>
            <Badge tone={entry.outcome === 'ok' ? 'good' : 'bad'}>{entry.outcome}</Badge>
            <span class="muted">
              {entry.key}, {durationText(entry.ms)}, <Time at={entry.at} />
            </span>
          </li>
        ))}
      </ol>
    </div>
  )
}
