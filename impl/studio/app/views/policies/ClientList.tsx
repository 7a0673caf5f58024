import type { ClientSummary, ControlPage } from 'polgate-protocol/control/policies.ts'
import { useState } from 'preact/hooks'
import { control } from '../../data/control.ts'
import { usePolled } from '../../data/usePolled.ts'
import { hashOf } from '../../data/useRoute.ts'
import { DataTable, Pages } from '../../ui/DataTable.tsx'
import { Hex } from '../../ui/Hex.tsx'
import { Empty, ErrorNotice } from '../../ui/Notice.tsx'

const size = 50

/** Policy clients, those whose policy was set last first. */
export function ClientList() {
  const [page, setPage] = useState(1)
  const { value, error } = usePolled(
    (signal) =>
      control.get<ControlPage<ClientSummary>>(`/clients?page=${page}&size=${size}`, signal),
    5_000,
    [page],
  )
  if (value === undefined)
    return error === undefined ? <p class="muted">Loading …</p> : <ErrorNotice error={error} />
  if (value.total === 0)
    return <Empty>No client has a policy yet: publish one with `polgate policy publish`.</Empty>
  return (
    <div class="stack">
      <DataTable
        label="Clients"
        rows={value.results}
        keyOf={({ address }) => address}
        columns={[
          {
            title: 'Client',
            cell: ({ address, name }) => (
              <Hex
                value={address}
                href={hashOf('policies', ['clients', address])}
                {...(name === null ? {} : { name })}
              />
            ),
          },
          {
            title: 'Policy',
            cell: ({ policyAddress }) => (
              <Hex value={policyAddress} href={hashOf('policies', ['contracts', policyAddress])} />
            ),
          },
          { title: 'Policy id', cell: ({ policyId }) => <Hex value={policyId} /> },
          { title: 'Versions', cell: ({ versions }) => versions },
          { title: 'Set in block', cell: ({ setInBlock }) => setInBlock },
        ]}
      />
      <Pages page={page} size={size} total={value.total} onPage={setPage} />
    </div>
  )
}
