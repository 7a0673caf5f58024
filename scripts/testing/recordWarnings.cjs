// @ts-check
// Loaded by every Node process that a test starts (NODE_OPTIONS): appends the process's warnings to a
// file, for failOnWarnings.ts.
const { appendFileSync } = require('node:fs')

const file = process.env.SVC_TEST_WARNINGS
if (file) {
  process.on('warning', ({ name, message, stack = '' }) => {
    const command = process.argv.slice(1).join(' ').slice(0, 500)
    appendFileSync(file, `${JSON.stringify({ name, message, stack, command })}\n`)
  })
}
