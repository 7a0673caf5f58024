import type { MethodName } from 'polgate-protocol/methods.ts'
import { type HandlerContext, handlers } from 'polgate-service/gateway/methods.ts'
import type { DataAnswer, DataRequest, Operator } from 'polgate-service/operators/operator.ts'
import type { PolicyEvaluation, PolicyOutcome } from 'polgate-service/operators/policyEvaluator.ts'
import type { SecretsCheck } from 'polgate-service/operators/secretsCheck.ts'
import type { HostFetch, HostRequest, HostResponse } from 'polgate-service/oracles/hostFetch.ts'
import type { OracleResult, OracleRun } from 'polgate-service/oracles/oracleHost.ts'
import type { ServiceParts } from 'polgate-service/serviceParts.ts'
import type { TaskService } from 'polgate-service/tasks/taskService.ts'

/** Faults in one part of the service each: `pass` is the unmodified part. */

type Calls = Omit<TaskService, 'close'>
type Params<M extends keyof Calls> = Parameters<Calls[M]>[0]
type Caller = Parameters<Calls['createTask']>[1]

/** One method of tasks and simulations, behind the gateway. */
export const method = <M extends keyof Calls>(
  name: M,
  fault: (
    params: Params<M>,
    caller: Caller,
    pass: (params: Params<M>, caller: Caller) => ReturnType<Calls[M]>,
  ) => Promise<Awaited<ReturnType<Calls[M]>>>,
): ServiceParts => ({
  tasks: (own) => {
    const call = own[name] as (params: Params<M>, caller: Caller) => ReturnType<Calls[M]>
    return { ...own, [name]: (params: Params<M>, caller: Caller) => fault(params, caller, call) }
  },
})

/** Before the handler of a method, which checks the permissions of the key. */
export const beforeHandler = (
  name: MethodName,
  fault: (params: unknown, context: HandlerContext) => void,
): ServiceParts => ({
  gateway: (deps) => {
    const own = handlers[name] as (params: unknown, context: HandlerContext) => Promise<unknown>
    const handler = async (params: unknown, context: HandlerContext) => {
      fault(params, context)
      return own(params, context)
    }
    return { ...deps, handlers: { ...deps.handlers, [name]: handler } }
  },
})

/** The Rego engine of the operators. */
export const evaluator = (
  fault: (
    evaluation: PolicyEvaluation,
    pass: (evaluation: PolicyEvaluation) => Promise<PolicyOutcome>,
  ) => Promise<PolicyOutcome>,
): ServiceParts => ({
  operatorTools: (tools) => ({
    ...tools,
    evaluator: {
      ...tools.evaluator,
      evaluate: (evaluation, signal) =>
        fault(evaluation, (other) => tools.evaluator.evaluate(other, signal)),
    },
  }),
})

/** One run of an oracle on its host. */
export const oracleRun = (
  fault: (run: OracleRun, pass: (run: OracleRun) => Promise<OracleResult>) => Promise<OracleResult>,
): ServiceParts => ({
  operatorTools: (tools) => ({
    ...tools,
    oracles: { ...tools.oracles, run: (run) => fault(run, (other) => tools.oracles.run(other)) },
  }),
})

/** One HTTP call of an oracle. */
export const oracleCall = (
  fault: (
    request: HostRequest,
    pass: (request: HostRequest) => Promise<HostResponse>,
  ) => Promise<HostResponse>,
): ServiceParts => ({
  oracleFetch:
    (fetch: HostFetch): HostFetch =>
    (request, signal) =>
      fault(request, (other) => fetch(other, signal)),
})

type Upload = Parameters<SecretsCheck['check']>[0]

/** Validation of opened secrets by their schema. */
export const secretsCheck = (
  fault: (upload: Upload, pass: (upload: Upload) => Promise<void>) => Promise<void>,
): ServiceParts => ({
  operatorTools: (tools) => ({
    ...tools,
    secretsCheck: {
      ...tools.secretsCheck,
      check: (upload, signal) => fault(upload, (other) => tools.secretsCheck.check(other, signal)),
    },
  }),
})

/** An operator's data stage. */
export const dataStage = (
  fault: (
    request: DataRequest,
    pass: (request: DataRequest) => Promise<DataAnswer>,
  ) => Promise<DataAnswer>,
): ServiceParts => ({
  operator: (operator) => ({
    ...operator,
    collectData: (request, signal) =>
      fault(request, (other) => operator.collectData(other, signal)),
  }),
})

type CheckSecrets = Operator['checkSecrets']

/** An operator's check of an upload of secrets. */
export const uploadStage = (
  fault: (
    request: Parameters<CheckSecrets>[0],
    pass: (request: Parameters<CheckSecrets>[0]) => ReturnType<CheckSecrets>,
  ) => ReturnType<CheckSecrets>,
): ServiceParts => ({
  operator: (operator) => ({
    ...operator,
    checkSecrets: (request, signal) =>
      fault(request, (other) => operator.checkSecrets(other, signal)),
  }),
})
