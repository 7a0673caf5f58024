import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { PackageDefinition } from '../definitions.ts'
import { readManifest } from '../manifest.ts'
import type { Packed } from '../packAll.ts'
import type { OrdinaryUser } from './ordinaryUser.ts'
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
      ...['typescript', ...others].map(
        (name) => `${name}@${readManifest(`node_modules/${name}`).version}`,
      ),
    ],
  })
  const modules = typed.flatMap(({ name, definition }) =>
    Object.entries(subpathsOf(definition)).map(([subpath, source]) => ({
      id: name + subpath.slice(1),
      runs: !(definition.onlyInTests ?? []).includes(source),
    })),
  )
  const imports = modules.map(({ id }, at) => `import type * as module${at} from '${id}'\n`)
  const uses = modules.map((_, at) => `export type Module${at} = typeof module${at}\n`)
  writeFileSync(join(cwd, 'all.ts'), [...imports, ...uses].join(''))
  const loads = modules.filter(({ runs }) => runs).map(({ id }) => `await import('${id}')\n`)
  writeFileSync(join(cwd, 'run.mjs'), loads.join(''))
  writeFileSync(join(cwd, 'policy.ts'), example)
  writeFileSync(join(cwd, 'tsconfig.json'), JSON.stringify({ compilerOptions: strict }))
  const { env } = place
  const tsc = ['node', 'node_modules/typescript/bin/tsc']
  await user.run([...tsc, '-p', '.'], { cwd, env })
  await user.run(['node', 'out/policy.js'], { cwd, env })
  await user.run(['node', 'run.mjs'], { cwd, env })
  // Otherwise a package without types, which is any, would pass.
  writeFileSync(join(cwd, 'wrong.ts'), wrong)
  await user.run([...tsc, '-p', '.', '--noEmit'], { cwd, env, code: 2 })
  console.log(`types of ${modules.map(({ id }) => id).join(', ')}: strict, no error`)
}

const strict = {
  target: 'ES2022',
  lib: ['ES2022', 'DOM'],
  module: 'NodeNext',
  moduleResolution: 'NodeNext',
  outDir: 'out',
  types: [],
  strict: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  noImplicitOverride: true,
  verbatimModuleSyntax: true,
  isolatedModules: true,
  skipLibCheck: false,
}

const example = `import { createEngine } from 'polgate-rego'

const source = 'package limit\\n\\nimport rego.v1\\n\\nallow if input.amount <= data.most'
const engine = createEngine({ modules: [{ name: 'limit.rego', source }], dataJson: '{"most": 100}' })
const [row] = engine.prepare('data.limit.allow').evaluate({ inputJson: '{"amount": 40}' })
if (row?.expressions[0]?.value !== true) throw new Error('the policy does not allow')
`

const wrong = `import { createEngine } from 'polgate-rego'

export const engine = createEngine({ modules: 'no list' })
`
