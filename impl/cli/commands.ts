import type { Commands } from './commandDefinition.ts'
import { regoCommands } from './regoCommands.ts'
import { suiteCommands } from './suite/commands.ts'
import { developerCommands } from './suite/developerCommands.ts'

/** All commands of `polgate`, in the order of the help text. */
export const commands: Commands = {
  start: {
    summary: 'start a local stack: chain, contracts, operators, gateway, explorer',
    load: async () => (await import('./start.ts')).start,
  },
  dev: {
    summary: 'publish a policy package on a local stack, and again after every save',
    load: async () => (await import('./dev.ts')).dev,
  },
  studio: {
    summary: 'show a gateway in the browser, read-only',
    load: async () => (await import('./studio.ts')).studio,
  },
  serve: {
    summary: 'run a gateway on an existing chain and contracts',
    load: async () => (await import('./serve.ts')).serve,
  },
  indexer: {
    summary: 'index the chains for the explorer in a separate process',
    load: async () => (await import('./indexer.ts')).indexer,
  },
  status: {
    summary: 'show whether a stack or gateway is ready, and what is degraded',
    load: async () => (await import('./status.ts')).status,
  },
  ...suiteCommands,
  ...developerCommands,
  operator: {
    summary: 'run one operator as a separate process',
    load: async () => (await import('./operator.ts')).operator,
  },
  key: {
    summary: 'refresh, reshare, recover and back up the key that operators share',
    load: async () => (await import('./key.ts')).key,
  },
  keys: {
    summary: 'create, rotate, delete and list API keys',
    load: async () => (await import('./keys.ts')).keys,
  },
  db: {
    summary: 'migrate a database, or show its status',
    load: async () => (await import('./db.ts')).db,
  },
  snapshot: {
    summary: 'save database, contents and chain to a file, and restore them',
    load: async () => (await import('./snapshot.ts')).snapshot,
  },
  content: {
    summary: 'store and read files by content id (IPFS CID)',
    load: async () => (await import('./content.ts')).content,
  },
  chain: {
    summary: 'mine, move in time and revert a running local stack; write ABIs',
    load: async () => (await import('./chain.ts')).chain,
  },
  task: {
    summary: 'create, follow, spend and explain tasks',
    load: async () => (await import('./task.ts')).task,
  },
  policy: {
    summary: 'write, test, simulate and publish policies and their oracles',
    load: async () => (await import('./policy.ts')).policy,
  },
  oracle: {
    summary: 'build the component of an oracle',
    load: async () => (await import('./oracle.ts')).oracle,
  },
  secrets: {
    summary: 'check, seal and store the secrets of oracles',
    load: async () => (await import('./secrets.ts')).secrets,
  },
  identity: {
    summary: 'seal, register, link and revoke identities that policies read',
    load: async () => (await import('./identity.ts')).identity,
  },
  confidential: {
    summary: 'publish, grant and choose confidential data that policies read',
    load: async () => (await import('./confidential.ts')).confidential,
  },
  webhooks: {
    summary: 'receive, verify and forward failure notifications, and cause them',
    load: async () => (await import('./webhooks.ts')).webhooks,
  },
  'policy-data': {
    summary: 'simulate an oracle in its sandbox',
    load: async () => (await import('./policyData.ts')).policyData,
  },
  ...regoCommands,
  version: {
    summary: 'print versions, and check the compatibility of a policy',
    load: async () => (await import('./version.ts')).version,
  },
}
