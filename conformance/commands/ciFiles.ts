import { readFileSync } from 'node:fs'
import { packageVersion } from 'polgate-lib/packageVersion.ts'
import { CannotRun } from '../core/conformanceError.ts'
import type { Preset } from '../targets/targetTemplate.ts'

const ciSystems = ['github', 'gitlab', 'shell'] as const

/** Files for a CI system: contents by path. */
export type CiFiles = Readonly<Record<string, string>>

const workflowPlace = '.github/workflows/certify.yml'
const actionPlace = '.github/actions/certify/action.yml'
const gitlabPlace = '.gitlab/certify.yml'
const scriptPlace = 'certify.sh'

/** A gateway that the suite starts needs a chain and contracts, which the package of the stack has. */
const packageFor = (preset: Preset): string =>
  preset === 'remote' ? 'polgate-conformance' : 'polgate'

/** The same version of the suite in every run, without a lock file. */
const packageOf = (preset: Preset): string => `${packageFor(preset)}@${packageVersion}`

const keys = ['SVC_KEY_READ', 'SVC_KEY_WRITE', 'SVC_KEY_RPC']

const workflow = (
  target: string,
  preset: Preset,
): string => `# Certifies the gateway of ${target}; polgate init wrote it.
name: certify
on:
  push:
  pull_request:
permissions:
  contents: read
jobs:
  certify:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@11bd71901bbe5b1630ceea73d27597364c9af683 # v4.2.2
        with:
          persist-credentials: false
      - uses: ./.github/actions/certify
        with:
          target: ${target}
          package: ${packageOf(preset)}
          # Only what got worse since the last run on the default branch fails the job. Remove it to require
          # a conformant gateway.
          gate: "true"
        env:
          # Keys are secrets of the repository; the target file names them.
${keys.map((name) => `          ${name}: \${{ secrets.${name} }}`).join('\n')}
`

const gitlabJob = (
  target: string,
): string => `# Certifies the gateway of ${target}; polgate init wrote it. In .gitlab-ci.yml:
#   include: [{ local: ${gitlabPlace} }]
# Keys (${keys.join(', ')}) are masked variables of the project.
certify:
  image: node:22-bookworm-slim
  variables:
    # Only what got worse since the last run on the default branch fails the job.
    GATE: "true"
    REFERENCE_POLICY: pull
    CERTIFY_OPTIONS: ""
  rules:
    - if: $CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH
      variables:
        REFERENCE_POLICY: pull-push
        KEEP_REFERENCE: "true"
    - when: on_success
  cache:
    - key: certify-reference
      paths: [.svc/reference/]
      policy: $REFERENCE_POLICY
      # Otherwise branches that are not protected have a cache of their own, which is always empty. The price:
      # whoever can push to one can change its job so that it replaces the reference.
      unprotect: true
      when: always
  script:
    - sh ${scriptPlace} $CERTIFY_OPTIONS
  artifacts:
    when: always
    paths: [conformance-report/]
    reports:
      junit: conformance-report/junit.xml
`

const script = (target: string, preset: Preset): string => `#!/bin/sh
# Certifies the gateway of ${target}: sh ${scriptPlace} [options of polgate certify]; polgate init wrote it.
# Needs Node 20.19 or later and npm. Keys come from the environment: ${keys.join(', ')}.
#   REPORT_DIR           where the reports are written
#   GATE=true            only new failures and lost proofs since the run in REFERENCE_DIR fail; where there is
#                        none, the verdict of the run decides, and it says so
#   KEEP_REFERENCE=true  this run becomes what later ones are compared with, unless it is worse
#   POLGATE              an installed command to use, instead of installing one
set -eu
reports=\${REPORT_DIR:-conformance-report}
reference=\${REFERENCE_DIR:-.svc/reference}

if [ -z "\${POLGATE:-}" ]; then
  # Apart from this folder's own dependencies and lock file, without the keys. Scripts of packages do not run.
  (
    for name in $(env | sed -n 's/^\\(SVC_[A-Za-z0-9_]*\\)=.*/\\1/p'); do unset "$name"; done
    npm install --prefix .svc/suite --no-save --no-audit --no-fund --ignore-scripts \\
      "\${POLGATE_PACKAGE:-${packageOf(preset)}}"
  )
  POLGATE=.svc/suite/node_modules/.bin/${packageFor(preset)}
fi

# Of an earlier run: it must not be taken for this one.
rm -f "$reports/report.json" "$reports/gate.json"
code=0
if [ "\${GATE:-}" = true ]; then
  node "$POLGATE" certify --target ${target} --report-dir "$reports" \\
    --compare-with "$reference" --without-reference verdict "$@" || code=$?
else
  node "$POLGATE" certify --target ${target} --report-dir "$reports" "$@" || code=$?
fi

if [ "\${KEEP_REFERENCE:-}" = true ] && node -e '
  const read = (name) => JSON.parse(require("node:fs").readFileSync(process.argv[1] + "/" + name, "utf8"))
  const { complete, exitCode, unreported } = read("report.json")
  const { outcome } = process.argv[2] === "true" ? read("gate.json") : { outcome: "passed" }
  const whole = complete && unreported.length === 0
  const keep = whole && exitCode <= 1 && ["passed", "no-reference"].includes(outcome)
  process.exitCode = keep ? 0 : 1
' "$reports" "\${GATE:-}" 2>/dev/null; then
  mkdir -p "$reference"
  cp "$reports/events.ndjson" "$reference/events.ndjson"
fi
exit "$code"
`

/** Names and relative paths that need no quoting in YAML and in a shell. */
const plainPath = /^[A-Za-z0-9_][A-Za-z0-9._/-]*$/

/**
 * The files that certify the target of a file in a CI system.
 * @param target path of the target file, relative to the root of the repository
 * @throws CannotRun for a system that is not known
 */
export function ciFiles(system: string, target: string, preset: Preset): CiFiles {
  const known = ciSystems.find((each) => each === system)
  if (known === undefined)
    throw new CannotRun(`unknown CI system '${system}'`, `Use one of ${ciSystems.join(', ')}.`)
  if (!plainPath.test(target))
    throw new CannotRun(
      `the target file '${target}' cannot be named in a workflow`,
      'Use --output with a path below this directory, of letters, digits, dots, hyphens and slashes.',
    )
  const shell = { [scriptPlace]: script(target, preset) }
  if (known === 'shell') return shell
  if (known === 'gitlab') return { ...shell, [gitlabPlace]: gitlabJob(target) }
  const action = readFileSync(new URL('../action/action.yml', import.meta.url), 'utf8')
  return { [actionPlace]: action, [workflowPlace]: workflow(target, preset) }
}
