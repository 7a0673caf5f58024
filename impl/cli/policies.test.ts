import { type PolicyFixture, policyFixtures } from 'polgate-fixtures/catalogue.ts'
import { lintModules } from 'polgate-rego/lint/lintModules.ts'
import { missingBuiltins } from 'polgate-rego/report/availability.ts'
import { Coverage } from 'polgate-rego/report/coverage.ts'
import { fullName, runTests } from 'polgate-rego/test/runTests.ts'
import { describe, expect, it } from 'vitest'
import { allCapabilities, serviceCapabilities } from './rego/capabilities.ts'

function run({ name, source, testSource }: PolicyFixture) {
  const coverage = new Coverage()
  const { modules, results } = runTests({
    modules: [
      { name: `${name}/policy.rego`, source },
      { name: `${name}/policy_test.rego`, source: testSource },
    ],
    builtins: serviceCapabilities,
    tracer: coverage,
    clock: () => performance.now(),
  })
  const [policy] = coverage.report(modules.slice(0, 1)).files
  return { modules, results, policy }
}

describe.each(policyFixtures().map((fixture) => [fixture.name, fixture] as const))(
  'policy %s',
  (_, fixture) => {
    const { modules, results, policy } = run(fixture)

    it('passes all of its tests with the built-ins of the service', () => {
      const failed = results.filter(({ status }) => status !== 'pass')
      expect(
        failed.map(({ test, status, error }) => [fullName(test), status, error?.text]),
      ).toEqual([])
      expect(results.length).toBeGreaterThan(0)
      expect(missingBuiltins(modules, allCapabilities, serviceCapabilities)).toEqual([])
    })

    it('restricts the targets of calls, or says why not', () => {
      const { policies, entrypoint } = { policies: modules.slice(0, 1), ...fixture }
      const shared = { modules: policies, builtins: serviceCapabilities, entrypoint }
      expect(lintModules({ ...shared, rules: ['unrestricted-target'] })).toEqual([])
    })

    it('has tests that cover every line', () => {
      expect(policy?.notCovered).toEqual([])
      expect(policy?.percent).toBe(100)
    })
  },
)
