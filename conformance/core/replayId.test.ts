import { expect, test } from 'vitest'
import { replayId, replayIdPattern } from './replayId.ts'

test('the replay id of a check and a seed never changes', () => {
  expect(replayId('rpc.createTask.allow', '0x5eed42aa')).toMatchInlineSnapshot(`"ryqzs29m"`)
})

test('another check or another seed has another id, and all match the id pattern', () => {
  const ids = ['rpc.a', 'rpc.b'].flatMap((check) =>
    Array.from({ length: 50 }, (_, i) => replayId(check, `0x${i}`)),
  )
  expect(new Set(ids).size).toBe(ids.length)
  expect(ids.filter((id) => !replayIdPattern.test(id))).toEqual([])
})
