import { workerData } from 'node:worker_threads'
import { checks } from '../checks/catalogue.ts'
import { importOwnChecks, type OwnModule } from '../own/loadOwnChecks.ts'
import { expectationOf } from '../reference/catalogue.ts'
import { runThread } from '../runner/thread.ts'

/** The checks of the gateway itself that the run has, if any. */
const own = await importOwnChecks((workerData as { own?: readonly OwnModule[] } | null)?.own ?? [])

runThread({ checks: [...checks, ...own], expectationOf })
