import { zeroAddress } from 'viem'
import type { PolicyFixture } from '../../fixtures/catalogue.ts'
import type { Address } from '../protocol/scalars.ts'
import { devAccounts } from './devKeys.ts'

/** A policy client of a local stack: a fixture, deployed in a way that brings out one condition. */
export type ClientVariant = {
  readonly name: string
  readonly fixture: PolicyFixture
  readonly owner?: Address
  readonly policyVersion?: string
  readonly policyDataVersion?: string
  /** Blocks. */
  readonly expireAfter?: number
}

/** One client for each fixture, by its name, and some that are wrong on purpose. */
export function clientVariants(fixtures: readonly PolicyFixture[]): ClientVariant[] {
  const named = (name: string) => fixtures.find((fixture) => fixture.name === name)!
  return [
    ...fixtures.map((fixture) => ({ name: fixture.name, fixture })),
    { name: 'ownerless', fixture: named('priced-transfer'), owner: zeroAddress },
    {
      name: 'owned-by-stranger',
      fixture: named('priced-transfer'),
      owner: devAccounts.stranger.address,
    },
    /** Deployed for a service of another major version (section 7.2). */
    { name: 'policy-of-version-9', fixture: named('allow-list'), policyVersion: '9.0.0' },
    {
      name: 'policy-data-of-version-9',
      fixture: named('priced-transfer'),
      policyDataVersion: '9.0.0',
    },
    /** Its attestations are over within a few blocks. */
    { name: 'short-lived', fixture: named('allow-list'), expireAfter: 3 },
    /** Nobody has uploaded its secrets. */
    { name: 'without-secrets', fixture: named('priced-transfer') },
  ]
}

/** The client whose secrets stay away. */
export const clientWithoutSecrets = 'without-secrets'
