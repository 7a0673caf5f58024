import type { OperatorReport } from 'polgate-protocol/control/operators.ts'
import { hashOf } from '../../data/useRoute.ts'
import { Badge } from '../../ui/Badge.tsx'
import { type Column, DataTable } from '../../ui/DataTable.tsx'
import { Hex } from '../../ui/Hex.tsx'
import { durationText } from '../../ui/Time.tsx'
import { type Action, actionsOf, actionTitles, agreementOf, faultText, shareOf } from './effect.ts'

/** The operators, a row each, with what can be done to them. */
export const OperatorTable = (props: {
  readonly operators: readonly OperatorReport[]
  /** The whole stake. */
  readonly total: string | undefined
  readonly selected: string | undefined
  readonly onAction: (operator: OperatorReport, action: Action) => void
}) => (
  <DataTable
    label="Operators"
    rows={props.operators}
    columns={columnsFor(props.total, props.onAction)}
    keyOf={({ index }) => String(index)}
    selected={props.selected}
  />
)

const columnsFor = (
  total: string | undefined,
  onAction: (operator: OperatorReport, action: Action) => void,
): readonly Column<OperatorReport>[] => [
  {
    title: 'Operator',
    cell: ({ index, address }) => (
      <Hex value={address} name={`operator ${index}`} href={hashOf('operators', [String(index)])} />
    ),
  },
  { title: 'State', cell: (operator) => <State operator={operator} /> },
  {
    title: 'Stake',
    cell: ({ stake }) =>
      stake === null
        ? 'unknown: the node does not answer'
        : `${stake}${total === undefined ? '' : ` (${shareOf(stake, total)} %)`}`,
  },
  { title: 'Signatures', cell: ({ activity }) => latencyText(activity) },
  {
    title: 'Agreement',
    cell: ({ activity }) => {
      const agreement = agreementOf(activity)
      if (activity === undefined || agreement === undefined) return 'no task yet'
      const { differed, missed } = activity
      return `${agreement} %: ${differed} differed, ${missed} missed`
    },
  },
  {
    title: 'Action',
    cell: (operator) => (
      <select
        aria-label={`Action on operator ${operator.index}`}
        value=""
        onChange={({ currentTarget }) => {
          onAction(operator, currentTarget.value as Action)
          currentTarget.value = ''
        }}
      >
        <option value="">Choose …</option>
        {actionsOf(operator).map((action) => (
          <option key={action} value={action}>
            {actionTitles[action]}
          </option>
        ))}
      </select>
    ),
  },
]

function State({ operator }: { readonly operator: OperatorReport }) {
  const { running, fault, registered, pid } = operator
  return (
    <>
      <Badge tone={running ? 'good' : 'bad'}>{running ? 'running' : 'stopped'}</Badge>{' '}
      {fault.kind === 'none' ? null : <Badge tone="warn">{faultText(fault)}</Badge>}{' '}
      {registered === false ? <Badge tone="bad">not registered</Badge> : null}{' '}
      {pid === undefined ? null : <span class="muted">process {pid}</span>}
    </>
  )
}

/** How long its signatures take. */
export function latencyText(activity: OperatorReport['activity']): string {
  const { p50 = null, p99 = null } = activity ?? {}
  return p50 === null || p99 === null
    ? 'none yet'
    : `p50 ${durationText(p50)}, p99 ${durationText(p99)}`
}
