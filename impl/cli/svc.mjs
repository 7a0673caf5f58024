#!/usr/bin/env node
// Runs the TypeScript of this package without a build.
import { register } from 'tsx/esm/api'

register()
const { endWithReader } = await import('./endWithReader.ts')
endWithReader()
const { main } = await import('./main.ts')
await main(process.argv)
// What failed may have left a timer or a socket: nothing more is to come.
if (process.exitCode) setTimeout(() => process.exit(), 250).unref()
