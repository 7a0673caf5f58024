import { sectionClauses } from './clause.ts'

/** Section 9: versions, and who tells them. */
export const section9 = sectionClauses('9', {
  '01': 'The path of the explorer carries the version /v1.',
  '02': 'Oracles import the host interfaces by name and version, @0.2.0.',
  '03': 'Ownership of a policy client is what the chain says.',
  '04': {
    text: 'The Rego engine is a fork of one at 0.9.0, with a subset compatible with OPA v1.2.0.',
    noCheck: 'where the engine came from is not visible; what it evaluates is section 1',
  },
  '05': 'A policy or policy data of a version that does not fit is told with -32618 or -32619.',
  '06': {
    text: 'The command-line tool tells its versions and checks compatibility.',
    noCheck: 'a tool on the caller’s machine: nothing of it is behind a gateway’s address',
  },
  '07': { text: 'What version the RPC interface says it has.', open: true },
  '09': { text: 'Whether a pre-release counts as the release that it comes before.', open: true },
  '08': { text: 'Which methods a gateway lists that describes itself.', open: true },
})
