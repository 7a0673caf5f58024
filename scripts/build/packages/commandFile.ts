import { lasting } from 'polgate-lib/compile/optimizeLate.mjs'

/** The file of a command in a published package. */
export const commandFile = (name: string): string => `#!/usr/bin/env node
import module from 'node:module'
import { setFlagsFromString } from 'node:v8'

// From Node 22.1: code stays compiled between starts.
module.enableCompileCache?.()

// As in a clone: see impl/lib/compile/optimizeLate.mjs.
const lasts = ${JSON.stringify(lasting)}.includes(process.argv[2] ?? '')
setFlagsFromString(\`--wasm-tiering-budget=\${lasts ? 36e6 : 2e9}\`)
if (Number.parseInt(process.versions.v8, 10) < 12) setFlagsFromString('--interrupt-budget=1000000')

const { run } = await import('../dist/${name}.mjs')
await run(process.argv)
`
