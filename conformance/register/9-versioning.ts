import { sectionClauses } from './clause.ts'

/** Section 9: versions, and where they are published. */
export const section9 = sectionClauses('9', {
  '01': { text: 'The path of the explorer has the version /v1.', profile: 'explorer' },
  '02': {
    text: 'Oracles import the host interfaces by name and version, @0.2.0.',
    profile: 'simulation',
  },
  '03': { text: 'Ownership of a policy client is determined on chain.', profile: 'secrets' },
  '04': {
    profile: 'simulation',
    text: 'The Rego engine is a fork of one at 0.9.0, with a subset compatible with OPA v1.2.0.',
    noCheck: 'where the engine came from is not visible; what it evaluates is section 1',
  },
  '05': {
    text: 'An incompatible version of policy or policy data is reported with -32618 or -32619.',
    profile: 'tasks',
  },
  '06': {
    text: 'The command-line tool has version info and version check-compatibility.',
    noCheck: 'a tool on the caller’s machine: nothing of it is behind a gateway’s address',
  },
  '07': { text: 'The version that the RPC interface reports.', open: true },
  '09': { profile: 'tasks', text: 'Whether a pre-release of a version is compatible.', open: true },
  '08': { text: 'Which methods a self-description lists.', open: true },
})
