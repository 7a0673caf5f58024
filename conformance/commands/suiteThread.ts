import { checks } from '../checks/catalogue.ts'
import { expectationOf } from '../reference/catalogue.ts'
import { runThread } from '../runner/thread.ts'

runThread({ checks, expectationOf })
