import { sectionClauses } from './clause.ts'

/** Section 5.6: keys of the explorer. */
export const section5_6 = sectionClauses('5.6', {
  '01': 'Every request below /v1 needs an API key.',
  '02': 'The key may stand in Authorization: Bearer.',
  '03': 'The key may stand in X-API-Key.',
  '04': 'The key needs the permission rpc_read.',
  '05': 'A key of permission rpc has rpc_read.',
  '06': 'A key that was rotated is refused on the next request, and its successor is served.',
  '07': 'A key that was deleted is refused on the next request.',
  '08': 'A key that has expired is refused.',
  '09': 'No answer repeats a key.',
  '10': {
    text: 'Callers keep their key on a server.',
    level: 'should',
    noCheck: 'a rule for callers; where they keep a key is not visible to an explorer',
  },
  '11': { text: 'Which key counts when both headers carry one.', open: true },
  '12': {
    text: 'How the scheme may be written, and whether a key may stand elsewhere.',
    open: true,
  },
  '13': { text: 'What a key with other permissions may read.', open: true },
  '14': { text: 'How soon a new key is in force.', open: true },
})
