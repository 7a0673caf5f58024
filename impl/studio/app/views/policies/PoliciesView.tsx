import { target } from '../../data/target.ts'
import { hashOf, navigate } from '../../data/useRoute.ts'
import { Notice } from '../../ui/Notice.tsx'
import { Tabs } from '../../ui/Tabs.tsx'
import type { ViewProps } from '../../viewProps.ts'
import { ClientList } from './ClientList.tsx'
import { ClientPage } from './ClientPage.tsx'
import { PolicyList } from './PolicyList.tsx'
import { PolicyPage } from './PolicyPage.tsx'

/** `#/policies`, `#/policies/clients/ADDRESS` and `#/policies/contracts/ADDRESS`. */
export function PoliciesView({ route }: ViewProps) {
  const [list = 'clients', address] = route.rest
  if (!target().has.control)
    return (
      <div class="stack">
        <h1>Policies and clients</h1>
        <Notice>Policies and clients are shown for a local stack only.</Notice>
      </div>
    )
  if (address !== undefined)
    return (
      <div class="stack">
        <p>
          <a href={hashOf('policies', [list])}>
            All {list === 'contracts' ? 'policies' : 'clients'}
          </a>
        </p>
        {list === 'contracts' ? (
          <PolicyPage key={address} address={address} />
        ) : (
          <ClientPage key={address} address={address} />
        )}
      </div>
    )
  return (
    <div class="stack">
      <h1>Policies and clients</h1>
      <Tabs
        label="Lists"
        selected={list}
        onSelect={(id) => navigate(hashOf('policies', [id]))}
        tabs={[
          { id: 'clients', title: 'Clients', content: () => <ClientList /> },
          { id: 'contracts', title: 'Policies', content: () => <PolicyList /> },
        ]}
      />
    </div>
  )
}
