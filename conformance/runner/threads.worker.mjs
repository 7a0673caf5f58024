// A thread with the checks of threads.fixture.ts, for tests of what starts threads.
import { importCompiled } from 'polgate-lib/compile/importCompiled.mjs'

await importCompiled('conformance/runner/threadsThread.fixture.ts')
