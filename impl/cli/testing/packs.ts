/** Policies as their publishers lay them out, and what an author adds after the import. */
export type Pack = {
  /** Files of the publisher. */
  readonly source: Readonly<Record<string, unknown>>
  /** Files that are written by hand. */
  readonly written: { readonly 'mocks.yaml': string; readonly 'cases.yaml': string }
}

const sender = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const recipient = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
const intent = {
  ...{ from: sender, to: recipient, value: 1_000_000_000, data: '0x' },
  ...{ chainId: 31337, functionSignature: '0x' },
}

/** An oracle that answers with what `read` returns, or with an error. */
const oracle = (id: string, read: string, imports = '') => `${imports}
import { fetch } from 'acme:provider/http@0.2.0'

const decoder = new TextDecoder()

function call(url, body) {
  const response = fetch({
    url,
    method: body === undefined ? 'GET' : 'POST',
    headers: [['content-type', 'application/json']],
    body: body === undefined ? undefined : new TextEncoder().encode(JSON.stringify(body)),
  })
  if (response.status !== 200) throw new Error('the host answered ' + response.status)
  return JSON.parse(decoder.decode(response.body))
}

${read}

export function run(input) {
  try {
    return JSON.stringify({ ${id}: read(JSON.parse(input || '{}')) })
  } catch (error) {
    return JSON.stringify({ ${id}: { error: String(error?.payload ?? error?.message ?? error) } })
  }
}
`

const policy = (...rules: readonly string[]) =>
  ['package policy', 'default allow := false', 'allow if count(deny) == 0', ...rules].join('\n\n')

const plainOnly = 'deny contains "calls are not allowed" if not input.data == "0x"'

/** Parameters in a manifest, with their schema. */
const guard: Pack = {
  source: {
    'policy.rego': policy(
      plainOnly,
      'deny contains "value exceeds the limit" if not within',
      'deny contains "the market is closed" if not data.wasm.market.open == true',
      'within if input.value <= data.params.max_gwei * 1000000000',
    ),
    'policy.js': oracle(
      'market',
      "const read = ({ market }) => ({ open: call('https://markets.example.com/v1/' + market).open })",
    ),
    'manifest.json': {
      ...{ name: 'Guard', version: '1.2.0' },
      params_schema: {
        type: 'object',
        properties: { max_gwei: { type: 'integer', minimum: 1, default: 5 } },
        required: ['max_gwei'],
      },
    },
    'wasm_args.json': { market: 'eth' },
    'intent.json': intent,
  },
  written: {
    'mocks.yaml': 'hosts: { markets.example.com: { /v1/eth: { json: { open: true } } } }\n',
    'cases.yaml': `cases:
  - { name: an open market, expect: allow }
  - name: a closed market
    mocks: { markets.example.com: { /v1/eth: { json: { open: false } } } }
    expect: { deny: [the market is closed] }
`,
  },
}

/** Two oracles with the same argument. */
const rates: Pack = {
  source: {
    'policy.rego': policy(
      plainOnly,
      'deny contains "the rates differ" if not close',
      'close if abs(data.wasm.spot.rate - data.wasm.mean.rate) <= data.wasm.mean.rate / 50',
    ),
    ...Object.fromEntries(
      ['spot', 'mean'].flatMap((id) => [
        [
          `oracles/${id}/oracle.js`,
          oracle(
            id,
            `const read = ({ pair }) => ({ rate: call('https://${id}.example.com/rate?pair=' + pair).rate })`,
          ),
        ],
        [`oracles/${id}/wasm_args.json`, { pair: 'ETH-USD' }],
      ]),
    ),
    'intent.json': intent,
  },
  written: {
    'mocks.yaml': `hosts:
  spot.example.com: { /rate?pair=ETH-USD: { json: { rate: 2000 } } }
  mean.example.com: { /rate?pair=ETH-USD: { json: { rate: 2010 } } }
`,
    'cases.yaml': `cases:
  - { name: close rates, expect: allow }
  - name: rates that differ
    mocks: { spot.example.com: { /rate?pair=ETH-USD: { json: { rate: 2100 } } } }
    expect: { deny: [the rates differ] }
`,
  },
}

/** A host that is a secret. */
const tenant: Pack = {
  source: {
    'policy.rego': policy(
      plainOnly,
      'deny contains "the recipient is not cleared" if not cleared',
      'cleared if {\n\tdata.wasm.screening.address == input.to\n\tdata.wasm.screening.cleared == true\n}',
    ),
    'policy.js': oracle(
      'screening',
      `function read({ address }) {
  const { SCREENING_URL: url } = JSON.parse(decoder.decode(get().value))
  return { address, cleared: call(url + '/v2/' + address).cleared }
}`,
      "import { get } from 'acme:provider/secrets@0.2.0'",
    ),
    'secrets_schema.json': {
      type: 'object',
      properties: { SCREENING_URL: { type: 'string' } },
      required: ['SCREENING_URL'],
    },
    'secrets.json': { SCREENING_URL: 'https://tenant-7.example.com' },
    'wasm_args.json': { address: recipient.toLowerCase() },
    'intent.json': intent,
  },
  written: {
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the placeholder
    'mocks.yaml': 'hosts: { "${secret:SCREENING_URL}": { /v2/*: { json: { cleared: true } } } }\n',
    'cases.yaml': `cases:
  - { name: a cleared recipient, expect: allow }
  - name: another recipient
    intent: { to: "${sender}" }
    expect: { deny: [the recipient is not cleared] }
`,
  },
}

/** One path for all calls of JSON-RPC. */
const chain: Pack = {
  source: {
    'policy.rego': policy(
      plainOnly,
      'deny contains "the recipient is not funded" if not funded',
      'funded if {\n\tdata.wasm.balance.block >= 10\n\tdata.wasm.balance.gwei >= 7\n}',
    ),
    'policy.js': oracle(
      'balance',
      `function read({ account }) {
  const rpc = (id, method, params) =>
    Number(call('https://rpc.example.com/', { jsonrpc: '2.0', id, method, params }).result)
  return {
    block: rpc(1, 'eth_blockNumber', []),
    gwei: rpc(2, 'eth_getBalance', [account, 'latest']) / 1e9,
  }
}`,
    ),
    'wasm_args.json': { account: recipient },
    'intent.json': intent,
  },
  written: {
    'mocks.yaml': `hosts:
  rpc.example.com:
    POST /:
      - { when: { json: { method: eth_blockNumber } }, json: { jsonrpc: "2.0", id: 1, result: "0x10" } }
      - { when: { json: { method: eth_getBalance } }, json: { jsonrpc: "2.0", id: 2, result: "0x2540be400" } }
`,
    'cases.yaml': `cases:
  - { name: a funded recipient, expect: allow }
  - name: a recipient without funds
    mocks:
      rpc.example.com: { POST /: { when: { json: { method: eth_getBalance } }, json: { id: 2, result: "0x0" } } }
    expect: { deny: [the recipient is not funded] }
`,
  },
}

export const packs = { guard, rates, tenant, chain } as const
