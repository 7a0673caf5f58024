import type { ExplorerPolicy, TaskDetail, TaskSummary } from 'polgate-protocol/explorer.ts'
import type { MethodName, ParamsOf, ResultOf } from 'polgate-protocol/methods.ts'
import type { TaskFailureNotification } from 'polgate-protocol/notification.ts'
import type { TaskUpdate } from 'polgate-protocol/taskUpdate.ts'
import { describe, expectTypeOf, it } from 'vitest'
import type * as explorer from './generated/explorerTypes.ts'
import type * as rpc from './generated/rpcTypes.ts'

type Frozen<T> = T extends object ? { readonly [Name in keyof T]: Frozen<T[Name]> } : T

/** The protocol leaves the type of an oracle's output open, where the document says object. */
type Exact = Exclude<MethodName, 'simulatePolicyData' | 'simulatePolicyDataWithClient'>

// Checked by `npm run types`: types of the wire that differ do not compile.
describe('the generated types', () => {
  it('are those of the protocol', () => {
    expectTypeOf<keyof rpc.RpcMethods>().toEqualTypeOf<MethodName>()
    expectTypeOf<{ [M in MethodName]: Frozen<ParamsOf<M>> }>().toExtend<{
      [M in MethodName]: rpc.RpcMethods[M]['params']
    }>()
    expectTypeOf<{ [M in Exact]: Frozen<ResultOf<M>> }>().toExtend<{
      [M in Exact]: rpc.RpcMethods[M]['result']
    }>()
    expectTypeOf<Frozen<TaskUpdate>>().toExtend<rpc.TaskUpdate>()
    expectTypeOf<Frozen<TaskFailureNotification>>().toExtend<rpc.TaskFailureNotification>()
    expectTypeOf<Frozen<TaskDetail>>().toExtend<explorer.ExplorerTaskDetail>()
    expectTypeOf<Frozen<TaskSummary>>().toExtend<explorer.ExplorerTaskSummary>()
    expectTypeOf<Frozen<ExplorerPolicy>>().toExtend<explorer.ExplorerPolicy>()
  })
})
