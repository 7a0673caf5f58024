import { afterAll, beforeAll, describe } from 'vitest'
import { type AuthorStack, startAuthorStack } from './testing/authorStack.ts'
import { contractsSuite } from './testing/contracts.suite.ts'
import { findStackSuite } from './testing/findStack.suite.ts'
import { interruptedPublishSuite } from './testing/interruptedPublish.suite.ts'
import { publishSuite } from './testing/publish.suite.ts'
import { taskSuite } from './testing/task.suite.ts'

let author: AuthorStack
beforeAll(async () => {
  author = await startAuthorStack()
})
afterAll(() => author.close())

describe('polgate task', () => taskSuite(() => author))
describe('polgate policy publish', () => publishSuite(() => author))
describe('polgate policy publish, interrupted', () => interruptedPublishSuite(() => author))
describe('the running stack', () => findStackSuite(() => author))
describe('contracts of users', () => contractsSuite(() => author))
