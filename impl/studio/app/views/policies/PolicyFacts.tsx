import type {
  Content,
  PolicyDetail,
  PolicySourceView,
  SecretsState,
} from 'polgate-protocol/control/policies.ts'
import { hashOf } from '../../data/useRoute.ts'
import { Badge, type Tone } from '../../ui/Badge.tsx'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { DataTable } from '../../ui/DataTable.tsx'
import { Hex } from '../../ui/Hex.tsx'
import { Empty, Notice } from '../../ui/Notice.tsx'
import { Facts } from './Facts.tsx'
import { Verified } from './PolicyList.tsx'

const tones: Readonly<Record<SecretsState['state'], Tone>> = {
  present: 'good',
  missing: 'bad',
  'not needed': 'neutral',
}

/** What a policy is made of. @param props.secrets of a client, where one is shown */
export function PolicyFacts(props: {
  readonly policy: PolicyDetail
  readonly secrets: readonly SecretsState[]
}) {
  const { policy, secrets } = props
  const stateOf = (address: string) =>
    secrets.find(({ policyDataAddress }) => policyDataAddress === address)?.state
  const secretsColumn = {
    title: 'Secrets',
    cell: ({ address }: PolicySourceView) => {
      const state = stateOf(address)
      return state === undefined ? '–' : <Badge tone={tones[state]}>{state}</Badge>
    },
  }
  return (
    <div class="stack">
      <Facts
        facts={[
          [
            'Policy',
            <Hex value={policy.address} href={hashOf('policies', ['contracts', policy.address])} />,
          ],
          ['Version', policy.version],
          ['Entrypoint', <code>{policy.entrypoint}</code>],
          ['Owner', policy.owner === null ? 'none' : <Hex value={policy.owner} />],
          ['Source', <Verified verified={policy.verified} />],
          ['Clients', policy.clients],
          ['Author', policy.author],
          ['Description', policy.description],
        ]}
      />
      <h2>Data sources</h2>
      {policy.sources.length === 0 ? (
        <Empty>This policy uses no oracles.</Empty>
      ) : (
        <DataTable
          label="Data sources"
          rows={policy.sources}
          keyOf={({ address }) => address}
          columns={[
            { title: 'PolicyData', cell: ({ address }) => <Hex value={address} /> },
            { title: 'Oracle', cell: ({ wasmCid }) => <Hex value={wasmCid} /> },
            {
              title: 'Secrets schema',
              cell: ({ secretsSchemaCid: cid }) => (cid === '' ? 'none' : <Hex value={cid} />),
            },
            ...(secrets.length === 0 ? [] : [secretsColumn]),
            { title: 'Valid for', cell: ({ expireAfter }) => `${expireAfter} blocks` },
            { title: 'Version', cell: ({ version }) => version },
          ]}
        />
      )}
      <ContentPart title="Rego source" content={policy.source} />
      {policy.paramsSchema === null ? null : (
        <ContentPart title="Schema of the parameters" content={policy.paramsSchema} />
      )}
    </div>
  )
}

function ContentPart(props: { readonly title: string; readonly content: Content }) {
  const { cid, text, problem } = props.content
  return (
    <details>
      <summary>{props.title}</summary>
      <div class="stack">
        <div class="row">
          <Hex value={cid} />
          {text === null ? null : <CopyButton text={() => text} label="Copy" />}
        </div>
        {text === null ? (
          <Notice tone="warn">{problem}</Notice>
        ) : (
          <pre class="panel" tabIndex={0}>
            {text}
          </pre>
        )}
      </div>
    </details>
  )
}
