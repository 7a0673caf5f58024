// A thread has no loader for TypeScript of its own.
import { importCompiled } from '../../impl/compile/importCompiled.mjs'

await importCompiled('scripts/rego/caseRunner.ts')
