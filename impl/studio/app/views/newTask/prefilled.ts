import type { DevAccount, DevAccounts } from 'polgate-protocol/control/accounts.ts'
import type { NamedAddress } from 'polgate-protocol/control/chain.ts'
import type { LatestTask } from 'polgate-protocol/control/latestTask.ts'
import type { TaskList } from 'polgate-protocol/control/taskList.ts'
import { ApiError } from '../../data/api.ts'
import { control } from '../../data/control.ts'
import { target } from '../../data/target.ts'
import { formOfTask } from './formOfTask.ts'
import { emptyForm, type IntentForm } from './intentForm.ts'

export type Prefilled = { readonly form: IntentForm; readonly accounts: readonly DevAccount[] }

/**
 * A form that can be submitted as it is: the latest task of the client, or else a transfer of nothing between the
 * development accounts. Without a client it is that of the newest task that was decided, or the first one. @throws ApiError
 */
export async function prefilled(given: string | null): Promise<Prefilled> {
  if (!target().has.control)
    return { form: { ...emptyForm, policyClient: given ?? '' }, accounts: [] }
  const [{ accounts }, policyClient] = await Promise.all([
    control.get<DevAccounts>('/accounts'),
    given ?? usualClient(),
  ])
  const [from, to] = ['sender', 'recipient'].map(
    (name) => accounts.find((account) => account.name === name)?.address ?? '',
  ) as [string, string]
  const latest = await latestTask(policyClient)
  const form = { ...emptyForm, policyClient, from, to, ...(latest && formOfTask(latest)) }
  return { form, accounts }
}

async function usualClient(): Promise<string> {
  const { rows } = await control.get<TaskList>('/tasks?size=1&status=success')
  if (rows[0] !== undefined) return rows[0].client
  const named = await control.get<NamedAddress[]>('/chain/accounts')
  return named.find(({ role }) => role === 'client')?.address ?? ''
}

const latestTask = (client: string): Promise<LatestTask | undefined> =>
  control.get<LatestTask>(`/clients/${client}/latest-task`).catch((error: unknown) => {
    if (error instanceof ApiError && error.status === 404) return undefined
    throw error
  })
