import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createCleanupStack } from 'polgate-lib/async/cleanupStack.ts'
import { afterEach, expect, test } from 'vitest'
import { root } from './bundle.ts'
import { packageDefinitions } from './definitions.ts'
import { linkedPages } from './linkedPages.ts'

const cleanup = createCleanupStack()
afterEach(cleanup.close)

function folderWith(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'linked-'))
  cleanup.defer(() => rmSync(folder, { recursive: true }))
  mkdirSync(join(folder, 'more'))
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  return folder
}

test('pages that are linked, and what they link to, are shipped', () => {
  const readme = '[a](a.md#part) [b](https://b.example) [c](#here)\n```md\n[d](d.md)\n```\n'
  const folder = folderWith({ 'README.md': readme, 'a.md': '[e](more/e.yml)', 'more/e.yml': '' })
  expect(linkedPages(folder)).toEqual(['a.md', 'more/e.yml'])
})

test.each([
  ['[a](../a.md)', 'is not in the package'],
  ['[a](a.md)', 'does not exist'],
])('%s is an error', (readme, message) => {
  expect(() => linkedPages(folderWith({ 'README.md': readme }))).toThrow(message)
})

test('every link of the published READMEs leads to a file of the package', () => {
  const pages = packageDefinitions.flatMap(({ directory }) => linkedPages(join(root, directory)))
  expect(pages).toContain('EVENTS.md')
})
