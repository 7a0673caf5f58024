import type { ClientVersion } from 'polgate-protocol/control/policies.ts'
import { Badge } from '../../ui/Badge.tsx'
import { DataTable } from '../../ui/DataTable.tsx'
import { Hex } from '../../ui/Hex.tsx'
import { memberTexts } from './params/memberTexts.ts'

/** The policies and parameters that a client had, the newest first. */
export const ClientHistory = (props: {
  readonly history: readonly ClientVersion[]
  readonly total: number
}) => (
  <div class="stack">
    {props.total > props.history.length ? (
      <p class="muted">
        The latest {props.history.length} of {props.total}.
      </p>
    ) : null}
    <DataTable
      label="Versions"
      rows={props.history}
      keyOf={({ transactionHash, policyId }) => `${transactionHash} ${policyId}`}
      columns={[
        {
          title: 'Block',
          cell: ({ block, current }) => (
            <span>
              {block} {current ? <Badge tone="good">current</Badge> : null}
            </span>
          ),
        },
        { title: 'Policy', cell: ({ policyAddress }) => <Hex value={policyAddress} /> },
        { title: 'Policy id', cell: ({ policyId }) => <Hex value={policyId} /> },
        {
          title: 'Changed parameters',
          cell: (version) => <Changes version={version} before={olderOf(props.history, version)} />,
        },
        { title: 'Valid for', cell: ({ expireAfter }) => `${expireAfter} blocks` },
        { title: 'Transaction', cell: ({ transactionHash }) => <Hex value={transactionHash} /> },
      ]}
    />
  </div>
)

const olderOf = (history: readonly ClientVersion[], version: ClientVersion) =>
  history[history.indexOf(version) + 1]

/** The members that differ from the version before, of the oldest one all of them. */
function Changes(props: {
  readonly version: ClientVersion
  readonly before: ClientVersion | undefined
}) {
  const now = memberTexts(props.version.params)
  if (now === undefined) return <code>{props.version.params.slice(0, 200)}</code>
  const before = new Map(memberTexts(props.before?.params ?? '{}') ?? [])
  const names = new Set([...before.keys(), ...now.map(([name]) => name)])
  const texts = new Map(now)
  const changed = [...names].filter((name) => before.get(name) !== texts.get(name))
  if (changed.length === 0) return <span class="muted">none</span>
  return (
    <code>
      {changed.map((name) => (
        <div key={name}>
          {name}:{' '}
          {props.before === undefined || !before.has(name) ? null : <s>{before.get(name)}</s>}{' '}
          {texts.get(name) ?? 'removed'}
        </div>
      ))}
    </code>
  )
}
