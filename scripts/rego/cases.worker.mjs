// A thread has no loader for TypeScript of its own.
import { importCompiled } from 'polgate-lib/compile/importCompiled.mjs'

await importCompiled('scripts/rego/caseRunner.ts')
