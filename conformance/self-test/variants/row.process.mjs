// A process that tries one set of variants: forked by runRows.ts.
import { importCompiled } from 'polgate-lib/compile/importCompiled.mjs'
import { optimizeLate } from 'polgate-lib/compile/optimizeLate.mjs'

optimizeLate()
await importCompiled('conformance/self-test/variants/row.process.ts')
