// A thread that evaluates policies: started by regoEvaluator.ts, ended by it when one runs on.
import { importCompiled } from 'polgate-lib/compile/importCompiled.mjs'

await importCompiled('impl/service/operators/evaluatorThread.ts')
