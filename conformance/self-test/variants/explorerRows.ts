import type { ServiceParts } from 'polgate-service/serviceParts.ts'
import type { ExplorerQueries } from 'polgate-service/store/explorer/explorerQueries.ts'
import { everyPolicy, everyTask, taskDetail } from '../mutants/explorerFaults.ts'
import { changedExplorer, type Json } from '../mutants/wrappedListeners.ts'
import type { Variant } from './variant.ts'

/** Other forms of a task and a policy in the explorer (sections 2.9 and 2.10). */

const unmarked = () => undefined

type Parts = NonNullable<Variant['parts']>
type Change = (change: (row: Json) => Json) => (markFired: () => void) => ServiceParts

const shown =
  (rows: Change, change: (row: Json) => Json): Parts =>
  () =>
    rows(change)(unmarked)

/** Replaces queries of the explorer. */
export const queries =
  (change: (queries: ExplorerQueries) => Partial<ExplorerQueries>): Parts =>
  () => ({
    explorer: (deps) => ({ ...deps, queries: { ...deps.queries, ...change(deps.queries) } }),
  })

const isObject = (value: Json): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isHex = (value: Json): value is string =>
  typeof value === 'string' && /^0x([0-9a-f]{2})*$/i.test(value)

const bytesOf = (hex: string) => Buffer.from(hex.slice(2), 'hex')

/** The JSON in bytes; other values stay. */
function decoded(value: Json): Json {
  if (!isHex(value)) return value
  try {
    return JSON.parse(bytesOf(value).toString())
  } catch {
    return value
  }
}

/** Changes every member, of inner objects too. */
function mapped(value: Json, change: (value: Json, name: string) => Json): Json {
  if (Array.isArray(value)) return value.map((each) => mapped(each, change))
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, mapped(change(member, name), change)]),
  )
}

function renamed(value: Json, rename: (name: string) => string): Json {
  if (Array.isArray(value)) return value.map((each) => renamed(each, rename))
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [rename(name), renamed(member, rename)]),
  )
}

const snake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
const camel = (name: string) => name.replace(/_([a-z])/g, (_, letter) => letter.toUpperCase())

const byteMembers = new Set(['wasmArgs', 'data', 'attestation', 'policy', 'policyParams'])

const withData = (change: (value: Json) => Json): Parts =>
  shown(taskDetail, (task) => ({
    ...task,
    policy_config: change(task.policy_config),
    policy_task_data: change(task.policy_task_data),
  }))

/** Changes the strings of rows, except in what the gateway or an oracle said. */
function texts(change: (text: string) => string): Parts {
  const each = (value: Json, name = ''): Json => {
    if (name === 'error' || name === 'operator_errors') return value
    if (typeof value === 'string') return change(value)
    if (Array.isArray(value)) return value.map((item) => each(item))
    if (!isObject(value)) return value
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, each(item, key)]))
  }
  const isError = (answer: Json) => !isObject(answer) || 'detail' in answer
  return () =>
    changedExplorer(/^\/v1\//, (answer) => (isError(answer) ? answer : each(answer)))(unmarked)
}

const time = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d+))?(?:Z|\+00:00)$/
const times = (form: (second: string, fraction: string) => string): Parts =>
  texts((text) => {
    const [, second, fraction = ''] = time.exec(text) ?? []
    return second === undefined ? text : form(second, fraction)
  })

/** Number of blocks from that of a task up to the last one that was read. */
const withConfirmations: Parts = () => {
  let nextBlock: (chainId: number) => Promise<number | undefined> = async () => undefined
  return {
    indexer: (deps) => {
      nextBlock = deps.index.nextBlock
      return deps
    },
    ...queries((inner) => ({
      async task(chainId, id) {
        const [task, next] = await Promise.all([inner.task(chainId, id), nextBlock(chainId)])
        if (task === undefined) return undefined
        const { created_block: block } = task
        const confirmations = block === null || next === undefined ? null : next - block
        return { ...task, confirmations, indexed_at: new Date().toISOString() }
      },
    }))(),
  }
}

const described = ['name', 'version', 'author', 'description'] as const

