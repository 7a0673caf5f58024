import type { ControlPage, PolicySummary } from 'polgate-protocol/control/policies.ts'
import { useState } from 'preact/hooks'
import { control } from '../../data/control.ts'
import { usePolled } from '../../data/usePolled.ts'
import { hashOf } from '../../data/useRoute.ts'
import { Badge } from '../../ui/Badge.tsx'
import { DataTable, Pages } from '../../ui/DataTable.tsx'
import { Hex } from '../../ui/Hex.tsx'
import { Empty, ErrorNotice } from '../../ui/Notice.tsx'

const size = 50

/** Deployed policies, the newest first. */
export function PolicyList() {
  const [page, setPage] = useState(1)
  const { value, error } = usePolled(
    (signal) =>
      control.get<ControlPage<PolicySummary>>(`/policies?page=${page}&size=${size}`, signal),
    5_000,
    [page],
  )
  if (value === undefined)
    return error === undefined ? <p class="muted">Loading …</p> : <ErrorNotice error={error} />
  if (value.total === 0)
    return <Empty>No policy is deployed yet: publish one with `polgate policy publish`.</Empty>
  return (
    <div class="stack">
      <DataTable
        label="Policies"
        rows={value.results}
        keyOf={({ address }) => address}
        columns={[
          {
            title: 'Policy',
            cell: ({ address, name }) => (
              <Hex
                value={address}
                href={hashOf('policies', ['contracts', address])}
                {...(name === null ? {} : { name })}
              />
            ),
          },
          { title: 'Version', cell: ({ version }) => version },
          { title: 'Entrypoint', cell: ({ entrypoint }) => <code>{entrypoint}</code> },
          { title: 'Source', cell: ({ verified }) => <Verified verified={verified} /> },
          { title: 'Clients', cell: ({ clients }) => clients },
          {
            title: 'Owner',
            cell: ({ owner }) => (owner === null ? '–' : <Hex value={owner} />),
          },
        ]}
      />
      <Pages page={page} size={size} total={value.total} onPage={setPage} />
    </div>
  )
}

/** Whether the source was found and compiles. */
export const Verified = ({ verified }: { readonly verified: boolean | null }) =>
  verified === null ? (
    <span class="muted">not checked</span>
  ) : (
    <Badge tone={verified ? 'good' : 'bad'}>{verified ? 'compiles' : 'does not compile'}</Badge>
  )
