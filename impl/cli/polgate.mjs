#!/usr/bin/env node
// Runs the TypeScript sources of this package without a build step.
import { setFlagsFromString } from 'node:v8'
import { importCompiled } from 'polgate-lib/compile/importCompiled.mjs'

// WebAssembly functions are optimized once they are hot. By default thousands of the embedded
// database are while it starts, which takes half of the CPU time of a short command; with this
// number of executed bytes (Node 20: a twentieth) only those that stay hot are.
setFlagsFromString('--wasm-tiering-budget=36000000')

const { run } = await importCompiled('impl/cli/main.ts')
await run(process.argv)
// A failed command may leave a timer or a socket open, which must not delay the exit.
if (process.exitCode) setTimeout(() => process.exit(), 250).unref()
