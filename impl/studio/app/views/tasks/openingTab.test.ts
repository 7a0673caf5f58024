import { expect, it } from 'vitest'
import { openingTab } from './openingTab.ts'

const path = (evaluations: number) => ({ evaluations: Array(evaluations).fill({}) }) as never
const summary = (allow: boolean | undefined) =>
  (allow === undefined ? {} : { decision: { allow } }) as never

it('opens on the policy where it denied and its evaluation is known, otherwise on the path', () => {
  const opened = (allow: boolean | undefined, evaluations: number) =>
    openingTab({ summary: summary(allow), path: path(evaluations) })
  expect([opened(false, 1), opened(false, 0)]).toEqual(['policy', 'path'])
  expect([opened(true, 1), opened(undefined, 1)]).toEqual(['path', 'path'])
  expect(openingTab({ summary: undefined, path: undefined })).toBe('path')
})
