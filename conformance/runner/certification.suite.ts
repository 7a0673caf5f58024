import { describe, inject, test } from 'vitest'
import { checks } from '../checks/catalogue.ts'
import type { Check } from './check.ts'
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

type RunContext = {
  readonly task: { meta: { outcome?: CheckFinished } }
  readonly signal: AbortSignal
  readonly skip: (note?: string) => never
}

async function run(check: Check, { task, signal, skip }: RunContext): Promise<void> {
  const interrupted = new Promise<undefined>((resolve) => {
    signal.addEventListener('abort', () => resolve(undefined), { once: true })
  })
  const executing = executeCheck(check, session)
  // A check that changes the target is given the time to change it back.
  const outcome = await (check.exclusive ? executing : Promise.race([executing, interrupted]))
  if (outcome === undefined) return skip('interrupted')
  task.meta.outcome = outcome
  if (outcome.verdict === 'failed') throw new Error(outcome.reason)
  if (outcome.verdict !== 'passed') skip(outcome.reason)
}
