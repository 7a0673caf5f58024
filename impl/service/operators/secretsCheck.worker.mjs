// A thread that validates secrets: started by secretsCheck.ts, ended by it when a schema runs on.
import { importCompiled } from 'polgate-lib/compile/importCompiled.mjs'

await importCompiled('impl/service/operators/secretsCheckThread.ts')
