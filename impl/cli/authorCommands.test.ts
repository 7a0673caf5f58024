import { afterAll, beforeAll, describe } from 'vitest'
import { type AuthorStack, startAuthorStack } from './testing/authorStack.ts'
import { chainSuite } from './testing/chain.suite.ts'
import { contractsSuite } from './testing/contracts.suite.ts'
import { devSuite } from './testing/dev.suite.ts'
import { findStackSuite } from './testing/findStack.suite.ts'
import { interruptedPublishSuite } from './testing/interruptedPublish.suite.ts'
import { publishSuite } from './testing/publish.suite.ts'
import { taskSuite } from './testing/task.suite.ts'
import { templatesSuite } from './testing/templates.suite.ts'
import { webhooksSuite } from './testing/webhooks.suite.ts'

let author: AuthorStack
beforeAll(async () => {
  author = await startAuthorStack()
})
afterAll(() => author.close())

describe('polgate task', () => taskSuite(() => author))
describe('polgate policy publish', () => publishSuite(() => author))
describe('polgate policy publish, interrupted', () => interruptedPublishSuite(() => author))
describe('templates', () => templatesSuite(() => author))
describe('polgate dev', () => devSuite(() => author))
describe('polgate chain', () => chainSuite(() => author))
describe('polgate webhooks', () => webhooksSuite(() => author))
describe('the running stack', () => findStackSuite(() => author))
describe('contracts of users', () => contractsSuite(() => author))
