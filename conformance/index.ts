/** What programs use of the suite. Everything else may change in any release. */
export { type CertifyOptions, certify, RunAborted } from './api/certify.ts'
export type { CertifyResult, Counts, Failure } from './commands/certifyResult.ts'
export type { Gate, WithoutReference } from './commands/gate.ts'
export { type Reporter, ReporterError } from './commands/reporter.ts'
export type { Capability } from './core/check.ts'
export { CannotRun } from './core/conformanceError.ts'
export type {
  CheckFinished,
  Evidence,
  OwnSource,
  PlannedCheck,
  RunEvent,
  RunFinished,
  RunStarted,
} from './core/events.ts'
export type { ProfileProof } from './core/profileProof.ts'
export type { Limits } from './core/target.ts'
export type { ExitCode, RunVerdict, Verdict } from './core/verdict.ts'
export type {
  CheckTools,
  Expect,
  HttpAnswer,
  RequestOptions,
  RpcAnswer,
  WebhookDelivery,
  WebhookInbox,
} from './own/checkTools.ts'
export { defineCheck, type OwnCheck } from './own/ownCheck.ts'
export type { Level } from './register/clause.ts'
export type { Profile } from './register/profiles.ts'
export type { Comparison } from './reports/comparison.ts'
export type { TargetFile } from './targets/targetSchema.ts'
