import { writeFileSync } from 'node:fs'
import { canaryOf } from '../core/canary.ts'
import type { Check } from '../core/check.ts'
import { NotInTime } from '../core/conformanceError.ts'
import type { CheckContext } from '../core/context.ts'
import { expectEqual } from '../core/expect.ts'
import { freshValue } from '../kit/scenarios/requests.ts'

const secret = canaryOf('a run', 'a secret')

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
  for (let i = 0; i < 600 && t.leaksOfRun().length === 0; i++) {
    meanwhile()
    await pause(50)
  }
  expectEqual(t.leaksOfRun(), ['A_SECRET in what was received, the body'], 'the leaks')
}

/** Fails since nothing came in time, while the suite itself was late: that proves nothing. */
function late(t: CheckContext): never {
  const value = freshValue(t)
  for (const until = performance.now() + 300; performance.now() < until; );
  throw new NotInTime(`the end of ${value} is wrong`, { expected: 'an end', observed: 'none' })
}

let tries = 0

export const checks: readonly Check[] = [
  check('test.late-once', async (t) => {
    tries += 1
    if (tries === 1) late(t)
    t.observe(`draws ${freshValue(t)}`)
  }),
  check('test.late', async (t) => late(t)),
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
    t.guard('A_SECRET', secret)
    await untilLeaked(t)
  }),
  check('test.holds', (t) =>
    untilLeaked(t, () => t.heard('what was received', { body: `it is ${secret}` })),
  ),
]
