import type { Check } from '../core/check.ts'
import { expectEqual, expectThat, isObject } from '../core/expect.ts'
import { observed } from '../kit/assertions/observed.ts'
import { expectShape, natural } from '../kit/assertions/shape.ts'
import {
  ask,
  askPolicy,
  askTask,
  expectFound,
  explorerNeeds,
  explorerTaskNeeds,
} from '../kit/scenarios/explorer.ts'
import { acceptedList, fetchPage } from '../kit/scenarios/explorerLists.ts'
import { ownList, respondedTask } from '../kit/scenarios/explorerSubjects.ts'
import { newClientNeeds } from '../kit/scenarios/newClient.ts'

/** Sections 4.12 and 9: the paths of the explorer. */
const window = { task_window_start: '2020-01-01T00:00:00Z' }

export const explorerPaths: readonly Check[] = [
  {
    // 4.12-01: Every endpoint is a GET below {explorer_url}/v1.
    // 4.12-04: Responses are JSON.
    // 9-01: The path of the explorer has the version /v1.
    // 1-09: A read-only explorer serves the indexed history of tasks and policies.
    // 4.12-06: /task returns a page of tasks, by page and size.
    // 4.12-08: /policy returns a page of policies, by page and size.
    // 4.12-09: /policy/id/{policy_id}/task returns a page of the tasks of a policy id.
    // 4.12-10: /policy/address/{policy_address}/task returns a page of the tasks of a policy’s
    //   address.
    id: 'explorer.paths',
    title: 'each of the seven paths below /v1 answers a GET with JSON',
    clauses: ['4.12-01', '4.12-04', '9-01', '1-09', '4.12-06', '4.12-08', '4.12-09', '4.12-10'],
    level: 'must',
    needs: [...explorerTaskNeeds, ...newClientNeeds],
    run: async (t) => {
      const { byId, byAddress, policy } = await ownList(t)
      const { detail } = await respondedTask(t)
      for (const path of ['/task', '/policy', byId, byAddress]) await fetchPage(t, path, 1, 5)
      expectFound(await askTask(t, detail.id))
      expectFound(await askPolicy(t, policy))
      expectShape(
        expectFound(await ask(t, '/stats', { query: window })),
        { total_tasks: natural, total_policies: natural },
        'the counts',
      )
    },
  },
  {
    // 4.12-33: The response to other paths.
    id: 'explorer.paths.observed.versions',
    title: 'observed: what is served without a version, and below another one',
    clauses: ['4.12-33'],
    level: 'may',
    needs: explorerNeeds,
    run: async (t) => {
      await acceptedList(t)
      for (const path of ['/task', '/v2/task', '/v1/v1/task', '/V1/task']) {
        const { status } = await ask(t, path, { unversioned: true })
        observed(t, 'status', path, status)
      }
    },
  },
  {
    // 4.12-33: The response to other paths.
    id: 'explorer.paths.observed.unknown',
    title: 'observed: other paths below /v1',
    clauses: ['4.12-33'],
    level: 'may',
    needs: explorerNeeds,
    run: async (t) => {
      await acceptedList(t)
      for (const path of ['', '/', '/nothing', '/tasks', '/Task', '/policy/id', '/stats/all']) {
        const answer = await ask(t, path)
        observed(t, 'status', `/v1${path}`, answer.status)
        observed(t, 'body', `the body of /v1${path}`, answer.json)
      }
      for (const path of ['/task/', '/stats/', '//task'])
        t.observe(`/v1${path}: HTTP ${(await ask(t, path)).status}`)
    },
  },
  {
    // 4.12-32: The response to other HTTP methods.
    id: 'explorer.paths.observed.methods',
    title: 'observed: other methods',
    clauses: ['4.12-32'],
    level: 'may',
    needs: explorerNeeds,
    run: async (t) => {
      await acceptedList(t)
      for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'])
        for (const path of ['/task', '/policy', '/stats', `/task/0x${'5e'.repeat(32)}`]) {
          const { status, exchange } = await ask(t, path, { method })
          observed(t, 'status', `${method} ${path}`, status)
          const allowed = exchange.headers.allow ?? 'absent'
          observed(t, 'allow', `Allow of ${method} ${path}`, allowed)
        }
      const options = await ask(t, '/task', { method: 'OPTIONS' })
      t.observe(`OPTIONS: HTTP ${options.status}`)
      const head = await ask(t, '/task', { method: 'HEAD' })
      observed(t, 'head', 'HEAD', head.status)
      expectEqual(head.exchange.body, '', 'the body of a HEAD')
    },
  },
  {
    // 4.12-34: Whether the explorer describes itself.
    id: 'explorer.paths.observed.description',
    title: 'observed: whether the explorer describes itself, and all its paths',
    clauses: ['4.12-34'],
    level: 'may',
    needs: explorerNeeds,
    run: async (t) => {
      await acceptedList(t)
      const document = await ask(t, '/openapi.json', { unversioned: true, key: null })
      observed(t, 'openapi-status', '/openapi.json without a key', document.status)
      const docs = await ask(t, '/docs', { unversioned: true, key: null })
      observed(t, 'docs-status', '/docs without a key', docs.status)
      const { json } = document
      if (!isObject(json)) return
      const version = String(json.openapi)
      observed(t, 'openapi-version', 'the version of OpenAPI', version)
      const listed = isObject(json.paths) ? Object.keys(json.paths).sort() : []
      const known = [
        '/v1/policy',
        '/v1/policy/address/{policy_address}/task',
        '/v1/policy/id/{policy_id}/task',
        '/v1/policy/{address}',
        '/v1/stats',
        '/v1/task',
        '/v1/task/{task_id}',
      ]
      observed(t, 'paths', 'the paths it lists', listed, { known })
      const header = t.target.brand.networkHeader
      const told = JSON.stringify(json).toLowerCase()
      observed(t, 'network-header', 'the network header', 'not named', {
        named: told.includes(header.toLowerCase()),
        header,
      })
      expectThat(!told.includes('dev-read'), 'the document', 'no key', 'a key')
    },
  },
]
