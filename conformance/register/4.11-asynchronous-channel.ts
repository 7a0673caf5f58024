import { sectionClauses } from './clause.ts'

/** Section 4.11, and the related open points of section 5.1. */
export const section4_11 = sectionClauses('4.11', {
  '01': 'Updates for sendTask are delivered on a WebSocket.',
  '02': {
    text: 'The address of the WebSocket, and the response to other requests there.',
    open: true,
  },
  '03': { text: 'How a WebSocket connection is authenticated.', open: true },
  '04': { text: 'Which tasks a key may follow.', open: true },
})
