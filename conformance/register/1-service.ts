import { sectionClauses } from './clause.ts'

const localTool = 'a command of the local tooling, not of a gateway; tested beside that command'
const authoring = 'advice to authors of policies; nothing a gateway answers can show it'

const numbers = (first: number, last: number): readonly string[] =>
  Array.from({ length: last - first + 1 }, (_, i) => String(first + i))

/** Section 1: the service, its components, the data model of a policy. */
export const section1 = sectionClauses(
  '1',
  {
    '01': 'An intent submitted for a policy client is evaluated against that client’s policy.',
    '02': 'Evaluation sees the policy parameters that are configured for the client.',
    '03': 'Evaluation sees the output of the client’s data oracles.',
    '04': 'Operators sign the result and the signatures are aggregated into one BLS attestation.',
    '05': { text: 'A contract can verify the attestation on chain.', profile: 'attestation' },
    '06': {
      text: 'The gateway speaks JSON-RPC 2.0 and has methods to submit tasks and to simulate tasks and policies.',
      profile: 'base',
    },
    '07': {
      profile: 'base',
      text: 'The gateway is reached over HTTPS.',
      level: 'should',
      noCheck: 'a property of a deployment: the certified address shows its scheme in the report',
    },
    '08': {
      profile: 'base',
      text: 'The gateway stores secrets and encrypted data and registers failure webhooks.',
      noCheck: 'the sum of sections 4.5, 4.9 and 4.10, whose clauses are checked one by one',
    },
    '09': {
      text: 'A read-only explorer serves the indexed history of tasks and policies.',
      profile: 'explorer',
    },
    '10': {
      text: 'An oracle is a WASM component fetched by its content id and run for its PolicyData contract.',
      profile: 'simulation',
    },
    '11': {
      text: 'An oracle exports run(input): it takes a string and returns a JSON string.',
      profile: 'simulation',
    },
    '12': 'The string given to run is the decoded wasm_args (its bytes as UTF-8 text).',
    '13': {
      text: 'The http host interface fetches a URL with a method, headers and a body; the oracle receives the status and the body bytes.',
      profile: 'simulation',
    },
    '14': {
      text: 'A fetch that fails gives the oracle an error string, not a trap.',
      profile: 'simulation',
    },
    '15': {
      text: 'The secrets host interface gives the oracle the bytes of its decrypted secrets JSON object.',
      profile: 'simulation',
    },
    '16': {
      text: 'The secrets call takes no identifiers: client and PolicyData are fixed by the execution context.',
      profile: 'simulation',
    },
    '17': { text: 'Policies are evaluated as Rego v1.', profile: 'simulation' },
    '18': {
      text: 'The policy language supports a subset compatible with OPA v1.2.0.',
      profile: 'simulation',
    },
    '19': {
      text: 'The built-in service.crypto.ecdsa_recover_signer returns the signer of a raw 32-byte hash.',
      profile: 'simulation',
    },
    '20': {
      text: 'The built-in service.crypto.ecdsa_recover_signer_personal returns the signer of a personal message (EIP-191).',
      profile: 'simulation',
    },
    '21': {
      text: 'input is the parsed intent (section 2.6 has its shape).',
      profile: 'simulation',
    },
    '22': 'input.intent_signature is there for a policy that consumes it, when the caller sent one.',
    '23': 'data.params is the configuration of the policy client.',
    '24': 'data.wasm is the merged oracle output; each oracle is under its pack id, as data.wasm.<pack_id>.',
    '25': 'A policy with an empty deny set allows; one with a reason in deny does not.',
    '26': { text: 'Two deny conditions at once still deny.', profile: 'simulation' },
    '27': {
      text: 'The error that a failing oracle returns as {<pack_id>: {error: <string>}} reaches the policy, which can deny.',
      profile: 'simulation',
    },
    '28': {
      text: 'Credentials of an oracle travel in request headers, never in the URL.',
      level: 'should',
      noCheck: 'a rule for authors of oracles: what an oracle sends is its own code',
    },
    '29': {
      profile: 'simulation',
      text: 'regorus eval evaluates a query over files.',
      noCheck: localTool,
    },
    '30': {
      profile: 'simulation',
      text: 'regorus parse and lex inspect a file.',
      noCheck: localTool,
    },
    '31': {
      profile: 'simulation',
      text: 'policy-data simulate runs an oracle in a sandbox.',
      noCheck: localTool,
    },
    '32': {
      profile: 'simulation',
      text: 'opa test runs the unit tests of a policy.',
      noCheck: localTool,
    },
    '33': {
      text: 'The tests of a policy cover the allow path, each deny rule, parameter toggles, edge values, combined denials and multi-oracle fixtures.',
      level: 'should',
      noCheck: authoring,
    },
    '34': {
      text: 'The recommended order is unit tests, oracle simulation, secrets upload, policy simulation, deployment, tasks.',
      level: 'should',
      noCheck: authoring,
    },
    '35': {
      text: 'The limits of an oracle run, and the error when one is exceeded.',
      open: true,
    },
    '36': { text: 'How data that differs between operators is settled.', open: true },
    '37': {
      profile: 'simulation',
      text: 'The error for a policy that does not terminate.',
      open: true,
    },
    '38': { text: 'A fetch is made with the method that the oracle names.', profile: 'simulation' },
    '39': {
      text: 'The headers of a fetch arrive with their names and values.',
      profile: 'simulation',
    },
    '40': { text: 'The body of a fetch is sent byte for byte.', profile: 'simulation' },
    '41': {
      text: 'Any HTTP status is a response for the oracle to interpret, not an error of the call.',
      profile: 'simulation',
    },
    '42': {
      text: 'The body of a response reaches the oracle byte for byte.',
      profile: 'simulation',
    },
    '43': { profile: 'simulation', text: 'Whether a response has its headers.', open: true },
    '44': {
      profile: 'simulation',
      text: 'Which headers and methods of a request the host reserves or refuses.',
      open: true,
    },
    '45': { profile: 'simulation', text: 'Which redirects are followed.', open: true },
    '46': { profile: 'simulation', text: 'Which addresses an oracle cannot reach.', open: true },
    '47': {
      profile: 'simulation',
      text: 'How many HTTP calls a run may make, and the error for the next one.',
      open: true,
    },
    '48': {
      profile: 'simulation',
      text: 'The maximum size of a response, and the error for a larger one.',
      open: true,
    },
    '49': { profile: 'simulation', text: 'The maximum memory of a run.', open: true },
    '50': {
      text: 'What an oracle may import besides http and secrets, and the error for other imports.',
      open: true,
    },
    '51': {
      profile: 'simulation',
      text: 'Whether any state of a run is visible to the next.',
      open: true,
    },
    '52': {
      profile: 'simulation',
      text: 'Whether run returns a plain string or result<string, string>.',
      open: true,
    },
    '53': {
      profile: 'simulation',
      text: 'The error for output that is not a JSON object.',
      open: true,
    },
    '54': {
      profile: 'simulation',
      text: 'Which output is kept where two oracles use the same pack id.',
      open: true,
    },
    '55': {
      profile: 'simulation',
      text: 'What the secrets call returns in a run without secrets.',
      open: true,
    },
    '56': {
      profile: 'secrets',
      text: 'Whether the bytes of the secrets are exactly those that were sealed, white space included.',
      open: true,
    },
    '57': {
      profile: 'simulation',
      text: 'Whether a run that fails or does not end affects runs beside it.',
      open: true,
    },
    '58': {
      profile: 'simulation',
      text: 'The error for content that is not a component.',
      open: true,
    },
    '59': {
      text: 'Whether fetched content is verified against its content id.',
      open: true,
      noCheck:
        'would require a content source that returns other bytes; tests of the reference implementation use one',
    },
    '60': {
      profile: 'simulation',
      text: 'Whether each limit of an oracle has its own error text.',
      open: true,
    },
    '61': {
      profile: 'simulation',
      text: 'The error for a PolicyData whose content id is invalid.',
      open: true,
    },
    '62': {
      profile: 'simulation',
      text: 'The input of an oracle where wasm_args is absent or empty.',
      open: true,
    },
    '63': { profile: 'simulation', text: 'What time the clocks of an oracle show.', open: true },
    '64': { profile: 'simulation', text: 'Which random numbers an oracle receives.', open: true },
  },
  {
    '1.1': ['06', '07', '08'],
    '1.2': ['09'],
    // Data oracles, with advice to their authors and the open points.
    '1.3': ['10', '11', '12', '13', '14', '15', '16', '27', '28', '35', ...numbers(38, 64)],
    '1.4': [...numbers(17, 26), '37'],
  },
)
