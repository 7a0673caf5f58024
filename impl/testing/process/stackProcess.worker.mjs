// A process of its own for each stack, not a thread.
import { importCompiled } from 'polgate-lib/compile/importCompiled.mjs'

await importCompiled('impl/testing/process/stackProcess.ts')
