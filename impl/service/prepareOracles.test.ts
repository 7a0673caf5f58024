import { expect, test } from 'vitest'
import { createOraclePreparation, type PrepareOraclesOptions } from './prepareOracles.ts'

function preparation(more: Partial<PrepareOraclesOptions> = {}) {
  const prepared: string[] = []
  const logged: unknown[] = []
  const own = createOraclePreparation({
    chainId: 1,
    wasmCid: async (policyData) => `cid of ${policyData}`,
    prepare: async (cid) => {
      prepared.push(cid)
      return undefined
    },
    logger: { info: (fields: unknown) => void logged.push(fields) },
    ...more,
  })
  return { ...own, prepared, logged }
}

test('prepares the oracles of a policy once, and only those of its chain', async () => {
  const { onPolicy, prepared } = preparation()
  onPolicy(1, ['a', 'b'])
  onPolicy(2, ['c'])
  onPolicy(1, ['b', 'd'])
  await expect.poll(() => prepared).toEqual(['cid of a', 'cid of b', 'cid of d'])
})

test('prepares one at a time, and continues after failures', async () => {
  let running = 0
  let most = 0
  const answers = [() => 'no component', () => Promise.reject(new Error('gone')), () => undefined]
  const done: string[] = []
  const { onPolicy, logged } = preparation({
    prepare: async (cid) => {
      running += 1
      most = Math.max(most, running)
      await new Promise((resolve) => setTimeout(resolve, 5))
      running -= 1
      done.push(cid)
      return await answers.shift()?.()
    },
  })
  onPolicy(1, ['a', 'b', 'c'])
  await expect.poll(() => done).toHaveLength(3)
  expect(most).toBe(1)
  expect(logged).toMatchObject([
    { policyData: 'a', problem: 'no component' },
    { policyData: 'b', problem: 'gone' },
  ])
})

test('does not prepare more than a hundred at a time', async () => {
  const { onPolicy, prepared, close } = preparation()
  for (let at = 0; at < 150; at += 1) onPolicy(1, [`${at}`])
  await expect.poll(() => prepared).toHaveLength(100)
  onPolicy(1, ['149'])
  await expect.poll(() => prepared).toHaveLength(101)
  await close()
})

test('starts nothing after close, and aborts what is running', async () => {
  let told = false
  const { onPolicy, close } = preparation({
    prepare: (_, signal) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => {
          told = true
          reject(signal.reason)
        })
      }),
  })
  onPolicy(1, ['a', 'b'])
  await new Promise((resolve) => setImmediate(resolve))
  await close()
  expect(told).toBe(true)
})
