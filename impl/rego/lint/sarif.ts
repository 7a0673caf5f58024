import { LINT_COMMENT, type LintFinding } from './lintModules.ts'
import type { LintRule } from './lintRule.ts'
import { LINT_RULES } from './rules.ts'

/** Findings as a SARIF 2.1.0 log, for code scanning. `uri` turns a file name into a URI reference. */
export function sarif(
  findings: readonly LintFinding[],
  tool: { readonly version: string; readonly uri: (file: string) => string },
) {
  const rules = [...LINT_RULES.map(ruleText), commentRule]
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'polgate-rego-lint', version: tool.version, rules } },
        columnKind: 'unicodeCodePoints',
        results: findings.map(({ rule, message, help, place }) => ({
          ruleId: rule,
          ruleIndex: rules.findIndex(({ id }) => id === rule),
          level: 'warning',
          message: { text: `${message}; ${help}` },
          locations:
            place === undefined
              ? []
              : [
                  {
                    physicalLocation: {
                      artifactLocation: { uri: tool.uri(place.file) },
                      region: {
                        startLine: place.row,
                        startColumn: place.col,
                        endLine: place.end.row,
                        endColumn: place.end.col,
                      },
                    },
                  },
                ],
        })),
      },
    ],
  }
}

const ruleText = ({ id, title, why }: LintRule) => ({
  id,
  shortDescription: { text: title },
  fullDescription: { text: why.replaceAll('\n', ' ') },
})

const commentRule = {
  id: LINT_COMMENT,
  shortDescription: { text: 'a comment that turns off no rule of lint' },
  fullDescription: {
    text: 'A comment with an unknown rule turns off nothing, unlike its author expects.',
  },
}
