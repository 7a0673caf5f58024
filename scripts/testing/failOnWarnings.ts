import { afterAll, beforeAll } from 'vitest'
import { unexpected, type Warnings, watchWarnings } from './warnings.ts'

/** A test file fails when its process, or a Node process that it starts, emits a warning. */
let warnings: Warnings
beforeAll(() => {
  warnings = watchWarnings()
})
afterAll(async () => {
  // Warnings are emitted in a tick of their own.
  await new Promise((resolve) => setImmediate(resolve))
  const seen = unexpected(warnings.end())
  if (seen.length === 0) return
  const shown = seen.map(({ command, stack, name, message }) =>
    [`in ${command}`, stack || `${name}: ${message}`].join('\n'),
  )
  throw new Error(`${seen.length} process warnings:\n\n${shown.join('\n\n')}`)
})
