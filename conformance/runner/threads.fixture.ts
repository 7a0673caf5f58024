import { writeFileSync } from 'node:fs'
import type { Check } from '../core/check.ts'
import type { CheckContext } from '../core/context.ts'
import { expectEqual } from '../core/expect.ts'

/** Checks that send no requests, for tests of the runner. */
const check = (id: string, run: Check['run'], more: Partial<Check> = {}): Check => ({
  id,
  title: `the check ${id}`,
  clauses: ['4.1-01'],
  level: 'must',
  needs: [],
  run,
  ...more,
})

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

/** Where the check that changes the target reports that it restored it: the target's name. */
const tell = (path: string, text: string) => writeFileSync(path, text, { flag: 'a' })

async function untilLeaked(t: CheckContext, meanwhile = () => {}): Promise<void> {
  for (let i = 0; i < 600 && t.leaks().length === 0; i++) {
    meanwhile()
    await pause(50)
  }
  expectEqual(t.leaks(), ['A_SECRET'], 'the leaks')
}

export const checks: readonly Check[] = [
  check('test.alone', async () => undefined, { exclusive: true }),
  check('test.first', async () => undefined),
  check('test.second', async () => undefined),
  check('test.fails', async () => expectEqual(1, 2, 'a number')),
  check('test.never-ends', () => new Promise<void>(() => undefined)),
  check(
    'test.changes-back',
    async (t) => {
      tell(t.target.name, 'changed ')
      await pause(400)
      tell(t.target.name, 'back')
    },
    { exclusive: true },
  ),
  check('test.ends-thread', async () => process.exit(7)),
  check('test.loses-error', async () => {
    void Promise.reject(new Error('nobody waited for this'))
    await pause(50)
  }),
  // These two end only if each receives what the other thread knows.
  check('test.guards', async (t) => {
    t.guard('A_SECRET', 'a-value-of-this-run')
    await untilLeaked(t)
  }),
  check('test.holds', (t) => untilLeaked(t, () => t.heard('what came: a-value-of-this-run'))),
]
