#!/usr/bin/env node
// Runs the TypeScript of this package without a build.
import { importCompiled } from 'polgate-lib/compile/importCompiled.mjs'

const { run } = await importCompiled('impl/cli/main.ts')
await run(process.argv)
// What failed may have left a timer or a socket: nothing more is to come.
if (process.exitCode) setTimeout(() => process.exit(), 250).unref()
