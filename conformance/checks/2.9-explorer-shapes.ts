import { policyParamsJson } from 'polgate-protocol/policyParams.ts'
import { type Hex, hexToString, isHex } from 'viem'
import type { Check } from '../core/check.ts'
import { expectObject, expectThat, isObject, type JsonObject, show } from '../core/expect.ts'
import {
  detailRules,
  expectDetailOfTask,
  expectMoment,
  otherNames,
  summaryRules,
} from '../kit/assertions/explorerRows.ts'
import { sameHex } from '../kit/assertions/hex.ts'
import { observed } from '../kit/assertions/observed.ts'
import { byteArray, bytes32, expectShape } from '../kit/assertions/shape.ts'
import { ask, explorerTaskNeeds, networkOf } from '../kit/scenarios/explorer.ts'
import { callAll } from '../kit/scenarios/explorerLists.ts'
import {
  ownList,
  pricedTask,
  respondedTask,
  trappedTask,
} from '../kit/scenarios/explorerSubjects.ts'
import { fixture, policyOfClient } from '../kit/scenarios/fixtures.ts'
import { newClientNeeds } from '../kit/scenarios/newClient.ts'
import { wasmArgs } from '../kit/scenarios/oracles.ts'

import { taskResponseOf } from './2.9-explorer-task.ts'

/** Section 2.9: inner structures of a task, and what the specification leaves open about them. */
const needs = explorerTaskNeeds
const ownNeeds = [...needs, ...newClientNeeds] as const
const pricedNeeds = [...needs, 'fixture-host', `client:${fixture.priced}`] as const

/** Deep equality, case-insensitive for hex. */
const sameJson = (a: unknown, b: unknown) =>
  JSON.stringify(sorted(a)).toLowerCase() === JSON.stringify(sorted(b)).toLowerCase()

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((name) => [name, sorted(value[name])]),
  )
}

/** Bytes as hex, in base64 or as an array of numbers; undefined for anything else. */
function textOf(value: unknown): string | undefined {
  if (typeof value === 'string')
    return /^(0x)?([0-9a-f]{2})*$/i.test(value)
      ? Buffer.from(value.replace(/^0x/i, ''), 'hex').toString()
      : Buffer.from(value, 'base64').toString()
  return byteArray(value) === undefined
    ? Buffer.from(value as readonly number[]).toString()
    : undefined
}

/** Whether it is, or contains, these bytes in one of these forms. */
function containsBytes(value: unknown, text: string): boolean {
  if (textOf(value)?.includes(text)) return true
  return typeof value === 'object' && value !== null
    ? Object.values(value).some((inner) => containsBytes(inner, text))
    : false
}

/** The output of the oracle is somewhere in the data that the explorer shows, as bytes or as JSON. */
function expectShows(shown: JsonObject, answered: unknown): void {
  const [entry] =
    isObject(answered) && Array.isArray(answered.policyData) ? answered.policyData : []
  const hex = isObject(entry) ? String(entry.data).toLowerCase().replace(/^0x/, '') : ''
  expectThat(hex !== '', 'policy_task_data of the response', 'data of the oracle', answered)
  const text = JSON.stringify(shown)
  const output = Buffer.from(hex, 'hex').toString()
  if (text.toLowerCase().includes(hex) || containsBytes(shown, output)) return
  const leaves = leavesOf(JSON.parse(output))
  const isShown = leaves.every((leaf) => text.includes(String(leaf)))
  expectThat(isShown, 'policy_task_data', `the output of the oracle: ${output}`, shown)
}

const leavesOf = (value: unknown): readonly unknown[] =>
  typeof value === 'object' && value !== null ? Object.values(value).flatMap(leavesOf) : [value]

/** The parameters in these bytes; undefined if they are no JSON. */
function paramsIn(bytes: Hex): unknown {
  try {
    return JSON.parse(policyParamsJson(hexToString(bytes)))
  } catch {
    return undefined
  }
}

