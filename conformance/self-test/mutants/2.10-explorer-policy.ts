import { everyPolicy } from './explorerFaults.ts'
import type { Mutant } from './mutant.ts'

/** Faults in what the explorer shows of a policy (section 2.10). */
export const explorerPolicyMutants: readonly Mutant[] = [
  {
    id: 'explorer.policy-address-is-owner',
    fault: 'shows the address of the owner as that of the policy',
    clauses: ['2.10-01'],
    parts: everyPolicy((policy) => ({ ...policy, address: policy.policy_info.owner })),
  },
  {
    id: 'explorer.policy-network-is-chain',
    fault: 'shows the number of the chain as network of a policy',
    clauses: ['2.10-02'],
    parts: everyPolicy((policy) => ({ ...policy, network: '31337' })),
  },
  {
    id: 'explorer.policy-network-always-testnet',
    fault: 'shows testnet as network of every policy',
    clauses: ['2.10-02'],
    parts: everyPolicy((policy) => ({ ...policy, network: 'testnet' })),
  },
  {
    id: 'explorer.policy-name-left-out',
    fault: 'omits the names of policies',
    clauses: ['2.10-03'],
    parts: everyPolicy(({ name: _, author: __, ...policy }) => policy),
  },
  {
    id: 'explorer.author-is-object',
    fault: 'shows the author as an object',
    clauses: ['2.10-03'],
    parts: everyPolicy((policy) => ({ ...policy, author: { name: policy.author } })),
  },
  {
    id: 'explorer.metadata-not-read',
    fault: 'does not read the metadata of policies',
    clauses: ['2.10-04'],
    parts: everyPolicy((policy) => ({
      ...policy,
      name: null,
      version: null,
      author: null,
      description: null,
    })),
  },
  {
    id: 'explorer.description-is-name',
    fault: 'shows the name as description',
    clauses: ['2.10-04'],
    parts: everyPolicy((policy) => ({ ...policy, description: policy.name })),
  },
  {
    id: 'explorer.verified-is-text',
    fault: 'shows verified as a string',
    clauses: ['2.10-05'],
    parts: everyPolicy((policy) => ({
      ...policy,
      verified: policy.verified === null ? 'pending' : String(policy.verified),
    })),
  },
  {
    id: 'explorer.no-metadata-reference',
    fault: 'shows policy_info without the metadata reference',
    clauses: ['2.10-06'],
    parts: everyPolicy((policy) => {
      const { metadata_cid: _, ...policy_info } = policy.policy_info ?? {}
      return { ...policy, policy_info }
    }),
  },
  {
    id: 'explorer.deployed-by-nobody',
    fault: 'shows the hash of another transaction as that which deployed the policy',
    clauses: ['2.10-07'],
    parts: everyPolicy((policy) => ({
      ...policy,
      deployed_txn_hash: policy.deployed_txn_hash && `0x${'5e'.repeat(32)}`,
    })),
  },
  {
    id: 'explorer.deployed-now',
    fault: 'shows the time of the response as that of the deployment',
    clauses: ['2.10-08'],
    parts: everyPolicy((policy) => ({
      ...policy,
      policy_deployed_at: new Date(Date.now() + 90_000).toISOString(),
    })),
  },
  {
    id: 'explorer.deployed-in-seconds',
    fault: 'shows the time of the deployment as unix seconds',
    clauses: ['2.10-08'],
    parts: everyPolicy((policy) => ({
      ...policy,
      policy_deployed_at: Date.parse(policy.policy_deployed_at) / 1000,
    })),
  },
]
