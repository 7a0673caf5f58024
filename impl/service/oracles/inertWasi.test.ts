import { buildOracle } from 'polgate-fixtures/oracles/build.ts'
import { expect, test } from 'vitest'
import { failureOf, oracleHarness } from './testing/testHarness.ts'

/** A program with a complete standard library, linked against the whole WASI CLI world. */

const bed = oracleHarness()
const clock = { now: () => 1_700_000_000_250 }

async function look(input: string) {
  const host = bed.hostWith({ wallClockMs: 4_000 }, { clock, recordedTime: true })
  const cid = await bed.load(host, await buildOracle('std'))
  return host.run({ cid, input })
}

test('finds a clock, but no files, no environment and no input', async () => {
  expect((await look('{}')).json).toEqual({
    std: {
      now_ms: 1_700_000_000_250,
      // The guest's clock advances by an hour, without delaying the thread.
      slept_s: 3_600,
      written: true,
      stdin_bytes: 0,
      environment: 0,
      arguments: 0,
      can_read: false,
      can_write: false,
      can_list: false,
    },
  })
})

test('ends its run by exit, not the process', async () => {
  const error = await failureOf(look('exit'))
  expect(error).toMatchObject({ code: 'trap', details: 'trap: the component called exit' })
})

test('ends its run by panic, and its stderr output is dropped', async () => {
  const error = await failureOf(look('panic'))
  expect(error).toMatchObject({ code: 'trap', details: 'trap: unreachable' })
})
