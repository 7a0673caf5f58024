import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import {
  type CitationTargets,
  citationsIn,
  citationTargets,
  unresolvedCitations,
} from './citations.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const page = (name: string) => readFileSync(new URL(name, import.meta.url), 'utf8')
const targets = citationTargets({
  service: page('service.md'),
  decisions: page('decisions.md'),
  clauses: page('clauses.md'),
})

/** Files with citations; compiled contracts and recorded data are excluded. */
const cites = /\.(ts|mts|mjs|js|cjs|sol|md|rego|wit|ya?ml|sh)$/
const skipped = /(^|\/)(node_modules|artifacts|\.cache|dist)(\/|$)|citations(\.test)?\.ts$/
const folders = ['impl', 'conformance', 'chain', 'fixtures', 'scripts', '.ci']

const citingFiles = (): readonly string[] =>
  [
    ...readdirSync(root).filter((name) => cites.test(name)),
    ...folders.flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) =>
        join(folder, name).replaceAll('\\', '/'),
      ),
    ),
  ].filter((path) => cites.test(path) && !skipped.test(path))

describe('citations of the repository', () => {
  test('resolve: sections, decisions and clauses exist on the pages of this folder', () => {
    const files = citingFiles()
    expect(files.length).toBeGreaterThan(1_000)
    const broken = files.flatMap((file) =>
      unresolvedCitations(readFileSync(join(root, file), 'utf8'), targets).map(
        ({ kind, id, line }) => `${file}:${line}: there is no ${kind} ${id}`,
      ),
    )
    expect(broken).toEqual([])
  })

  test('the pages define what they should', () => {
    expect([...targets.sections]).toEqual(expect.arrayContaining(['1', '2.10', '4.2', '7.3', '9']))
    expect([...targets.decisions]).toEqual(expect.arrayContaining(['E1', 'T3', 'K11', 'X7']))
    expect([...targets.decisionSections]).toEqual(['1', '2', '3', '4', '5', '6', '7', '8', '9'])
    expect(targets.clauses.size).toBeGreaterThan(600)
  })
})

describe('finding citations', () => {
  const found = (text: string) =>
    citationsIn(text).map(({ kind, id, line }) => `${line}: ${kind} ${id}`)

  test.each([
    ['see section 4.2', ['1: section 4.2']],
    ['(sections 4.1, 7.3 and 9)', ['1: section 4.1', '1: section 7.3', '1: section 9']],
    ['Section 9, codes -32618', ['1: section 9']],
    [
      '(section 1, decisions O1 to O3)',
      ['1: section 1', '1: decision O1', '1: decision O3', '1: decision O2'],
    ],
    ['(decisions T2, T4)', ['1: decision T2', '1: decision T4']],
    ['Decision K11.', ['1: decision K11']],
    ['/**\n * as in decision\n * T3.\n */', ['2: decision T3']],
    ['decisions, section 9', ['1: decision section 9']],
    ['decisions.md section 3', ['1: decision section 3']],
    ["clauses: ['4.2-07', '3-05']", ['1: clause 4.2-07', '1: clause 3-05']],
  ])('%j', (text, expected) => {
    expect(found(text)).toEqual(expected)
  })

  test.each([
    '(RFC 9421, section 2.5)',
    'section 6 of RFC 9180',
    'the decision is to deny',
    '2026-01-31',
    '20-30 ms',
    'version 1.2.0-10',
    'sections of the page',
  ])('nothing in %j', (text) => {
    expect(found(text)).toEqual([])
  })
})

describe('resolving citations', () => {
  const some: CitationTargets = {
    sections: new Set(['4.2']),
    decisions: new Set(['T1', 'T2', 'T4']),
    decisionSections: new Set(['3']),
    clauses: new Set(['4.2-07']),
  }

  test('reports what no page defines, with its line', () => {
    const text = [
      'section 4.2, decisions T1, T2, decisions section 3, 4.2-07',
      'section 4.13',
      'decisions T1 to T4',
      'decisions, section 10',
      '4.2-99',
    ].join('\n')
    expect(unresolvedCitations(text, some)).toEqual([
      { kind: 'section', id: '4.13', line: 2 },
      { kind: 'decision section', id: '10', line: 4 },
      { kind: 'decision', id: 'T3', line: 3 },
      { kind: 'clause', id: '4.2-99', line: 5 },
    ])
  })
})
