import type {
  ClientDetail,
  ControlPage,
  PolicyDetail,
  PolicySummary,
} from 'polgate-protocol/control/policies.ts'
import { useState } from 'preact/hooks'
import { control } from '../../data/control.ts'
import { usePolled } from '../../data/usePolled.ts'
import { Address } from '../../names/Address.tsx'
import { DataTable } from '../../ui/DataTable.tsx'
import { SelectField, TextField } from '../../ui/Field.tsx'
import { Hex, shortHex } from '../../ui/Hex.tsx'
import { ErrorNotice, Notice } from '../../ui/Notice.tsx'
import { Unchangeable } from './OwnerForm.tsx'
import { ParamsForm } from './ParamsForm.tsx'
import { type PolicyChange, policyChanges } from './policyChanges.ts'

/** Deployed policies that can be chosen; others by their address. */
const mostChoices = 100
const isAddress = (text: string): boolean => /^0x[0-9a-fA-F]{40}$/.test(text)

/** Gives a client another deployed policy: who may, what differs, what it would have decided. */
export function OtherPolicyForm(props: {
  readonly client: ClientDetail
  readonly onSet: () => void
}) {
  const { client, onSet } = props
  const [address, setAddress] = useState('')
  const deployed = usePolled(
    (signal) =>
      control.get<ControlPage<PolicySummary>>(`/policies?page=1&size=${mostChoices}`, signal),
    10_000,
  )
  const choices = deployed.value?.results ?? []
  const known = choices.find((each) => each.address.toLowerCase() === address.toLowerCase())
  if (!client.canChange) return <Unchangeable client={client} />
  return (
    <div class="stack">
      <p>
        Only the owner may set another policy: <Address value={client.owner ?? ''} />, a development
        account of this stack, which signs.
      </p>
      <div class="columns">
        <SelectField
          label="A deployed policy"
          value={known?.address ?? ''}
          options={[
            { value: '', text: 'choose …' },
            ...choices.map((each) => ({
              value: each.address,
              text: `${each.name ?? 'without a name'} ${each.version}, ${shortHex(each.address)}`,
            })),
          ]}
          onChange={setAddress}
        />
        <TextField
          label="Or its address"
          value={address}
          placeholder="0x…"
          onChange={(text) => setAddress(text.trim())}
          error={address === '' || isAddress(address) ? undefined : 'This is not an address.'}
        />
      </div>
      <ErrorNotice error={deployed.error} />
      {isAddress(address) ? <Chosen key={address} {...{ address, client, onSet }} /> : null}
    </div>
  )
}

function Chosen(props: {
  readonly address: string
  readonly client: ClientDetail
  readonly onSet: () => void
}) {
  const { address, client, onSet } = props
  const { value: policy, error } = usePolled(
    (signal) => control.get<PolicyDetail>(`/policies/${address}`, signal),
    30_000,
  )
  if (policy === undefined)
    return error === undefined ? <p class="muted">Loading …</p> : <ErrorNotice error={error} />
  const changes = policyChanges(client.policy, policy)
  if (changes.length === 0) return <Notice>The client has this policy.</Notice>
  const isPresent = (source: string) =>
    client.secrets.some((each) => each.policyDataAddress === source && each.state === 'present')
  const secret = policy.sources.filter((each) => each.secretsSchemaCid !== '')
  const missing = secret.filter((each) => !isPresent(each.address)).length
  const hasOtherOracles = changes.some(({ name }) => name === 'Oracles')
  return (
    <>
      <DataTable
        label="What changes"
        rows={changes}
        columns={[
          { title: 'What changes', cell: ({ name }: PolicyChange) => name },
          { title: 'Now', cell: ({ now }) => <Fact value={now} /> },
          { title: 'Then', cell: ({ next }) => <Fact value={next} /> },
        ]}
        keyOf={({ name }) => name}
      />
      {missing === 0 ? null : (
        <Notice tone="warn">
          {missing} of its oracles need secrets: tasks fail until this client has stored them.
        </Notice>
      )}
      {hasOtherOracles ? (
        <Notice tone="warn">
          It has other oracles: below, past tasks are decided with the data of those that the client
          has now.
        </Notice>
      ) : null}
      <ParamsForm client={client} other={policy} onSet={onSet} />
    </>
  )
}

const Fact = ({ value }: { readonly value: string | null }) =>
  value === null ? (
    <span class="muted">none</span>
  ) : value.startsWith('0x') ? (
    <Hex value={value} />
  ) : (
    <code>{value}</code>
  )
