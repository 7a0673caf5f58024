import type { ResolvedRule } from '../compile/resolved.ts'
import { isOfTests as isModuleOfTests, isTest } from '../test/discover.ts'

/** Names of rules that deny, and of rules that decide. */
export const DENYING: ReadonlySet<string> = new Set([
  ...['deny', 'denied', 'denials', 'reject', 'rejected', 'violation', 'violations'],
])
export const ALLOWING: ReadonlySet<string> = new Set([
  ...['allow', 'allowed', 'is_allowed', 'permit', 'permitted', 'authorize', 'authorized'],
  ...['approve', 'approved', 'grant', 'granted', 'accept', 'accepted', 'decision'],
])

/** The first name of a rule's head: `deny` of `deny contains x`. */
export const nameOf = ({ rule }: ResolvedRule): string =>
  rule.head.ref.head.kind === 'var' ? rule.head.ref.head.name : ''

/** `data.policy` */
export const packageOf = ({ module }: ResolvedRule): string =>
  `data.${module.package.path.span.text}`

/** Whether a rule is part of the tests: one, or what they use. */
export const isOfTests = ({ rule, module }: ResolvedRule): boolean =>
  isTest(rule) || isModuleOfTests(module)
