import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { unexpected, watchWarnings } from './warnings.ts'

const leak = `
  const emitter = new (require('node:events').EventEmitter)()
  for (let each = 0; each < 11; each += 1) emitter.on('error', () => {})
`

test('a warning of this process is seen', () => {
  const warnings = watchWarnings()
  // As the process itself does with a warning, but to those who watch here alone.
  const [watch] = process.listeners('warning').slice(-1)
  watch?.(new Error('11 error listeners added'))
  expect(unexpected(warnings.end())).toMatchObject([
    { message: '11 error listeners added', command: 'this process' },
  ])
})

test('a warning of a process that is started is seen, with its command', async () => {
  const warnings = watchWarnings()
  await promisify(execFile)(process.execPath, ['-e', leak, 'of', 'a', 'test'])
  await promisify(execFile)(process.execPath, ['-e', 'new Buffer(1)'])
  const seen = warnings.end()
  expect(unexpected(seen)).toMatchObject([
    { name: 'MaxListenersExceededWarning', command: 'of a test' },
    { name: 'DeprecationWarning' },
  ])
})

test('nothing is seen before and after, and the environment is as it was', async () => {
  const before = { ...process.env }
  const warnings = watchWarnings()
  expect(warnings.end()).toEqual([])
  expect(process.env).toEqual(before)
})
