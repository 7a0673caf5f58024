import { runThread } from './thread.ts'
import { checks } from './threads.fixture.ts'

runThread({ checks })
