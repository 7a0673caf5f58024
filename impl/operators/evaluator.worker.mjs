// A thread that evaluates policies: started by regoEvaluator.ts, ended by it when one runs on.
import { importCompiled } from '../compile/importCompiled.mjs'

await importCompiled('impl/operators/evaluatorThread.ts')
