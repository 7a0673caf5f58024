import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** `String(undefined)` is a text: a failure would show it in quotes, as if the target had sent it. */
const madeText = /expect(?:Equal|Match|That|Hex)\(\s*\[?String\(|\?\? 'absent',?\s*\)/

test('no check turns a value into a text before it compares it', () => {
  const files = ['checks', 'kit', 'model'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
      .map((file) => join(folder, file)),
  )
  expect(files.length).toBeGreaterThan(100)
  expect(files.filter((file) => madeText.test(readFileSync(join(root, file), 'utf8')))).toEqual([])
})
