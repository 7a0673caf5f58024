import type { Capability } from '../core/check.ts'
import type { Level } from '../register/clause.ts'
import type { CheckTools } from './checkTools.ts'

/**
 * A check of a gateway itself, run beside those of the suite with `--checks` or the option `checks` of
 * `certify`. It proves no clause of the specification.
 */
export type OwnCheck = {
  /**
   * A namespace and a name: `acme.limits.burst`. Never one of the suite's namespaces (`rpc`, `webhook`,
   * `explorer` and so on), and stable: reports, baselines and comparisons refer to it.
   */
  readonly id: string
  /** What a gateway does that passes, as a sentence without a period. */
  readonly title: string
  /** A `must` that fails makes the exit code 1; `should` and `may` are reported. */
  readonly level: Level
  /** The requirement in the words of its author; reports show it. */
  readonly clause?: string
  /**
   * What it requires of the target, as the checks of the suite do: `key:write`, `explorer`,
   * `webhook-receiver`, `chain`. Where one is missing the check is untestable, with the reason.
   */
  readonly needs?: readonly Capability[]
  /**
   * For a check that expects a refusal: the valid request, accepted in the same run through `t.twin`,
   * without which the refusal proves nothing.
   */
  readonly twin?: string
  /** Changes state that other checks rely on: runs alone, after them. */
  readonly exclusive?: true
  /** Resolves where the gateway passes; throws, mostly through `t.expect`, where it does not. */
  readonly run: (t: CheckTools) => Promise<void>
}

/**
 * Defines a check of a gateway itself; export the result from a file that `--checks` names. Returns its
 * argument: validation is done where the file is loaded, with the name of the file in the error.
 */
export const defineCheck = (check: OwnCheck): OwnCheck => check