export const explorerRowVariants: readonly Variant[] = [
  {
    id: 'explorer.decoded-data',
    clauses: ['2.9-28'],
    choice: 'shows policy_config and policy_task_data in snake_case, with their JSON decoded',
    parts: withData((value) => renamed(mapped(value, decoded), snake)),
  },
  {
    id: 'explorer.params-as-text',
    clauses: ['2.9-28'],
    choice: 'shows the parameters in policy_config as JSON text',
    parts: withData((value) =>
      isHex(value?.policyParams)
        ? { ...value, policyParams: bytesOf(value.policyParams).toString() }
        : value,
    ),
  },
  {
    id: 'explorer.bytes-as-numbers',
    clauses: ['2.9-28'],
    choice: 'shows bytes in policy_config and policy_task_data as arrays of numbers',
    parts: withData((value) =>
      mapped(value, (member, name) =>
        byteMembers.has(name) && isHex(member) ? [...bytesOf(member)] : member,
      ),
    ),
  },
  {
    id: 'explorer.bytes-as-base64',
    clauses: ['2.9-28'],
    choice: 'shows bytes in policy_config and policy_task_data in base64',
    parts: withData((value) =>
      mapped(value, (member, name) =>
        byteMembers.has(name) && isHex(member) ? bytesOf(member).toString('base64') : member,
      ),
    ),
  },
  {
    id: 'explorer.certificate-in-camel-case',
    clauses: ['2.9-29'],
    choice: 'shows the certificate of a response in camelCase, with numbers as decimal strings',
    parts: shown(everyTask, (task) => ({
      ...task,
      task_responded_metadata: mapped(
        renamed({ certificate: task.task_responded_metadata }, camel),
        (value) => (typeof value === 'number' ? String(value) : value),
      ).certificate,
    })),
  },
  {
    id: 'explorer.confirmations',
    clauses: ['2.9-30'],
    choice: 'shows of a task the number of its confirmations, and the time of the answer',
    parts: withConfirmations,
  },
  {
    id: 'explorer.rows-like-details',
    clauses: ['2.9-30'],
    choice: 'shows in lists every member of the detail of a task',
    parts: queries((inner) => {
      const whole = async (chainId: number, page: Awaited<ReturnType<typeof inner.tasks>>) => {
        const find = async (row: (typeof page.results)[number]) => {
          const detail = await inner.task(chainId, row.id)
          return detail === undefined ? row : { ...detail, ...row }
        }
        return { ...page, results: await Promise.all(page.results.map(find)) }
      }
      return {
        tasks: async (chainId, page) => whole(chainId, await inner.tasks(chainId, page)),
        tasksOfPolicyId: async (chainId, id, page) =>
          whole(chainId, await inner.tasksOfPolicyId(chainId, id, page)),
        tasksOfPolicyAddress: async (chainId, address, page) =>
          whole(chainId, await inner.tasksOfPolicyAddress(chainId, address, page)),
      }
    }),
  },
  {
    id: 'explorer.upper-case-hex',
    clauses: ['2.9-31'],
    choice: 'shows hex in upper case',
    parts: texts((text) =>
      /^0x[0-9a-f]+$/i.test(text) ? `0x${text.slice(2).toUpperCase()}` : text,
    ),
  },
  {
    id: 'explorer.times-in-microseconds',
    clauses: ['2.9-31'],
    choice: 'shows times with microseconds and the offset +00:00',
    parts: times((second, fraction) => `${second}.${fraction.padEnd(6, '0')}+00:00`),
  },
  {
    id: 'explorer.times-in-seconds',
    clauses: ['2.9-31'],
    choice: 'shows times without fractions of a second, although it counts with them',
    parts: times((second) => `${second}Z`),
  },
  {
    id: 'explorer.errors-by-operator',
    clauses: ['2.9-33'],
    choice: 'shows operator_errors as an object with the operators as names',
    parts: shown(everyTask, (task) =>
      Array.isArray(task.operator_errors)
        ? {
            ...task,
            operator_errors: Object.fromEntries(
              task.operator_errors.map((error: Json, at: number) => [
                error?.operator_address ?? `operator ${at}`,
                error?.message ?? error,
              ]),
            ),
          }
        : task,
    ),
  },
  {
    id: 'explorer.policy-info-in-camel-case',
    clauses: ['2.10-09'],
    choice: 'shows policy_info in camelCase, with URLs for content ids',
    parts: shown(everyPolicy, (policy) => {
      const url = (value: Json, name: string) =>
        /cid$/i.test(name) && typeof value === 'string' && value !== '' ? `ipfs://${value}` : value
      const { policy_info: info } = policy
      return { ...policy, policy_info: renamed(mapped(info, url), camel) }
    }),
  },
  {
    id: 'explorer.verified-by-reviewers',
    clauses: ['2.10-10'],
    choice: 'shows policies as not verified until a person has reviewed them',
    parts: shown(everyPolicy, (policy) => ({ ...policy, verified: false })),
  },
  {
    id: 'explorer.never-verified',
    clauses: ['2.10-10'],
    choice: 'does not verify policies: verified is null',
    parts: shown(everyPolicy, (policy) => ({ ...policy, verified: null })),
  },
  {
    id: 'explorer.placeholders-for-metadata',
    clauses: ['2.10-11'],
    choice: 'shows placeholders for metadata that it has not found, or not yet',
    parts: shown(everyPolicy, (policy) =>
      described.every((name) => policy[name] === null)
        ? { ...policy, name: 'Unnamed policy', version: '0.0.0', description: 'No metadata' }
        : policy,
    ),
  },
  {
    id: 'explorer.tasks-of-policies',
    clauses: ['2.10-12'],
    choice: 'shows of a policy the number of its tasks',
    parts: queries((inner) => {
      const counted = async <P extends { readonly address: string }>(chainId: number, row: P) => {
        const { total } = await inner.tasksOfPolicyAddress(chainId, row.address, {
          page: 1,
          size: 1,
        })
        return { ...row, task_count: total }
      }
      return {
        async policy(chainId, address) {
          const row = await inner.policy(chainId, address)
          return row && counted(chainId, row)
        },
        async policies(chainId, page) {
          const got = await inner.policies(chainId, page)
          const rows = got.results.map((row) => counted(chainId, row))
          return { ...got, results: await Promise.all(rows) }
        },
      }
    }),
  },
]
