import { sectionClauses } from './clause.ts'

/** Section 4.1: conventions of the RPC endpoint. */
export const section4_1 = sectionClauses('4.1', {
  '01': 'Methods are called by POST to /rpc with a JSON body.',
  '02': 'The content type is application/json.',
  '03': 'Any path but /rpc is HTTP 404.',
  '04': 'The response on another path is not a JSON-RPC response.',
  '05': 'A request has jsonrpc 2.0, a method, params and an id.',
  '06': 'A success is {jsonrpc, result, id}.',
  '07': 'A failure is {jsonrpc, error: {code, message}, id}.',
  '08': 'The id of the response is the id of the request.',
  '09': {
    text: 'An operational failure is HTTP 200 with a result whose success is false and whose error is a message.',
    profile: 'simulation',
  },
  '10': {
    text: 'Deployments are testnet and mainnet, each with production and staging hosts.',
    noCheck: 'a fact about the operator’s deployments, not about an address',
  },
  '11': { text: 'What a gateway does with other HTTP methods on /rpc.', open: true },
  '12': { text: 'What a gateway does with an array of calls.', open: true },
  '13': { text: 'What a gateway does with a request without an id.', open: true },
  '14': { text: 'What a gateway does with a body over its size limit.', open: true },
  '15': { text: 'What a gateway does with another content type.', open: true },
  '16': 'Of concurrent calls each receives the response with its own id.',
  '17': 'No response contains an API key or another secret.',
  '18': { text: 'What a gateway does with unknown members of params.', open: true },
  '19': { text: 'What a gateway does with params that are null or an array.', open: true },
})
