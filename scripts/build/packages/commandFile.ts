/** The file of a command in a published package. */
export const commandFile = (name: string): string => `#!/usr/bin/env node
import { setFlagsFromString } from 'node:v8'

// As in a clone: see impl/cli/polgate.mjs.
setFlagsFromString('--wasm-tiering-budget=36000000')

const { run } = await import('../dist/${name}.mjs')
await run(process.argv)
// What failed may have left a timer or a socket: nothing more is to come.
if (process.exitCode) setTimeout(() => process.exit(), 250).unref()
`
