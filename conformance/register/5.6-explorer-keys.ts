import { sectionClauses } from './clause.ts'

/** Section 5.6: keys of the explorer. */
export const section5_6 = sectionClauses('5.6', {
  '01': 'Every request below /v1 needs an API key.',
  '02': 'The key may be sent in Authorization: Bearer.',
  '03': 'The key may be sent in X-API-Key.',
  '04': 'The key needs the permission rpc_read.',
  '05': 'The permission rpc includes rpc_read.',
  '06': 'A rotated key is refused on the next request, and its successor is accepted.',
  '07': 'A deleted key is refused on the next request.',
  '08': 'An expired key is refused.',
  '09': 'No response repeats a key.',
  '10': {
    text: 'Callers keep their key on a server.',
    level: 'should',
    noCheck: 'a rule for callers; where they keep a key is not visible to an explorer',
  },
  '11': { text: 'Which key counts when both headers have one.', open: true },
  '12': {
    text: 'Whether the scheme is matched without regard to case, and whether a key may be sent elsewhere.',
    open: true,
  },
  '13': { text: 'What a key with other permissions may read.', open: true },
  '14': { text: 'How soon a new key takes effect.', open: true },
})
