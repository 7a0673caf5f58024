import { sectionClauses } from './clause.ts'

const localTool = 'a command of the local tooling, not of a gateway; tested beside that command'
const authoring = 'advice to authors of policies; nothing a gateway answers can show it'

const numbers = (first: number, last: number): readonly string[] =>
  Array.from({ length: last - first + 1 }, (_, i) => String(first + i))

/** Section 1: what the service does, its parts, the data model of a policy. */
export const section1 = sectionClauses(
  '1',
  {
    '01': 'An intent submitted for a policy client is evaluated against that client’s policy.',
    '02': 'Evaluation sees the policy parameters that are configured for the client.',
    '03': 'Evaluation sees the output of the client’s data oracles.',
    '04': 'Operators sign the result and the signatures are aggregated into one BLS attestation.',
    '05': 'A contract can verify the attestation on chain.',
    '06': 'The gateway speaks JSON-RPC 2.0; it submits tasks and simulates tasks and policies.',
    '07': {
      text: 'The gateway is reached over HTTPS.',
      level: 'should',
      noCheck: 'a property of a deployment: the certified address shows its scheme in the report',
    },
    '08': {
      text: 'The gateway stores secrets and encrypted data and registers failure webhooks.',
      noCheck: 'the sum of sections 4.5, 4.9 and 4.10, whose clauses are checked one by one',
    },
    '09': 'A read-only explorer serves the indexed history of tasks and policies.',
    '10': 'An oracle is a WASM component fetched by its content id and run for its PolicyData contract.',
    '11': 'An oracle exports run(input): it takes a string and returns a JSON string.',
    '12': 'The string given to run is the decoded wasm_args.',
    '13': 'The http host interface fetches a URL by method, headers and body; the oracle gets status and body bytes.',
    '14': 'A fetch that fails gives the oracle an error string, not a trap.',
    '15': 'The secrets host interface gives the oracle the bytes of its decrypted secrets JSON object.',
    '16': 'The secrets call takes no identifiers: client and PolicyData are fixed by the execution context.',
    '17': 'Policies are evaluated as Rego v1.',
    '18': 'The policy language supports a subset compatible with OPA v1.2.0.',
    '19': 'The extension crypto.ecdsa_recover_signer gives the signer of a raw hash.',
    '20': 'The extension crypto.ecdsa_recover_signer_personal gives the signer of a personal message.',
    '21': 'input is the parsed intent.',
    '22': 'input.intent_signature is there for a policy that consumes it, when the caller sent one.',
    '23': 'data.params is the configuration of the policy client.',
    '24': 'data.wasm is the merged oracle output, each oracle under its pack id.',
    '25': 'A policy with an empty deny set allows; one with a reason in deny does not.',
    '26': 'Two deny conditions at once still deny.',
    '27': 'An oracle that fails returns its error under its pack id, so that the policy denies.',
    '28': {
      text: 'Credentials of an oracle travel in request headers, never in the URL.',
      level: 'should',
      noCheck: 'a rule for authors of oracles: what an oracle sends is its own code',
    },
    '29': { text: 'regorus eval evaluates a query over files.', noCheck: localTool },
    '30': { text: 'regorus parse and lex inspect a file.', noCheck: localTool },
    '31': { text: 'policy-data simulate runs an oracle in a sandbox.', noCheck: localTool },
    '32': { text: 'opa test runs the unit tests of a policy.', noCheck: localTool },
    '33': {
      text: 'A policy’s tests cover the allow path, each deny rule, toggles, edges, combinations and fixtures.',
      level: 'should',
      noCheck: authoring,
    },
    '34': {
      text: 'Work goes from unit tests to simulation to deployment.',
      level: 'should',
      noCheck: authoring,
    },
    '35': {
      text: 'The limits of an oracle, and what is said of one that exceeds them.',
      open: true,
    },
    '36': { text: 'What becomes of data that operators see differently.', open: true },
    '37': { text: 'What is said of a policy that would run for ever.', open: true },
    '38': 'A fetch is made with the method that the oracle names.',
    '39': 'The headers of a fetch arrive with their names and values.',
    '40': 'The body of a fetch is bytes, any bytes, and arrives as such.',
    '41': 'Any HTTP status is a response for the oracle to judge, and no error of the call.',
    '42': 'The body of a response is the bytes that were sent, any bytes.',
    '43': { text: 'Whether a response tells its headers.', open: true },
    '44': { text: 'What of a request the host keeps for itself or refuses.', open: true },
    '45': { text: 'Which redirects are followed.', open: true },
    '46': { text: 'Which addresses an oracle does not reach.', open: true },
    '47': { text: 'How many calls a run may make, and what the next one is told.', open: true },
    '48': { text: 'How large a response may be, and what is said of a larger one.', open: true },
    '49': { text: 'How much memory a run may take.', open: true },
    '50': {
      text: 'What an oracle may import beside http and secrets, and what is said of other imports.',
      open: true,
    },
    '51': { text: 'Whether anything of a run is left for the next.', open: true },
    '52': { text: 'Whether run answers a string alone, or a result of one.', open: true },
    '53': { text: 'What is said of output that is no JSON object.', open: true },
    '54': { text: 'Which output stands where two oracles name the same pack id.', open: true },
    '55': { text: 'What the secrets call gives a run that has none.', open: true },
    '56': {
      text: 'Whether the bytes of secrets are those that were sealed, white space and all.',
      open: true,
    },
    '57': {
      text: 'What becomes of runs beside one that fails or does not end.',
      open: true,
    },
    '58': { text: 'What is said of content that is no component.', open: true },
    '59': {
      text: 'Whether fetched content is held against its content id.',
      open: true,
      noCheck:
        'a source that answers other bytes would have to stand between a gateway and its content; tests of the reference put one there',
    },
    '60': { text: 'Whether each limit of an oracle has a text of its own.', open: true },
    '61': { text: 'What is said of a PolicyData whose content id is none.', open: true },
    '62': { text: 'What an oracle is given where wasm_args is absent or empty.', open: true },
    '63': { text: 'What the clocks of an oracle show.', open: true },
    '64': { text: 'Which random numbers an oracle is given.', open: true },
  },
  {
    '1.1': ['06', '07', '08'],
    '1.2': ['09'],
    // Data oracles, with what authors are told of them and what is decided about them.
    '1.3': ['10', '11', '12', '13', '14', '15', '16', '27', '28', '35', ...numbers(38, 64)],
    '1.4': [...numbers(17, 26), '37'],
  },
)
