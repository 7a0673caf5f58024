#!/usr/bin/env node
// Runs the TypeScript sources of this package without a build step.
import { importCompiled } from 'polgate-lib/compile/importCompiled.mjs'

const { run } = await importCompiled('impl/cli/main.ts')
await run(process.argv)
// A failed command may leave a timer or a socket open, which must not delay the exit.
if (process.exitCode) setTimeout(() => process.exit(), 250).unref()
