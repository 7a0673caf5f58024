import { parse } from '@bytecodealliance/jco'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { oracleHarness, secretsOf } from './testing/testHarness.ts'

/**
 * A thread wipes and reuses the memory of instances. No run may notice: neither what an earlier one
 * has left there, however it ended, nor its size.
 */
const bed = oracleHarness()

type Ending = 'returns' | 'traps' | 'grows'

const endings: Readonly<Record<Ending, string>> = {
  returns: '',
  traps: '(unreachable)',
  grows: '(drop (memory.grow (i32.const 1)))',
}

/**
 * Reports how many words of its memory, after its own data, are not zero, as 0 or 9, and the number
 * of pages; then fills the memory and ends.
 */
const component = (ending: Ending, pages: number) =>
  parse(`(component
  (core module $oracle
    (memory (export "memory") ${pages})
    (func (export "cabi_realloc") (param i32 i32 i32 i32) (result i32) (i32.const 4096))
    (data (i32.const 16) "{\\"m\\":{\\"dirty\\":0,\\"pages\\":0}}")
    (func (export "run") (param $ptr i32) (param $len i32) (result i32)
      (local $at i32) (local $end i32)
      (local.set $end (i32.mul (memory.size) (i32.const 65536)))
      (local.set $at (i32.const 8192))
      (loop $scan
        (if (i32.load (local.get $at)) (then (i32.store8 (i32.const 30) (i32.const 57))))
        (local.set $at (i32.add (local.get $at) (i32.const 4)))
        (br_if $scan (i32.lt_u (local.get $at) (local.get $end))))
      (i32.store8 (i32.const 40) (i32.add (i32.const 48) (memory.size)))
      (memory.fill (i32.const 64) (i32.const 170) (i32.sub (local.get $end) (i32.const 64)))
      ${endings[ending]}
      (i32.store (i32.const 4) (i32.const 16))
      (i32.store (i32.const 8) (i32.const 27))
      (i32.const 0)))
  (core instance $i (instantiate $oracle))
  (func $run (param "input" string) (result (result string (error string)))
    (canon lift (core func $i "run")
      (memory (core memory $i "memory"))
      (realloc (core func $i "cabi_realloc"))))
  (export "run" (func $run)))`)

test('every run starts with a memory of zeros in its initial size', {
  timeout: 60_000,
}, async () => {
  const pause = () => new Promise((resolve) => setTimeout(resolve, 40))
  const kinds = (Object.keys(endings) as Ending[]).flatMap((ending) =>
    [2, 3].map((pages) => ({ ending, pages })),
  )
  const host = bed.hostWith({}, { maxWorkers: 1 })
  const loaded = await Promise.all(
    kinds.map(async (kind) => {
      const cid = await bed.load(host, await component(kind.ending, kind.pages))
      return { ...kind, cid }
    }),
  )
  const step = fc.record({
    at: fc.nat({ max: loaded.length - 1 }),
    secret: fc.boolean(),
    // With a pause, the thread prepares an instance, which the next run may not use.
    idle: fc.boolean(),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 12 }), async (steps) => {
      for (const { at, secret, idle } of steps) {
        const { cid, ending, pages } = loaded[at]!
        const secrets = secret ? secretsOf({ KEY: 'value' }) : undefined
        const run = host.run({ cid, input: '{}', secrets })
        if (ending === 'traps') await expect(run).rejects.toThrow('trap')
        else expect((await run).json).toEqual({ m: { dirty: 0, pages } })
        if (idle) await pause()
      }
    }),
    { numRuns: 40 },
  )
})
