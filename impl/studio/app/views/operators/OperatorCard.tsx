import type { OperatorReport } from 'polgate-protocol/control/operators.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Button } from '../../ui/Button.tsx'
import { Chart } from '../../ui/chart/Chart.tsx'
import { Hex } from '../../ui/Hex.tsx'
import { durationText, Time } from '../../ui/Time.tsx'
import { activityChart } from './activityChart.ts'
import { type Action, actionsOf, actionTitles, agreementOf, faultText, shareOf } from './effect.ts'

/** One operator: its stake, what it did, and what can be done to it. */
export function OperatorCard(props: {
  readonly operator: OperatorReport
  readonly total: string | undefined
  /** Without it there are no buttons. */
  readonly onAction?: ((action: Action) => unknown) | undefined
  /** The pointer or the focus is on an action, or no longer. */
  readonly onPreview: (action: Action | undefined) => void
}) {
  const { operator, total, onAction, onPreview } = props
  const { index, address, running, registered, fault, pid, activity } = operator
  return (
    <article class="panel stack" aria-label={`Operator ${index}`}>
      <div class="row">
        <h2>Operator {index}</h2>
        <Badge tone={running ? 'good' : 'bad'}>{running ? 'running' : 'stopped'}</Badge>
        {fault.kind === 'none' ? null : <Badge tone="warn">{faultText(fault)}</Badge>}
        {registered === false ? <Badge tone="bad">not registered</Badge> : null}
        {pid === undefined ? null : <span class="muted">process {pid}</span>}
      </div>
      <Hex value={address} />
      <Stake stake={operator.stake} total={total} />
      {activity === undefined ? null : <Activity index={index} activity={activity} />}
      {onAction === undefined ? null : (
        <div class="row">
          {actionsOf(operator).map((action) => (
            <fieldset
              key={action}
              class="operator-action"
              aria-label={`${actionTitles[action]} operator ${index}`}
              onMouseEnter={() => onPreview(action)}
              onMouseLeave={() => onPreview(undefined)}
              onFocusIn={() => onPreview(action)}
              onFocusOut={() => onPreview(undefined)}
            >
              <Button
                small
                kind={action === 'stop' ? 'danger' : undefined}
                label={`${actionTitles[action]} operator ${index}`}
                onPress={() => onAction(action)}
              >
                {actionTitles[action]}
              </Button>
            </fieldset>
          ))}
        </div>
      )}
    </article>
  )
}

function Stake({
  stake,
  total,
}: {
  readonly stake: string | null
  readonly total?: string | undefined
}) {
  if (stake === null) return <span class="muted">stake unknown: the node does not answer</span>
  if (total === undefined) return <span>stake {stake}</span>
  const share = shareOf(stake, total)
  return (
    <div class="operator-quorum">
      <span>
        stake {stake} of {total} ({share} %)
      </span>
      <div
        class="operator-bar"
        role="meter"
        aria-label="Share of the stake"
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={share}
      >
        <div class="operator-bar-fill" style={{ width: `${share}%` }} />
      </div>
    </div>
  )
}

function Activity(props: {
  readonly index: number
  readonly activity: NonNullable<OperatorReport['activity']>
}) {
  const { index, activity } = props
  const { recent, p50, p99, agreed, differed, missed, reported } = activity
  const agreement = agreementOf(activity)
  const latency =
    p50 === null || p99 === null
      ? 'no signature yet'
      : `p50 ${durationText(p50)}, p99 ${durationText(p99)}`
  return (
    <dl class="operator-facts">
      <div>
        <dt>Signatures</dt>
        <dd>{latency}</dd>
      </div>
      <div>
        <dt>Agreement</dt>
        <dd>
          {agreement === undefined ? 'no task yet' : `${agreement} %`}
          <div class="muted">
            {agreed} agreed, {differed} differed, {missed} missed
          </div>
        </dd>
      </div>
      {recent.length === 0 ? null : (
        <div class="operator-data">
          <dt>Over time</dt>
          <dd>
            <Chart
              label={`Latency and agreement of operator ${index}`}
              summary={`The latest ${recent.length} tasks: ${latency}.`}
              data={activityChart(recent)}
            />
          </dd>
        </div>
      )}
      <div class="operator-data">
        <dt>Reported data</dt>
        <dd>
          {reported === null ? (
            <span class="muted">none yet</span>
          ) : (
            <>
              {reported.outputs.map((output) => (
                <pre key={output} tabIndex={0}>
                  {output}
                </pre>
              ))}
              <div class="muted">
                <Time at={reported.at} />, for client <Hex value={reported.policyClient} />
              </div>
            </>
          )}
        </dd>
      </div>
    </dl>
  )
}
