import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { PackageDefinition } from '../definitions.ts'
import { readManifest } from '../manifest.ts'
import type { Packed } from '../packAll.ts'
import type { OrdinaryUser, RunOptions } from './ordinaryUser.ts'
import { type Place, projectWith, tarballsFor } from './place.ts'

/**
 * Compiles a strict project that imports everything, `skipLibCheck` off, and runs it.
 * @throws Error with what tsc reports
 */
export async function tryTypes(
  place: Place,
  user: OrdinaryUser,
  packed: readonly Packed[],
): Promise<void> {
  const subpathsOf = ({ exports, forwards }: PackageDefinition) => ({ ...exports, ...forwards })
  const typed = packed.filter(({ definition }) => Object.keys(subpathsOf(definition)).length > 0)
  const others = new Set(
    typed.flatMap(({ definition: { peers = [], typePackages = [] } }) => [
      ...peers,
      ...typePackages,
    ]),
  )
  const cwd = await projectWith(place, user, {
    name: 'typescript-project',
    packages: [
      ...new Set(typed.flatMap(({ name, definition }) => tarballsFor(place, name, definition))),
      ...['typescript', '@types/node', ...others].map(
        (name) => `${name}@${readManifest(`node_modules/${name}`).version}`,
      ),
    ],
  })
  const modules = typed.flatMap(({ name, definition }) =>
    Object.entries(subpathsOf(definition)).map(([subpath, source]) => ({
      id: name + subpath.slice(1),
      needsNode: definition.needsNodeTypes === true,
      runs: !(definition.onlyInTests ?? []).includes(source) && definition.forwards === undefined,
    })),
  )
  const importAll = (needsNode: boolean) =>
    modules
      .filter((each) => each.needsNode === needsNode)
      .map(
        ({ id }, at) =>
          `import type * as m${at} from '${id}'\nexport type M${at} = typeof m${at}\n`,
      )
      .join('')
  const { env } = place
  const project = (name: string, files: readonly string[], types: readonly string[]) => {
    writeFileSync(join(cwd, name), JSON.stringify({ compilerOptions: { ...strict, types }, files }))
    return ['node', 'node_modules/typescript/bin/tsc', '-p', name]
  }
  writeFileSync(join(cwd, 'all.ts'), importAll(false))
  writeFileSync(join(cwd, 'policy.ts'), example)
  await user.run(project('tsconfig.json', ['all.ts', 'policy.ts'], []), { cwd, env })
  await user.run(['node', 'out/policy.js'], { cwd, env })
  const loads = modules.filter(({ runs }) => runs).map(({ id }) => `await import('${id}')\n`)
  writeFileSync(join(cwd, 'run.mjs'), loads.join(''))
  await user.run(['node', 'run.mjs'], { cwd, env })
  // Otherwise a package without types, which is any, would pass.
  writeFileSync(join(cwd, 'wrong.ts'), wrong)
  await user.run(project('wrong.json', ['wrong.ts'], []), { cwd, env, code: 2 })
  if (modules.some(({ needsNode }) => needsNode)) {
    writeFileSync(join(cwd, 'node.ts'), importAll(true))
    await ownErrors(user, project('node.json', ['node.ts'], ['node']), { cwd, env })
  }
  console.log(`types of ${modules.map(({ id }) => id).join(', ')}: strict, no error`)
}

/** The types of a test runner have errors of their own: only those elsewhere count. */
async function ownErrors(
  user: OrdinaryUser,
  words: readonly string[],
  options: RunOptions,
): Promise<void> {
  const { stdout } = await user.run(
    ['bash', '-c', '"$@" || [ $? -eq 2 ]', 'bash', ...words],
    options,
  )
  const errors = stdout
    .split('\n')
    .filter(
      (line) => /(^| )error TS/.test(line) && !/^node_modules\/(vite|vitest|@vitest)\//.test(line),
    )
  if (errors.length > 0) throw new Error(errors.slice(0, 20).join('\n'))
}

const strict = {
  target: 'ES2022',
  lib: ['ES2022', 'DOM'],
  module: 'NodeNext',
  moduleResolution: 'NodeNext',
  outDir: 'out',
  strict: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  noImplicitOverride: true,
  verbatimModuleSyntax: true,
  isolatedModules: true,
  skipLibCheck: false,
}

const example = `import { compile, evaluate } from 'polgate-rego'
import { type CheckReport, check } from 'polgate-rego/check'
import { format } from 'polgate-rego/format'
import { type LintFinding, lint } from 'polgate-rego/lint'
import { regex } from 'polgate-rego/regex'

const source = 'package limit\\n\\nallow if { input.amount <= data.most; regex.match("^0x", input.to) }'
const policy = compile({ 'limit.rego': source }, { dataJson: '{"most": 100}', builtins: [regex] })
const { value } = evaluate(policy, 'data.limit.allow', { input: { amount: 40, to: '0x1' } })
if (value !== true) throw new Error('the policy does not allow')
const checked: CheckReport = check({ 'limit.rego': 'package limit\\n\\nallow if x' }, { maxErrors: 1 })
if (checked.errors[0]?.code !== 'rego_unsafe_var_error') throw new Error('check finds no error')
const findings: readonly LintFinding[] = lint({ 'limit.rego': 'package limit\\n\\ndefault allow := true' })
if (findings[0]?.rule !== 'default-allow') throw new Error('lint finds nothing')
if (format('package  limit') !== 'package limit\\n') throw new Error('format changes nothing')
`

const wrong = `import { compile } from 'polgate-rego'
import { check } from 'polgate-rego/check'
import { format } from 'polgate-rego/format'
import { lint } from 'polgate-rego/lint'

export const policy = compile('no sources', { builtins: 'no groups' })
export const wrongs = [check({}, { maxErrors: 'a' }), lint({}, { rules: 1 }), format(1)]
`
