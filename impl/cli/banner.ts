import { wrapText } from 'polgate-lib/text/wrapText.ts'
import type { StackDescription } from 'polgate-protocol/stackDescription.ts'
import type { Colours } from './colours.ts'

/**
 * Text printed when a stack is ready: URLs, keys, accounts, contracts and an example call.
 *
 * @param columns of the terminal; lines are not broken without it
 */
export function banner(
  stack: StackDescription,
  facts: {
    readonly secretsPublicKey: string
    readonly privacyPublicKey: string
    readonly block: number
    readonly seconds: number
  },
  pc: Colours,
  columns?: number,
): string {
  const { chain, accounts, apiKeys } = stack
  const key = (name: keyof typeof apiKeys) => `${pc.dim(name)} ${apiKeys[name]}`
  const rows: [string, string[]][] = [
    ['gateway', [`${stack.gatewayUrl}/rpc`]],
    ...(stack.explorerUrl === undefined ? [] : [explorerRow(stack, pc)]),
    [
      'chain',
      [`${chain.rpcUrl}  ${pc.dim('id')} ${chain.chainId}  ${pc.dim('block')} ${facts.block}`],
    ],
    ...(stack.adminUrl === undefined ? [] : [adminRow(stack.adminUrl, pc)]),
    [
      'control',
      [`${stack.controlUrl}/operators   ${pc.dim('POST .../operators/0/stop, /chain/mine')}`],
    ],
    ...(stack.studioUrl === undefined ? [] : [['studio', [stack.studioUrl]] as [string, string[]]]),
    ['fixture host', [stack.fixtureHostUrl]],
    [
      'keys',
      [
        `${key('rpc')}  ${key('read')}  ${key('write')}`,
        `${key('none')}  ${key('expired')}  ${key('stranger')}`,
      ],
    ],
    [
      'seal to',
      [
        `${pc.dim('secrets')} ${facts.secretsPublicKey}`,
        `${pc.dim('privacy')} ${facts.privacyPublicKey}`,
      ],
    ],
    [
      'accounts',
      [
        `${pc.dim('owner')}  ${accounts.owner.address}  ${accounts.owner.privateKey}`,
        `${pc.dim('sender')} ${accounts.sender.address}  ${accounts.sender.privateKey}`,
      ],
    ],
    [
      'operators',
      stack.operators.map(({ address, stake }) => `${address}  ${pc.dim('stake')} ${stake}`),
    ],
    [
      'contracts',
      [
        `${pc.dim('task manager')}      ${chain.taskManager}`,
        `${pc.dim('operator registry')} ${chain.operatorRegistry}`,
      ],
    ],
    [
      'clients',
      Object.entries(stack.clients).map(([name, { policyClient }]) => `${policyClient}  ${name}`),
    ],
  ]
  const width = Math.max(...rows.map(([name]) => name.length)) + 2
  const lines = rows.flatMap(([name, values]) =>
    values.map((value, at) =>
      wrapText(`  ${at === 0 ? pc.bold(name.padEnd(width)) : ' '.repeat(width)}${value}`, columns),
    ),
  )
  return [
    '',
    ...lines,
    '',
    `  ${pc.bold('try')}`,
    '',
    curlExample(stack, columns),
    '',
    ...(stack.explorerUrl === undefined ? [] : [explorerExample(stack, columns), '']),
    wrapText(
      `  ${pc.green('ready')} in ${facts.seconds.toFixed(1)} s. All keys above are public: development only. Press Ctrl-C to stop.`,
      columns,
    ),
    '',
  ].join('\n')
}

const adminRow = (adminUrl: string, pc: Colours): [string, string[]] => [
  'admin',
  [`${adminUrl}   ${pc.dim('/readyz, /healthz, /metrics; polgate status shows them')}`],
]

function explorerRow(stack: StackDescription, pc: Colours): [string, string[]] {
  const others = Object.entries(stack.networks ?? {}).filter(([name]) => name !== 'testnet')
  return [
    'explorer',
    [
      `${stack.explorerUrl}/v1   ${pc.dim('docs')} ${stack.explorerUrl}/docs`,
      ...others.map(([name, { rpcUrl, chainId }]) => {
        const header = `${stack.brand.networkHeader}: ${name}`
        return `${pc.dim(header)}  ${rpcUrl}  ${pc.dim('id')} ${chainId}`
      }),
    ],
  ]
}

/** Lists tasks in the explorer. */
const explorerExample = (
  { explorerUrl, apiKeys }: StackDescription,
  columns: number = wide,
): string =>
  `curl -s '${explorerUrl}/v1/task?size=1' ${columns < wide ? '\\\n  ' : ''}-H 'x-api-key: ${apiKeys.read}'`

/** A terminal of fewer columns gets a line for each part of a command. */
const wide = 100

/** A curl command that creates a task for the policy `allow-list`. */
function curlExample(
  { gatewayUrl, apiKeys, clients, accounts, chain, brand }: StackDescription,
  columns = wide,
): string {
  const body = {
    jsonrpc: '2.0',
    id: '1',
    method: `${brand.methodPrefix}createTask`,
    params: {
      policy_client: clients['allow-list']!.policyClient,
      intent: {
        from: accounts.sender.address,
        to: accounts.recipient.address,
        value: '0x1',
        data: '0x',
        chain_id: `0x${chain.chainId.toString(16)}`,
        function_signature: '0x',
      },
    },
  }
  return [
    `curl -s ${gatewayUrl}/rpc \\`,
    ...(columns < wide
      ? [
          `  -H 'content-type: application/json' \\`,
          `  -H 'authorization: Bearer ${apiKeys.rpc}' \\`,
          `  -d '${JSON.stringify(body, undefined, 1)}'`,
        ]
      : [
          `  -H 'content-type: application/json' -H 'authorization: Bearer ${apiKeys.rpc}' \\`,
          `  -d '${JSON.stringify(body)}'`,
        ]),
  ].join('\n')
}
