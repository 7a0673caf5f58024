import type { QuorumReport, QuorumStanding } from 'polgate-protocol/control/operators.ts'
import { Badge } from '../../ui/Badge.tsx'
import { shareOf } from './effect.ts'

/** The stake that signs truthfully, the threshold, and the effect of the action in question. */
export const QuorumMeter = (props: {
  readonly quorum: QuorumReport
  readonly after?: { readonly text: string; readonly standing: QuorumStanding } | undefined
}) => (
  <section class="panel stack" aria-label="Quorum">
    <Standing title="Now" quorum={props.quorum} standing={props.quorum.now} />
    <Standing
      title={props.after === undefined ? 'After' : `After: ${props.after.text}`}
      quorum={props.quorum}
      standing={props.after?.standing}
    />
  </section>
)

function Standing(props: {
  readonly title: string
  readonly quorum: QuorumReport
  readonly standing: QuorumStanding | undefined
}) {
  const { title, quorum, standing } = props
  const { total, required, threshold } = quorum
  const share = standing === undefined ? 0 : shareOf(standing.stake, total)
  return (
    <div class="operator-quorum">
      <div class="row">
        <strong class="grow">{title}</strong>
        {standing === undefined ? (
          <span class="muted">point at an action</span>
        ) : (
          <>
            <span>
              {standing.stake} of {total}, {required} required
            </span>
            <Badge tone={standing.holds ? 'good' : 'bad'}>
              {standing.holds ? 'quorum holds' : 'no quorum'}
            </Badge>
          </>
        )}
      </div>
      <div
        class="operator-bar"
        role="meter"
        aria-label={`${title}: stake that signs`}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={share}
        aria-valuetext={`${standing?.stake ?? 'none'} of ${total}`}
      >
        <div
          class={`operator-bar-fill ${standing?.holds === false ? 'bad' : 'good'}`}
          style={{ width: `${share}%` }}
        />
        <div class="operator-bar-mark" style={{ left: `${threshold}%` }} />
      </div>
    </div>
  )
}
