import { expect, it } from 'vitest'
import { openBrowser } from './openBrowser.ts'

it.skipIf(process.platform === 'win32').each([
  [['true'], undefined],
  [['false'], 'false ended with code 1'],
  [['sh', '-c', 'exit 3'], 'sh ended with code 3'],
  [['sh', '-c', 'kill -9 $$'], 'sh ended with SIGKILL'],
  [['no-such-opener'], 'there is no no-such-opener'],
])('the opener %j: %s', async (opener, problem) => {
  expect(await openBrowser('http://127.0.0.1:1/open?code=a', opener)).toBe(problem)
})
