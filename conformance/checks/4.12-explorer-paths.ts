import { decided, decidedEqual } from '../lab/decided.ts'
import {
  acceptedList,
  ask,
  askPage,
  expectFound,
  explorerNeeds,
  explorerTaskNeeds,
} from '../lab/explorer.ts'
import { ownList, respondedTask } from '../lab/explorerSubjects.ts'
import { freshClientNeeds } from '../lab/freshClient.ts'
import type { Check } from '../runner/check.ts'
import { expectEqual, expectThat, isObject, show } from '../runner/expect.ts'
import { expectShape, natural } from '../wire/shape.ts'

/** Sections 4.12 and 9: the paths of the explorer. */
const window = { task_window_start: '2020-01-01T00:00:00Z' }

export const explorerPaths: readonly Check[] = [
  {
    id: 'explorer.paths',
    title: 'each of the seven paths below /v1 answers a GET with JSON',
    clauses: ['4.12-01', '4.12-04', '9-01', '1-09', '4.12-06', '4.12-08', '4.12-09', '4.12-10'],
    level: 'must',
    needs: [...explorerTaskNeeds, ...freshClientNeeds],
    run: async (t) => {
      const { byId, byAddress, policy } = await ownList(t)
      const { detail } = await respondedTask(t)
      for (const path of ['/task', '/policy', byId, byAddress]) await askPage(t, path, 1, 5)
      for (const path of [`/task/${detail.id}`, `/policy/${policy}`])
        expectFound(await ask(t, path))
      expectShape(
        expectFound(await ask(t, '/stats', { query: window })),
        { total_tasks: natural, total_policies: natural },
        'the counts',
      )
    },
  },
  {
    id: 'explorer.paths.observed.versions',
    title: 'observed: what is served without a version, and below another one',
    clauses: ['4.12-33'],
    level: 'may',
    needs: explorerNeeds,
    run: async (t) => {
      await acceptedList(t)
      for (const path of ['/task', '/v2/task', '/v1/v1/task', '/V1/task']) {
        const { status } = await ask(t, path, { unversioned: true })
        decidedEqual(t, status, 404, path)
      }
    },
  },
  {
    id: 'explorer.paths.observed.unknown',
    title: 'observed: other paths below /v1',
    clauses: ['4.12-33'],
    level: 'may',
    needs: explorerNeeds,
    run: async (t) => {
      await acceptedList(t)
      for (const path of ['', '/', '/nothing', '/tasks', '/Task', '/policy/id', '/stats/all']) {
        const answer = await ask(t, path)
        decidedEqual(t, answer.status, 404, `/v1${path}`)
        decided(t, isObject(answer.json), `the body of /v1${path}`, 'an object', answer.json)
      }
      for (const path of ['/task/', '/stats/', '//task'])
        t.observe(`/v1${path}: HTTP ${(await ask(t, path)).status}`)
    },
  },
  {
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
          decidedEqual(t, status, 405, `${method} ${path}`)
          const allowed = exchange.headers.allow ?? 'absent'
          decided(t, allowed.includes('GET'), `Allow of ${method} ${path}`, 'GET', allowed)
        }
      const options = await ask(t, '/task', { method: 'OPTIONS' })
      t.observe(`OPTIONS: HTTP ${options.status}`)
      const head = await ask(t, '/task', { method: 'HEAD' })
      decidedEqual(t, head.status, 200, 'HEAD')
      expectEqual(head.exchange.body, '', 'the body of a HEAD')
    },
  },
  {
    id: 'explorer.paths.observed.description',
    title: 'observed: whether the explorer describes itself, and all its paths',
    clauses: ['4.12-34'],
    level: 'may',
    needs: explorerNeeds,
    run: async (t) => {
      await acceptedList(t)
      const document = await ask(t, '/openapi.json', { unversioned: true, key: null })
      decidedEqual(t, document.status, 200, '/openapi.json without a key')
      const docs = await ask(t, '/docs', { unversioned: true, key: null })
      decidedEqual(t, docs.status, 200, '/docs without a key')
      const { json } = document
      if (!isObject(json)) return
      const version = String(json.openapi)
      decided(t, version.startsWith('3.1'), 'the version of OpenAPI', '3.1', version)
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
      decided(t, show(listed) === show(known), 'the paths it lists', known, listed)
      const header = t.target.brand.networkHeader
      const told = JSON.stringify(json).toLowerCase()
      decided(t, told.includes(header.toLowerCase()), 'the network header', header, 'not named')
      expectThat(!told.includes('dev-read'), 'the document', 'no key', 'a key')
    },
  },
]
