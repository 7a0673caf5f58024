// A thread that validates values against untrusted schemas: started by schemaThreads.ts, ended by it when one runs on.
import { importCompiled } from 'polgate-lib/compile/importCompiled.mjs'

await importCompiled('impl/service/operators/schemaCheckThread.ts')
