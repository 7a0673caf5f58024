import { plainIntent, stackClient } from 'polgate-local/testing/stackClient.ts'
import type { ClientDetail, ClientSummary } from 'polgate-protocol/control/policies.ts'
import type { RedecideAnswer, TaskEvaluation } from 'polgate-protocol/control/redecide.ts'
import { expect, test } from 'vitest'
import type { AuthorStack } from './authorStack.ts'

const ether = 10n ** 18n

/** Policies, clients and past decisions in the control API of a stack. */
export function controlPoliciesSuite(author: () => AuthorStack): void {
  const description = () => author().stack.description
  async function control<T>(path: string, body?: object): Promise<[number, T]> {
    const response = await fetch(`${description().controlUrl}${path}`, {
      ...(body === undefined
        ? {}
        : {
            method: 'POST',
            headers: { 'content-type': 'application/json' },
            body: JSON.stringify(body),
          }),
    })
    return [response.status, (await response.json()) as T]
  }
  const clientAt = async (address: string) =>
    (await control<ClientDetail>(`/clients/${address}`))[1]
  async function newTask(policyClient: string, value: bigint): Promise<string> {
    const { result } = await stackClient(description()).call('createTask', {
      policy_client: policyClient,
      intent: plainIntent(description(), value),
    })
    expect(result).toMatchObject({ status: 'success' })
    return result!.task_id!
  }

  test('past tasks are decided again, a policy and an owner are set, and all of it is reverted', async () => {
    const [, { id }] = await control<{ id: string }>('/chain/snapshot', {})
    const { policyClient } = description().clients.cap!
    const before = await clientAt(policyClient)
    expect(before).toMatchObject({
      ...{ name: 'cap', canChange: true, problem: null, secrets: [] },
      owner: description().accounts.owner.address.toLowerCase(),
      policy: {
        entrypoint: 'cap.decision',
        source: { text: expect.stringContaining('package cap') },
      },
    })
    expect(JSON.parse(before.policy!.paramsSchema!.text!)).toMatchObject({ type: 'object' })
    const fits = await newTask(policyClient, ether / 2n)
    const exceeds = await newTask(policyClient, 11n * ether)

    const [, same] = await control<RedecideAnswer>(`/clients/${policyClient}/redecide`, {})
    expect(same.counts).toMatchObject({ changed: 0, errors: 0 })
    expect(same.tasks.slice(0, 2).map(({ taskId, before: was }) => [taskId, was])).toEqual([
      [exceeds, { outcome: 'deny', reasons: ['value exceeds the maximum'], error: null }],
      [fits, { outcome: 'allow', reasons: [], error: null }],
    ])
    const params = `{"threshold": ${12n * ether}, "max_value": ${12n * ether}}`
    const [, raised] = await control<RedecideAnswer>(`/clients/${policyClient}/redecide`, {
      params,
    })
    expect(raised.tasks[0]).toMatchObject({ changed: true, after: { outcome: 'allow' } })
    const [, { input, data, source }] = await control<TaskEvaluation>(`/tasks/${fits}/evaluation`)
    expect([JSON.parse(input).value, data, source]).toEqual([5e17, [], before.policy!.source.text])

    const [set, change] = await control<{ block: number }>(`/clients/${policyClient}/policy`, {
      params,
    })
    expect([set, change]).toEqual([200, change])
    const after = await clientAt(policyClient)
    expect(after).toMatchObject({ params, versions: before.versions + 1, setInBlock: change.block })
    expect(after.policyId).not.toBe(before.policyId)
    expect(after.history.map(({ current }) => current)).toEqual(
      after.history.map((_, at) => at === 0),
    )
    const someone = '0x00000000000000000000000000000000000000aa'
    expect(await control(`/clients/${policyClient}/owner`, { owner: someone })).toMatchObject([
      200,
      {},
    ])
    expect(await clientAt(policyClient)).toMatchObject({ owner: someone, canChange: false })
    for (const [path, body] of [
      ['policy', { params }],
      ['owner', { owner: someone }],
    ] as const)
      expect(await control(`/clients/${policyClient}/${path}`, body)).toEqual([
        422,
        {
          error: `the stack does not have the key of the owner ${someone}`,
          hint: expect.any(String),
        },
      ])

    await control('/chain/revert', { id })
    expect(await clientAt(policyClient)).toEqual(before)
  })

  test('clients and policies are listed in pages, with the secrets that are missing', async () => {
    const { clients } = description()
    const [, page] = await control<{ total: number; results: ClientSummary[] }>('/clients?size=100')
    expect(page.results.map(({ name }) => name)).toEqual(
      expect.arrayContaining(Object.keys(clients)),
    )
    const [, policies] = await control<{ total: number; results: object[] }>('/policies?size=2')
    expect(policies.results).toHaveLength(2)
    expect(policies.total).toBeGreaterThan(2)
    const states = async (name: string) =>
      (await clientAt(clients[name]!.policyClient)).secrets.map(({ state }) => state)
    expect([await states('priced-transfer'), await states('without-secrets')]).toEqual([
      ['present'],
      ['missing'],
    ])
    const { policyAddress } = clients['priced-transfer']!
    expect((await control(`/policies/${policyAddress}`))[1]).toMatchObject({
      ...{ entrypoint: 'policy.allow', paramsSchema: { problem: null } },
      sources: [{ wasmCid: clients['priced-transfer']!.policyData[0]!.wasmCid }],
    })
    const unfit = { params: '{"threshold": "1"}' }
    expect(await control(`/clients/${clients.cap!.policyClient}/policy`, unfit)).toMatchObject([
      ...[422, { error: expect.stringMatching(/^policy params do not match their schema: /) }],
    ])
    const ownerless = clients.ownerless!.policyClient
    expect(await control(`/clients/${ownerless}/policy`, {})).toMatchObject([
      ...[422, { error: `the client ${ownerless.toLowerCase()} has no owner` }],
    ])
    for (const path of ['/clients/0x12', '/policies?page=0', '/clients?size=101'])
      expect((await control(path))[0]).toBe(422)
    for (const path of [`/policies/${ownerless}`, `/clients/${policyAddress}`])
      expect([path, ...(await control(path))].slice(0, 2)).toEqual([path, 404])
  })
}
