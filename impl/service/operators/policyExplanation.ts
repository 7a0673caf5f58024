import type {
  ShownExplanation,
  ShownFailure,
  ShownRule,
} from 'polgate-protocol/control/taskTrace.ts'
import { createEngine } from 'polgate-rego/engine.ts'
import { Coverage } from 'polgate-rego/report/coverage.ts'
import { Explainer, type Failure, type RuleExplanation } from 'polgate-rego/report/explain.ts'
import { display } from 'polgate-rego/values/display.ts'
import {
  evaluationInputs,
  type PolicyEngineOptions,
  policyEngineOptions,
  rulesOf,
} from './policyEngine.ts'
import type { PolicyEvaluation } from './policyEvaluator.ts'

const mostRules = 60
const mostDefinitions = 200
const mostFailures = 10
const longestText = 2_000
const longestValue = 300

/**
 * Evaluates a policy again and says why it decided as it did: which definitions of its rules held, at which
 * expressions the others ended, and which rows were reached. An evaluation is deterministic, so the result
 * is that of the operators.
 *
 * @throws RegoError, PolicyError or JsonError as the evaluation itself
 */
export function explainEvaluation(
  evaluation: PolicyEvaluation,
  given: PolicyEngineOptions,
): ShownExplanation {
  const { path, deny } = rulesOf(evaluation.entrypoint)
  const modules = [{ name: 'policy.rego', source: evaluation.source }]
  const { options } = evaluationInputs(evaluation)
  const evaluated = <Follower extends Explainer | Coverage>(tracer: Follower) => {
    const engine = createEngine({ ...policyEngineOptions(given), modules, tracer })
    const run = engine.begin(options)
    run.rule(path)
    if (engine.hasRule(deny)) run.rule(deny)
    return engine
  }
  const explainer = new Explainer()
  evaluated(explainer)
  const coverage = new Coverage()
  const { modules: parsed } = evaluated(coverage)
  const [file] = coverage.report(parsed).files
  const explained = (...names: readonly string[]) =>
    distinct(names.flatMap((name) => explainer.explain(`data.${name}`)))
      .slice(0, mostRules)
      .map(shownRule)
  const rules = explained(path, deny)
  return {
    // Then every other rule of the package that was evaluated, such as one below a `not` that held.
    rules: explained(path, deny, path.slice(0, path.lastIndexOf('.'))),
    covered: file?.covered ?? [],
    notCovered: file?.notCovered ?? [],
    deciding: decidingRows(rules),
  }
}

/** The rules and those that they depend on, each once. */
function distinct(rules: readonly RuleExplanation[]): readonly RuleExplanation[] {
  const byName = new Map<string, RuleExplanation>()
  const add = (rule: RuleExplanation) => {
    if (byName.has(rule.name)) return
    byName.set(rule.name, rule)
    for (const { failures } of rule.definitions)
      for (const { because } of failures) because.forEach(add)
  }
  rules.forEach(add)
  return [...byName.values()]
}

const shownRule = ({ name, isDefault, definitions }: RuleExplanation): ShownRule => ({
  name,
  isDefault,
  definitions: definitions.slice(0, mostDefinitions).map(({ text, location, held, failures }) => ({
    text: text.slice(0, longestText),
    row: location.row,
    held,
    failures: held ? [] : failures.slice(0, mostFailures).map(shownFailure),
  })),
})

const shownFailure = ({ text, location, count, values }: Failure): ShownFailure => ({
  text: text.slice(0, longestText),
  row: location.row,
  count,
  values: values.map(({ text: part, value }) => ({
    text: part.slice(0, longestText),
    value: value === undefined ? null : display(value).slice(0, longestValue),
  })),
})

/** Definitions that held; of a rule that has no such definition, the expressions at which it ended. */
function decidingRows(rules: readonly ShownRule[]): readonly number[] {
  const rows = rules.flatMap(({ definitions }) => {
    const held = definitions.filter((each) => each.held)
    if (held.length > 0) return held.map(({ row }) => row)
    return definitions.flatMap(({ failures }) => failures.slice(0, 1).map(({ row }) => row))
  })
  return [...new Set(rows)].sort((a, b) => a - b)
}
