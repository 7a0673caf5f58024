import type { ClientDetail } from 'polgate-protocol/control/policies.ts'
import { useState } from 'preact/hooks'
import { control } from '../../data/control.ts'
import { usePolled } from '../../data/usePolled.ts'
import { hashOf } from '../../data/useRoute.ts'
import { Address } from '../../names/Address.tsx'
import { Badge } from '../../ui/Badge.tsx'
import { Hex } from '../../ui/Hex.tsx'
import { ErrorNotice, Notice } from '../../ui/Notice.tsx'
import { Tabs } from '../../ui/Tabs.tsx'
import { ClientHistory } from './ClientHistory.tsx'
import { Facts } from './Facts.tsx'
import { OtherPolicyForm } from './OtherPolicyForm.tsx'
import { OwnerForm } from './OwnerForm.tsx'
import { ParamsForm } from './ParamsForm.tsx'
import { PolicyFacts } from './PolicyFacts.tsx'

/** One policy client: its parameters and what they would change, policy, versions and owner. */
export function ClientPage({ address }: { readonly address: string }) {
  const { value, error, refresh } = usePolled(
    (signal) => control.get<ClientDetail>(`/clients/${address}`, signal),
    5_000,
    [address],
  )
  const [tab, setTab] = useState('params')
  if (value === undefined)
    return (
      <div class="stack">
        <h1>Client</h1>
        {error === undefined ? <p class="muted">Loading …</p> : <ErrorNotice error={error} />}
      </div>
    )
  const { policy, problem, owner, canChange, secrets } = value
  const missing = secrets.filter(({ state }) => state === 'missing').length
  return (
    <div class="stack">
      <h1>{value.name ?? 'Client'}</h1>
      <Facts
        facts={[
          ['Client', <Hex value={value.address} />],
          [
            'Policy',
            <Hex
              value={value.policyAddress}
              href={hashOf('policies', ['contracts', value.policyAddress])}
            />,
          ],
          ['Policy id', <Hex value={value.policyId} />],
          ['Owner', owner === null ? 'none' : <Address value={owner} />],
          ['Attestations are valid for', `${value.expireAfter} blocks`],
          [
            'Secrets',
            missing === 0 ? null : <Badge tone="bad">missing for {missing} of its sources</Badge>,
          ],
        ]}
      />
      {problem === null ? null : <Notice tone="bad">{problem}</Notice>}
      <div class="row">
        <a href={hashOf('tasks', [], { client: value.address })}>Tasks of this client</a>
        <a href={hashOf('playground', [], { client: value.address })}>
          Edit the policy in the playground
        </a>
      </div>
      <Tabs
        label="About the client"
        selected={tab}
        onSelect={setTab}
        tabs={[
          {
            id: 'params',
            title: 'Parameters',
            content: () => <ParamsForm client={value} onSet={refresh} />,
          },
          {
            id: 'policy',
            title: 'Policy and secrets',
            content: () =>
              policy === null ? (
                <p class="muted">The policy cannot be read.</p>
              ) : (
                <PolicyFacts policy={policy} secrets={secrets} />
              ),
          },
          {
            id: 'other',
            title: 'Set another policy',
            content: () => <OtherPolicyForm client={value} onSet={refresh} />,
          },
          {
            id: 'history',
            title: `Versions (${value.versions})`,
            content: () => <ClientHistory history={value.history} total={value.versions} />,
          },
          {
            id: 'owner',
            title: 'Owner',
            content: () => <OwnerForm client={value} canChange={canChange} onSet={refresh} />,
          },
        ]}
      />
    </div>
  )
}
