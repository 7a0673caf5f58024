import { describe, inject, test } from 'vitest'
import { checks } from '../checks/catalogue.ts'
import type { CheckFinished } from './events.ts'
import { executeCheck } from './execute.ts'
import type { SuiteInput } from './runSuite.ts'
import { createSession } from './session.ts'

declare module 'vitest' {
  interface ProvidedContext {
    suiteInput: SuiteInput
  }
  interface TaskMeta {
    outcome?: CheckFinished
  }
}

const input = inject('suiteInput')
const session = createSession(input)
const selected = checks.filter((check) => input.selected.includes(check.id))

// Checks that change what others rely on (operators, blocks) come last, one at a time.
describe('side by side', () => {
  for (const check of selected.filter((c) => !c.exclusive))
    test.concurrent(check.id, (context) => run(check, context))
})
describe('alone', () => {
  for (const check of selected.filter((c) => c.exclusive))
    test(check.id, (context) => run(check, context))
})

async function run(
  check: (typeof checks)[number],
  { task, skip }: { task: { meta: { outcome?: CheckFinished } }; skip: (note?: string) => never },
): Promise<void> {
  const outcome = await executeCheck(check, session)
  task.meta.outcome = outcome
  if (outcome.verdict === 'failed') throw new Error(outcome.reason)
  if (outcome.verdict !== 'passed') skip(outcome.reason)
}
