import { expect, test } from 'vitest'
import { LineProcess } from './lineProcess.ts'

/** Echoes lines; `long` begins a line without end, `end` ends the process, `wait` is not answered. */
const ECHO = `require('node:readline').createInterface(process.stdin).on('line', (line) => {
  if (line === 'long') setInterval(() => process.stdout.write('x'.repeat(1000)), 1)
  else if (line === 'end') process.exit()
  else if (line !== 'wait') console.log(line)
})`

const MOST = { ms: 20_000, length: 100 }

test.each([
  ['end', MOST, 'the process ended'],
  ['long', MOST, 'an answer of more than 100 bytes'],
  ['wait', { ...MOST, ms: 1 }, 'no answer within 1 ms'],
])('a process is over after a line that it does not answer: %s', async (last, most, ended) => {
  const echo = new LineProcess(process.execPath, ['-e', ECHO])
  echo.send(['a', 'é', last])
  expect([await echo.line(MOST), await echo.line(MOST)]).toEqual(['a', 'é'])
  expect(await echo.line(most)).toEqual({ ended })
  expect(await echo.line(most)).toEqual({ ended })
})

test('a command that does not exist is over', async () => {
  const none = new LineProcess('/nonexistent', [])
  none.send(['a'])
  expect(await none.line(MOST)).toEqual({ ended: expect.stringContaining('ENOENT') })
})
