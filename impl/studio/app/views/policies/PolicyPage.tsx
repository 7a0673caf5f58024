import type { PolicyDetail } from 'polgate-protocol/control/policies.ts'
import { control } from '../../data/control.ts'
import { usePolled } from '../../data/usePolled.ts'
import { ErrorNotice } from '../../ui/Notice.tsx'
import { PolicyFacts } from './PolicyFacts.tsx'

/** One policy contract. */
export function PolicyPage({ address }: { readonly address: string }) {
  const { value, error } = usePolled(
    (signal) => control.get<PolicyDetail>(`/policies/${address}`, signal),
    30_000,
    [address],
  )
  return (
    <div class="stack">
      <h1>{value?.name ?? 'Policy'}</h1>
      <ErrorNotice error={error} />
      {value === undefined ? null : <PolicyFacts policy={value} secrets={[]} />}
    </div>
  )
}
