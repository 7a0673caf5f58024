import { expect, test } from 'vitest'
import { summaryText } from './summaryText.ts'

const none = { tasks: 0, changed: 0, newlyAllowed: 0, newlyDenied: 0, errors: 0, unknown: 0 }

test.each([
  [{}, 'This client has no tasks yet.'],
  [{ tasks: 1 }, 'The last task does not change.'],
  [{ tasks: 1, changed: 1, newlyAllowed: 1 }, 'The last task changes: 1 newly allowed.'],
  [{ tasks: 9 }, 'Of the last 9 tasks, none changes.'],
  [
    { tasks: 9, changed: 1, newlyDenied: 1 },
    'Of the last 9 tasks, 1 changes: 1 no longer allowed.',
  ],
  [
    { tasks: 100, changed: 3, newlyAllowed: 2, errors: 1, unknown: 5 },
    'Of the last 100 tasks, 3 change: 2 newly allowed, 1 with an error. 5 tasks could not be decided again.',
  ],
])('%j', (counts, text) => {
  expect(summaryText({ ...none, ...counts })).toBe(text)
})
