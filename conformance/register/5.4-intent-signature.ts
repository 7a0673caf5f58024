import { sectionClauses } from './clause.ts'

/** Section 5.4: the intent signature as a credential. */
export const section5_4 = sectionClauses('5.4', {
  '01': 'The EIP-712 signature of the exact intent is passed as intent_signature.',
  '02': {
    text: 'Whether a policy can read the digest that intent_signature signs, and under which name.',
    open: true,
  },
})
