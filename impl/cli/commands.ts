import type { Commands } from './commandDefinition.ts'
import { regoCommands } from './regoCommands.ts'
import { suiteCommands } from './suite/commands.ts'
import { developerCommands } from './suite/developerCommands.ts'

/** All commands of `polgate`, in the order of the help text. */
export const commands: Commands = {
  start: {
    summary: 'start a local stack: chain, contracts, operators, gateway',
    group: 'Local stack',
    isCommon: true,
    load: async () => (await import('./start.ts')).start,
  },
  dev: {
    summary: 'publish a policy package on a local stack after every save',
    group: 'Local stack',
    isCommon: true,
    load: async () => (await import('./dev.ts')).dev,
  },
  status: {
    summary: 'show whether a stack or gateway is ready, and what is degraded',
    group: 'Local stack',
    isCommon: true,
    load: async () => (await import('./status.ts')).status,
  },
  studio: {
    summary: 'show a gateway in the browser, read-only',
    group: 'Local stack',
    isCommon: true,
    load: async () => (await import('./studio.ts')).studio,
  },
  chain: {
    summary: 'mine blocks, move a local stack in time, write ABIs',
    group: 'Local stack',
    isCommon: true,
    load: async () => (await import('./chain.ts')).chain,
  },
  snapshot: {
    summary: 'save database, contents and chain to a file, and restore them',
    group: 'Local stack',
    load: async () => (await import('./snapshot.ts')).snapshot,
  },
  ...suiteCommands,
  ...developerCommands,
  policy: {
    summary: 'write, test, simulate and publish policies',
    group: 'Policy authors',
    isCommon: true,
    load: async () => (await import('./policy.ts')).policy,
  },
  secrets: {
    summary: 'check, seal and store the secrets of oracles',
    group: 'Policy authors',
    isCommon: true,
    load: async () => (await import('./secrets.ts')).secrets,
  },
  task: {
    summary: 'create, follow, spend and explain tasks',
    group: 'Policy authors',
    isCommon: true,
    load: async () => (await import('./task.ts')).task,
  },
  webhooks: {
    summary: 'receive, forward and cause failure notifications',
    group: 'Policy authors',
    isCommon: true,
    load: async () => (await import('./webhooks.ts')).webhooks,
  },
  oracle: {
    summary: 'build the component of an oracle',
    group: 'Policy authors',
    load: async () => (await import('./oracle.ts')).oracle,
  },
  identity: {
    summary: 'seal, register, link and revoke identities that policies read',
    group: 'Policy authors',
    load: async () => (await import('./identity.ts')).identity,
  },
  confidential: {
    summary: 'publish, grant and choose confidential data that policies read',
    group: 'Policy authors',
    load: async () => (await import('./confidential.ts')).confidential,
  },
  'policy-data': {
    summary: 'simulate an oracle in its sandbox',
    group: 'Policy authors',
    load: async () => (await import('./policyData.ts')).policyData,
  },
  content: {
    summary: 'store and read files by content id (IPFS CID)',
    group: 'Policy authors',
    load: async () => (await import('./content.ts')).content,
  },
  serve: {
    summary: 'run a gateway on an existing chain and contracts',
    group: 'Operations',
    isCommon: true,
    load: async () => (await import('./serve.ts')).serve,
  },
  operator: {
    summary: 'run one operator as a separate process',
    group: 'Operations',
    isCommon: true,
    load: async () => (await import('./operator.ts')).operator,
  },
  keys: {
    summary: 'create, rotate, delete and list API keys',
    group: 'Operations',
    isCommon: true,
    load: async () => (await import('./keys.ts')).keys,
  },
  indexer: {
    summary: 'index the chains for the explorer in a separate process',
    group: 'Operations',
    load: async () => (await import('./indexer.ts')).indexer,
  },
  key: {
    summary: 'refresh, reshare, recover and back up the key that operators share',
    group: 'Operations',
    load: async () => (await import('./key.ts')).key,
  },
  db: {
    summary: 'migrate a database, or show its status',
    group: 'Operations',
    load: async () => (await import('./db.ts')).db,
  },
  version: {
    summary: 'print versions, and check the compatibility of a policy',
    group: 'Operations',
    load: async () => (await import('./version.ts')).version,
  },
  ...regoCommands,
}
