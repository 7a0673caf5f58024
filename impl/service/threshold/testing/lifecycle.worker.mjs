// A process that repeats an operation on a key until it kills itself: started by killedProcess.test.ts.
import { importCompiled } from 'polgate-lib/compile/importCompiled.mjs'

const { repeat } = await importCompiled('impl/service/threshold/lifecycleForever.fixture.ts')
await repeat(process.argv[2])
