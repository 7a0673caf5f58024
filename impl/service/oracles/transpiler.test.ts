import { buildOracle } from 'polgate-fixtures/oracles/build.ts'
import { afterEach, expect, test } from 'vitest'
import { createTranspiler, type Transpiler } from './transpiler.ts'

const open: Transpiler[] = []
afterEach(() => Promise.all(open.splice(0).map((transpiler) => transpiler.close())))

function newTranspiler(): Transpiler {
  const transpiler = createTranspiler({ threads: 1 })
  open.push(transpiler)
  return transpiler
}

test('a broken component does not affect valid ones', async () => {
  const transpiler = newTranspiler()
  const good = await buildOracle('echo')
  const broken = good.slice(0, -20)
  const answers = await Promise.allSettled(
    [good, broken, good].map((component) => transpiler.transpile(component)),
  )
  expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  const [first, second, third] = answers as [
    PromiseFulfilledResult<object>,
    PromiseRejectedResult,
    PromiseFulfilledResult<object>,
  ]
  expect(first.value).toMatchObject({ wit: expect.stringContaining('export run: func(') })
  expect(third.value).toEqual(first.value)
  expect(second.reason).toMatchObject({
    code: 'component',
    details: expect.stringMatching(/^the component is not valid: ./),
  })
})

test('components that exceeded the CPU limit are transpiled one at a time from then on', async () => {
  const transpiler = createTranspiler({ threads: 2, workMs: 20, memoryMiB: 512 })
  open.push(transpiler)
  const component = await buildOracle('std')
  const attempt = (key: string) =>
    transpiler.transpile(component, { key }).then(
      () => 'read',
      (error: { code: string }) => error.code,
    )
  expect(await Promise.all([attempt('a'), attempt('b')])).toEqual(['work', 'work'])
  // It is not rejected but retried.
  expect(await Promise.all([attempt('a'), attempt('b')])).toEqual(['work', 'work'])
})

test('close ends current and later work', async () => {
  const transpiler = newTranspiler()
  const component = await buildOracle('echo')
  const underWay = transpiler.transpile(component).catch((error: { code: string }) => error.code)
  const waiting = transpiler.transpile(component).catch((error: { code: string }) => error.code)
  await new Promise((resolve) => setTimeout(resolve, 10))
  await transpiler.close()
  expect(await underWay).toBe('aborted')
  expect(await waiting).toBe('aborted')
})
