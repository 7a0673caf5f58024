import { sectionClauses } from './clause.ts'

/** Section 4.3: sendTask. */
export const section4_3 = sectionClauses('4.3', {
  '01': 'A key with RpcRead may send tasks.',
  '02': {
    text: 'Submission is asynchronous: the response is sent before the task has ended.',
    profile: 'updates',
  },
  '03': 'policy_client is required and an Address.',
  '04': 'intent is required and a TaskIntent.',
  '05': 'intent_signature is optional, with the same meaning as for createTask.',
  '06': 'quorum_number is optional, with the same meaning.',
  '07': 'quorum_threshold_percentage is optional, with the same meaning.',
  '08': 'wasm_args is optional, with the same meaning.',
  '09': 'proof_cid is optional, with the same meaning.',
  '10': 'task_id is Data, 32 bytes.',
  '11': 'subscription_topic is a string: the topic of section 6.1 for this task.',
  '12': 'message is a string.',
  '13': 'timestamp is a number.',
  '14': {
    text: 'Updates of the task arrive over the WebSocket; the last one has the attested result.',
    profile: 'updates',
  },
  '15': { text: 'The unit of timestamp.', open: true },
  '16': {
    profile: 'updates',
    text: 'The form of TaskAlreadyExists, for which the result has no member.',
    open: true,
  },
  '17': {
    profile: 'updates',
    text: 'How a task id is computed, and whether in the same way as for createTask.',
    open: true,
  },
  '18': {
    text: 'What a gateway does with timeout, which is not a parameter of this method.',
    open: true,
  },
  '20': 'proof_cid is an IPFS content id; other text is refused.',
  '19': 'No two submissions get the same task id.',
})
