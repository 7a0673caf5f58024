import { afterAll, beforeAll, describe } from 'vitest'
import { type AuthorStack, startAuthorStack } from './testing/authorStack.ts'
import { chainSuite } from './testing/chain.suite.ts'
import { controlPoliciesSuite } from './testing/controlPolicies.suite.ts'
import { devSuite } from './testing/dev.suite.ts'
import { packsSuite } from './testing/packs.suite.ts'
import { resolvedSuite } from './testing/resolved.suite.ts'
import { templatesSuite } from './testing/templates.suite.ts'
import { webhookInboxSuite } from './testing/webhookInbox.suite.ts'
import { webhooksSuite } from './testing/webhooks.suite.ts'

let author: AuthorStack
beforeAll(async () => {
  author = await startAuthorStack()
})
afterAll(() => author.close())

describe('templates', () => templatesSuite(() => author))
describe('packs of publishers', () => packsSuite(() => author))
describe('a package, resolved', () => resolvedSuite(() => author))
describe('polgate dev', () => devSuite(() => author))
// Before the stack moves in time, which closes the store that a test has in its hands.
describe('the inbox of webhooks', () => webhookInboxSuite(() => author))
describe('polgate chain', () => chainSuite(() => author))
describe('polgate webhooks', () => webhooksSuite(() => author))
describe('policies in the control API', () => controlPoliciesSuite(() => author))
