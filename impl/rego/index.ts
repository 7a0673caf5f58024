/** The package `polgate-rego`; groups of built-ins are subpaths of their own. */
export {
  type Capabilities,
  type CapabilityJson,
  capabilities,
  type TypeJson,
} from './api/capabilities.ts'
export { type CompileOptions, compile } from './api/compile.ts'
export { coverage, type Evaluation } from './api/coverage.ts'
export { defineBuiltin } from './api/defineBuiltin.ts'
export { entrypoints } from './api/entrypoints.ts'
export { type Answer, type AnswerRow, evaluate } from './api/evaluate.ts'
export {
  type ExplainedFailure,
  type ExplainedRule,
  type Explanation,
  explain,
} from './api/explain.ts'
export type { Policy, Sources } from './api/policy.ts'
export { setData } from './api/setData.ts'
export { type TestOptions, type TestOutcome, type TestReport, test } from './api/test.ts'
export type { Builtin, BuiltinContext } from './builtins/builtin.ts'
export type { Type } from './builtins/types.ts'
export { BundleError } from './bundle/bundleError.ts'
export type { EvaluateOptions } from './engine.ts'
export { BuiltinError, LimitError, type Location, RegoError, type RegoErrorCode } from './errors.ts'
export { DEFAULT_LIMITS, type Limits } from './evaluate/run.ts'
export type { CoverageReport, FileCoverage } from './report/coverage.ts'
export type { Value } from './values/value.ts'
