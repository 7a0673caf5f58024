import type { Capability, DeclaredCapability } from '../core/check.ts'
import { Untestable } from '../core/conformanceError.ts'
import { type KeyName, keyVariable } from '../core/exchange.ts'
import type { Target } from '../core/target.ts'

/** A member of a target file: its name, or the name of its object and its own, and its value. */
type Member = { readonly at: readonly [string] | readonly [string, string]; readonly value: string }

const variable = (name: string) => `"\${${name}}"`

/** An object on one line; its values are written as they are given. */
const object = (values: Readonly<Record<string, string>>): string =>
  `{ ${Object.entries(values)
    .map(([name, value]) => `${name}: ${value}`)
    .join(', ')} }`

const account = (name: string): Member => ({
  at: ['accounts', name],
  value: object({
    address: variable(`${name.toUpperCase()}_ADDRESS`),
    privateKey: variable(`SVC_ACCOUNT_${name.toUpperCase()}`),
  }),
})

const chainMembers = {
  rpcUrl: variable('RPC_URL'),
  chainId: variable('CHAIN_ID'),
  taskManager: variable('TASK_MANAGER'),
  operatorRegistry: variable('OPERATOR_REGISTRY'),
}
const wholeChain: Member = { at: ['chain'], value: object(chainMembers) }
const inChain = (name: string, from: string): Member => ({
  at: ['chain', name],
  value: variable(from),
})
const url = (name: string, from: string): Member => ({ at: [name], value: variable(from) })
const control = url('controlUrl', 'CONTROL_URL')

const members: Readonly<
  Record<Exclude<Capability, `key:${string}` | `client:${string}` | DeclaredCapability>, Member>
> = {
  chain: wholeChain,
  'chain:dev': wholeChain,
  'operator-control': control,
  world: control,
  'limit-control': control,
  'key-control': control,
  operators: {
    at: ['operators'],
    value: `[${object({
      address: variable('OPERATOR_ADDRESS'),
      id: variable('OPERATOR_ID'),
      stake: variable('OPERATOR_STAKE'),
    })}]`,
  },
  sender: account('sender'),
  owner: account('owner'),
  stranger: account('stranger'),
  provider: account('provider'),
  'identity-registry': inChain('identityRegistry', 'IDENTITY_REGISTRY'),
  'confidential-registry': inChain('confidentialDataRegistry', 'CONFIDENTIAL_DATA_REGISTRY'),
  'fixture-host': url('fixtureHostUrl', 'FIXTURE_HOST_URL'),
  chaos: url('chaosUrl', 'CHAOS_URL'),
  websocket: url('updatesUrl', 'UPDATES_URL'),
  explorer: url('explorerUrl', 'EXPLORER_URL'),
  'second-network': {
    at: ['networks'],
    value: object({
      'base-sepolia': object({
        rpcUrl: variable('SECOND_RPC_URL'),
        chainId: variable('SECOND_CHAIN_ID'),
        taskManager: variable('SECOND_TASK_MANAGER'),
        policyFactory: variable('SECOND_POLICY_FACTORY'),
      }),
    }),
  },
  'webhook-receiver': {
    at: ['webhookReceiver'],
    value: object({ url: variable('WEBHOOK_URL'), port: variable('WEBHOOK_PORT') }),
  },
}

/** A client that was deployed with the contracts of a fixture; with a funded key the suite deploys it. */
const client = (name: string): Member => ({
  at: ['clients', name],
  value: object({
    fixture: name,
    policyClient: variable('POLICY_CLIENT'),
    policyAddress: variable('POLICY_ADDRESS'),
    policyId: variable('POLICY_ID'),
    policyData: '[]',
    exposesDomain: 'true',
    domain: '{ name: PolicyClient, version: "1" }',
    expireAfter: '100',
  }),
})

function memberOf(need: Capability): Member {
  const [kind, name = ''] = need.split(/:(.*)/s)
  if (kind === 'key') return { at: ['keys', name], value: variable(keyVariable(name as KeyName)) }
  if (kind === 'client') return client(name)
  return members[need as keyof typeof members]
}

/**
 * The line to add to a target file for a capability. Its variables are set in the environment, or
 * replaced by values where they are not secret. Where the target has the object of the line, the line
 * is one of that object.
 */
export function targetLine(
  need: Capability,
  target: Partial<Target> = {},
): { readonly below: string | undefined; readonly line: string } {
  const { at, value } = memberOf(need)
  const [top, name] = at
  if (name === undefined) return { below: undefined, line: `${top}: ${value}` }
  const known = target[top as keyof Target] as object | undefined
  if (known !== undefined && Object.keys(known).length > 0)
    return { below: top, line: `${name}: ${value}` }
  // The other members of a chain are required.
  const all = object({ ...(top === 'chain' ? chainMembers : {}), [name]: value })
  return { below: undefined, line: `${top}: ${all}` }
}

/** What is missing, and the line that adds it to the target file. */
export function lackingText(what: string, need: Capability, target: Partial<Target>): string {
  const { below, line } = targetLine(need, target)
  const place = below === undefined ? 'the target file' : `${below} of the target file`
  const deployed = need.startsWith('client:')
    ? ', or chain.policyFactory and chain.deployer, with which the suite deploys it'
    : ''
  return `${what}; add to ${place}: ${line}${deployed}`
}

/** The same, thrown by a check or by what it uses. */
export const lacking = (what: string, need: Capability, target: Partial<Target>): Untestable =>
  new Untestable(lackingText(what, need, target), { lacks: need })
