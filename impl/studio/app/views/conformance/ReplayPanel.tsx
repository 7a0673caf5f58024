import type { ConformanceReplayed } from 'polgate-protocol/control/conformance.ts'
import { useState } from 'preact/hooks'
import { control } from '../../data/control.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Button } from '../../ui/Button.tsx'
import { Diff } from '../../ui/Diff.tsx'
import { ErrorNotice, Notice } from '../../ui/Notice.tsx'
import { durationText } from '../../ui/Time.tsx'
import { diffTexts } from './diffJson.ts'
import { Body } from './ExchangeView.tsx'

/** Sends a recorded request again, and shows the new response next to the recorded one. */
export function ReplayPanel(props: {
  readonly run: string
  readonly check: string
  readonly evidence: number
}) {
  const [replayed, setReplayed] = useState<ConformanceReplayed>()
  const [error, setError] = useState<Error>()
  const replay = async () => {
    setError(undefined)
    try {
      setReplayed(await control.post<ConformanceReplayed>('/conformance/replay', props))
    } catch (reason) {
      setError(reason as Error)
    }
  }
  return (
    <section class="stack" aria-label="Replay">
      <div class="row">
        <Button onPress={replay}>Send this request again</Button>
      </div>
      <ErrorNotice error={error} />
      {replayed === undefined ? null : <Replayed {...replayed} />}
    </section>
  )
}

function Replayed({ before, after, why }: ConformanceReplayed) {
  if (after === undefined) return <Notice tone="warn">No response now: {why}</Notice>
  const differences = before === undefined ? undefined : diffTexts(before.body, after.body)
  return (
    <>
      <div class="row">
        <strong>Now</strong>
        <Badge>{`HTTP ${after.status}`}</Badge>
        <span class="muted">{durationText(after.ms)}</span>
        {before === undefined ? null : (
          <span>
            {before.status === after.status ? 'the same status' : `recorded: HTTP ${before.status}`}
          </span>
        )}
      </div>
      {differences === undefined ? null : (
        <Diff
          label="Differences of the responses"
          sides={['Recorded', 'Now']}
          differences={differences}
        />
      )}
      <Body text={after.body} />
    </>
  )
}
