import { expect, test } from 'vitest'
import { replayIdOf } from './replayId.ts'

test('a replay id is short, the same everywhere, and another for each check and seed', () => {
  expect(replayIdOf('rpc.createTask.allow', '0x005eed42')).toMatchInlineSnapshot(`"r8rycpm"`)
  const ids = new Set<string>()
  for (let check = 0; check < 50; check++)
    for (const seed of ['0x00000001', '0x00000002']) ids.add(replayIdOf(`rpc.${check}`, seed))
  expect(ids.size).toBe(100)
  for (const id of ids) expect(id).toMatch(/^r[2-9a-z]{6}$/)
})