export const explorerShapes: readonly Check[] = [
  {
    // 2.9-21: The detail adds policy_config, an object or null: the parameters that were used.
    // 2.9-28: Inner shapes of policy_config and policy_task_data.
    id: 'explorer.task.policy-config',
    title: 'policy_config contains the parameters that were used; observed: its structure',
    clauses: ['2.9-21', '2.9-28'],
    level: 'must',
    needs,
    run: async (t) => {
      const { detail, result } = await respondedTask(t)
      expectObject(detail.policy_config, 'policy_config')
      const config = detail.policy_config
      t.observe(`policy_config has ${Object.keys(config).join(', ')}`)
      const { expireAfter } = t.client(fixture.simple)
      observed(t, 'expire-after', 'expireAfter', config.expireAfter, { expireAfter })
      const { policyParams } = config
      const params = JSON.stringify(policyOfClient(t, fixture.simple).params)
      const same = isHex(policyParams) && sameJson(paramsIn(policyParams), JSON.parse(params))
      observed(t, 'policy-params', 'policyParams', policyParams, { sameJson: same, params })
      const answered = taskResponseOf(result).policy_config
      observed(t, 'policy-config', 'policy_config compared with that of the response', config, {
        answered,
        sameJson: sameJson(config, answered),
      })
    },
  },
  {
    // 2.9-22: The detail adds policy_task_data, an object or null: the data the policy was
    //   evaluated with.
    // 2.9-28: Inner shapes of policy_config and policy_task_data.
    id: 'explorer.task.policy-task-data',
    title:
      'policy_task_data contains the data the policy was evaluated with; observed: its structure',
    clauses: ['2.9-22', '2.9-28'],
    level: 'must',
    needs: pricedNeeds,
    run: async (t) => {
      const { detail, result } = await pricedTask(t, { wasm_args: wasmArgs(t, fixture.priced) })
      expectObject(detail.policy_task_data, 'policy_task_data')
      const shown = detail.policy_task_data
      t.observe(`policy_task_data has ${Object.keys(shown).join(', ')}`)
      const answered = taskResponseOf(result).policy_task_data
      expectShows(shown, answered)
      observed(
        t,
        'policy-task-data',
        'policy_task_data compared with that of the response',
        shown,
        {
          answered,
          sameJson: sameJson(shown, answered),
        },
      )
      const simple = (await respondedTask(t)).detail.policy_task_data
      t.observe(`without oracles: ${show(simple)}`)
    },
  },
  {
    // 2.9-29: The inner shape of task_responded_metadata.
    // 2.9-17: task_responded_metadata is an object or null: metadata of the response.
    id: 'explorer.task.metadata',
    title: 'observed: task_responded_metadata, compared with the response',
    clauses: ['2.9-29', '2.9-17'],
    level: 'must',
    needs,
    run: async (t) => {
      const { detail, result } = await respondedTask(t)
      const metadata = detail.task_responded_metadata
      expectObject(metadata, 'task_responded_metadata')
      t.observe(show(metadata))
      observed(t, 'reference-block', 'reference_block', metadata.reference_block, {
        answered: result.reference_block,
      })
      observed(t, 'expiration-block', 'expiration_block', metadata.expiration_block, {
        answered: result.expiration,
      })
      const { block } = await expectMoment(t, detail, 'task_responded_at', 'responded_txn_hash')
      observed(t, 'responded-block', 'responded_block', metadata.responded_block, { block })
      const aggregation = result.aggregation_response
      const digest = isObject(aggregation) ? aggregation.task_response_digest : undefined
      const same = sameHex(metadata.response_digest, digest)
      observed(t, 'response-digest', 'response_digest', metadata.response_digest, {
        digest,
        sameHex: same,
      })
    },
  },
  {
    // 4.12-26: Whether ids and addresses are matched without regard to case, and the response for
    //   malformed ones.
    // 2.9-31: The letter case of hex, and the precision of times.
    id: 'explorer.task.letters',
    title: 'a task is found by its id in upper case too; observed: case and times',
    clauses: ['4.12-26', '2.9-31'],
    level: 'may',
    needs,
    run: async (t) => {
      const { detail } = await respondedTask(t)
      const id = String(detail.id)
      for (const other of [`0x${id.slice(2).toUpperCase()}`, `0X${id.slice(2)}`]) {
        const { status } = await ask(t, `/task/${other}`)
        if (other.startsWith('0x')) observed(t, 'id-in-capitals', 'an id in upper case', status)
        else t.observe(`an id with 0X: HTTP ${status}`)
      }
      const hex = ['id', 'sender_address', 'policy_client_address', 'policy_id', 'policy_address']
      const lower = hex.every((name) => detail[name] === String(detail[name]).toLowerCase())
      observed(
        t,
        'hex',
        'hex',
        hex.map((name) => detail[name]),
        { lowerCase: lower },
      )
      t.observe(`times such as ${detail.task_created_at}, updated_at ${detail.updated_at}`)
    },
  },
  {
    // 2.9-30: Further members of a task.
    id: 'explorer.task.observed.members',
    title: 'observed: unspecified members',
    clauses: ['2.9-30'],
    level: 'may',
    needs: ownNeeds,
    run: async (t) => {
      const { detail } = await respondedTask(t)
      expectShape(detail, { id: bytes32 }, 'the task')
      const more = otherNames(detail, { ...summaryRules, ...detailRules })
      observed(t, 'further-members', 'unspecified members of a detail', more)
      const { byId } = await ownList(t)
      for (const row of await callAll(t, byId)) {
        const ofRow = otherNames(row, summaryRules).filter((name) => !(name in detailRules))
        observed(t, 'members-of-rows', 'unspecified members of a summary', ofRow, { more })
      }
    },
  },
  {
    // 2.9-33: The shape of operator_errors.
    // 2.9-10: operator_errors is an object, an array or null.
    id: 'explorer.task.observed.operator-errors',
    title: 'observed: operator_errors of a task whose oracle failed',
    clauses: ['2.9-33', '2.9-10'],
    level: 'must',
    needs: [...needs, `client:${fixture.trapping}`],
    run: async (t) => {
      const { detail, answer } = await trappedTask(t)
      if (detail === undefined) return void t.observe('the task is not shown')
      expectDetailOfTask(detail, networkOf(t))
      t.observe(show(detail.operator_errors))
      observed(
        t,
        'operator-errors',
        'operator_errors compared with those of the response',
        detail.operator_errors,
        {
          answered: answer.operator_errors,
          sameJson: sameJson(detail.operator_errors, answer.operator_errors),
        },
      )
    },
  },
]
