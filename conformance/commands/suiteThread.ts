import { checks } from '../checks/catalogue.ts'
import { runThread } from '../runner/thread.ts'

runThread(checks)
