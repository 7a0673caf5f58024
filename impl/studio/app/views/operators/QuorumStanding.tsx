import type {
  QuorumReport,
  QuorumStanding as Standing,
} from 'polgate-protocol/control/operators.ts'
import { Badge } from '../../ui/Badge.tsx'
import { shareOf } from './effect.ts'

/** The stake that signs truthfully, and the threshold: now, or after an action. */
export function QuorumStanding(props: {
  readonly title: string
  readonly quorum: QuorumReport
  readonly standing: Standing
}) {
  const { title, quorum, standing } = props
  const { total, required, threshold } = quorum
  const share = shareOf(standing.stake, total)
  return (
    <div class="operator-quorum">
      <div class="row">
        <strong class="grow">{title}</strong>
        <span>
          {standing.stake} of {total}, {required} required
        </span>
        <Badge tone={standing.holds ? 'good' : 'bad'}>
          {standing.holds ? 'quorum holds' : 'no quorum'}
        </Badge>
      </div>
      <div
        class="operator-bar"
        role="meter"
        aria-label={`${title}: stake that signs`}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={share}
        aria-valuetext={`${standing.stake} of ${total}`}
      >
        <div
          class={`operator-bar-fill ${standing.holds ? 'good' : 'bad'}`}
          style={{ width: `${share}%` }}
        />
        <div class="operator-bar-mark" style={{ left: `${threshold}%` }} />
      </div>
    </div>
  )
}
