// A thread has no TypeScript loader by default.
import { importCompiled } from 'polgate-lib/compile/importCompiled.mjs'

await importCompiled('scripts/rego/caseRunner.ts')
