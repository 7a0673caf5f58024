import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('../../', import.meta.url))
const pages = [
  'README.md',
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  'SCALE.md',
  'conformance/targets/CONTRACT.md',
  'impl/cli/COMMANDS.md',
  'impl/service/CONFIGURATION.md',
  'impl/service/OPERATIONS.md',
  'scripts/README.md',
  'impl/service/explorer/SCALE.md',
  'conformance/spec/service.md',
  'conformance/spec/decisions.md',
  'conformance/spec/glossary.md',
  ...[
    'chain',
    'conformance',
    'conformance/self-test',
    'fixtures',
    'fixtures/independent-gateway',
  ].map((at) => `${at}/README.md`),
  ...['cli', 'client', 'lib', 'local', 'protocol', 'rego', 'service'].map(
    (at) => `impl/${at}/README.md`,
  ),
]

/**
 * Paths of the repository in code spans, and files in commands and examples; placeholders, patterns
 * and build artefacts are skipped.
 */
const pathsIn = (text: string): readonly string[] =>
  [
    ...text.matchAll(/`((?:impl|conformance|chain|fixtures|scripts|\.ci)\/[\w./-]*)`/g),
    ...text.matchAll(
      /(?<![\w./<-])((?:impl|conformance|chain|fixtures|scripts)\/[\w./-]+\.(?:ts|mjs|md|json|sh|tsv))(?![\w*])/g,
    ),
  ]
    .map(([, path]) => path!)
    .filter((path) => !path.includes('/.cache/'))

const linksIn = (text: string): readonly string[] =>
  [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link]) => link!)

/**
 * Links within the repository with a missing file, or a missing anchor in a page with explicit
 * anchors.
 */
const brokenLinks = (page: string, text: string): readonly string[] =>
  linksIn(text).filter((link) => {
    if (/^[a-z]+:/.test(link)) return false
    const [path, anchor] = link.split('#') as [string, string?]
    const target = path === '' ? join(root, page) : join(root, dirname(page), path)
    if (!existsSync(target)) return true
    return anchor !== undefined && !readFileSync(target, 'utf8').includes(`<a id="${anchor}">`)
  })

test.each(pages)('%s names files that exist, and links that lead somewhere', (page) => {
  const text = readFileSync(join(root, page), 'utf8')
  expect(pathsIn(text).filter((path) => !existsSync(join(root, path)))).toEqual([])
  expect(brokenLinks(page, text)).toEqual([])
})
