// A thread with the checks of threads.fixture.ts, for tests of what starts threads.
import { importSource } from 'polgate-lib/compile/importCompiled.mjs'

const { checks } = await importSource('conformance/runner/threads.fixture.ts')
const { runThread } = await importSource('conformance/runner/thread.ts')
runThread({ checks })
