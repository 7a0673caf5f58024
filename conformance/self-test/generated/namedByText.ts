import type { Schema } from './membersOf.ts'

/**
 * Members that the specification names inside an object that the schemas leave open: by surface, and by
 * the path of that object.
 */
const hex = { type: 'string', pattern: '^0x([0-9a-fA-F]{2})*$' }
const object = (properties: Readonly<Record<string, Schema>>): Schema => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
})

/** Section 2.6. */
const parsedIntent = object({
  from: hex,
  to: hex,
  value: { type: 'number' },
  chain_id: { type: 'number' },
  function: object({ name: { type: 'string' }, arguments: {} }),
})

/** Section 2.2. */
const shownIntent = object({
  from: hex,
  to: hex,
  value: { anyOf: [{ type: 'string' }, { type: 'number' }] },
  data: hex,
  chainId: { type: 'number' },
  functionSignature: hex,
})

/** Section 2.8. */
const quorumContext = object({
  signed_stake: { type: 'string', pattern: '^[0-9]+$' },
  required_stake: { type: 'string', pattern: '^[0-9]+$' },
  operator_count: { type: 'integer' },
})

export const namedByText: Readonly<Record<string, Readonly<Record<string, Schema>>>> = {
  'rpc.simulatePolicy': { 'evaluation_result.parsed_intent': parsedIntent },
  'explorer.getTask': { intent: shownIntent },
  'webhook.notification': { context: quorumContext },
  'ws.notification': { 'result.context': quorumContext },
}
