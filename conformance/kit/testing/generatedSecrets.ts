import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { fixtureApiKey } from 'polgate-fixtures/host/fixtureHost.ts'
import { looseValue } from '../../arbitraries/looseValue.ts'
import { anyPricedSecrets, anyProbeSecrets } from '../../arbitraries/secrets.ts'
import { canariesIn, canaryOf, isCanary } from '../../core/canary.ts'
import { derivedSeed } from '../../core/seed.ts'
import { guardedIn } from '../scenarios/secrets.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))

/** What answers are made of: names and texts of the specification, the service and the fixtures. */
const sources = ['conformance/spec', 'impl/protocol', 'impl/service', 'fixtures'] as const
const isText = (name: string) =>
  /(?<!\.(?:test|fixture))\.(?:ts|mjs|md|json|rego|yaml|svcfix)$/.test(name)

/** The secrets of the fixtures, and the source that the feed has them from, are in no answer. */
const withoutSecrets = (text: string) => text.replaceAll(/"secrets": \{[^}]*\}/g, '')
const holdsSecrets = (path: string) => /node_modules|fixtures.host$/.test(path)

/** All text that a legal answer may contain, apart from what callers sent, in lower case. */
export function legalVocabulary(): string {
  const texts = sources.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && isText(entry.name))
      .filter(({ parentPath }) => !holdsSecrets(parentPath))
      .map(({ parentPath, name }) => withoutSecrets(readFileSync(join(parentPath, name), 'utf8'))),
  )
  return texts.join('\n').toLowerCase()
}

/** What the property checks of secrets draw with a seed: the check, the runs, the values. */
const drawn = [
  ['rpc.storeSecrets.any-secrets', 20, anyPricedSecrets],
  ['rpc.storeSecrets.schema.any-secrets', 14, anyProbeSecrets],
] as const

/** The secrets that a run with this seed generates, as plaintexts. */
export const generatedPlaintexts = (seed: string): readonly string[] =>
  drawn.flatMap(([id, numRuns, arbitrary]) =>
    fc
      .sample<object>(arbitrary(canaryOf(seed, id, 'any')), {
        seed: derivedSeed(seed, id, 'secrets'),
        numRuns,
      })
      .map((secrets) => JSON.stringify(secrets)),
  )

/** What the suite looks for in answers and a legal answer may contain, one line each. */
export function* falseAlarms(seeds: Iterable<string>, vocabulary: string): Generator<string> {
  const contains = (text: string) => vocabulary.includes(text.toLowerCase())
  // Every canary begins so, in each form that is looked for.
  const begin = Buffer.from('canary-')
  for (const form of [fixtureApiKey, begin.toString('hex'), begin.toString('base64').slice(0, 9)])
    if (contains(form)) yield `the vocabulary of answers contains ${form}`
  for (const canary of canariesIn(vocabulary)) yield `the vocabulary of answers contains ${canary}`
  for (const seed of seeds) {
    for (const plaintext of generatedPlaintexts(seed))
      for (const [, value] of guardedIn(plaintext))
        if (!isCanary(value) && value !== fixtureApiKey)
          yield `with seed ${seed}: ${value} is looked for, and is not a canary${contains(value) ? '; answers contain it' : ''}`
    const [echoed] = fc.sample(looseValue(), { seed: derivedSeed(seed, 'echoed'), numRuns: 1 })
    for (const canary of canariesIn(JSON.stringify(echoed) ?? ''))
      yield `with seed ${seed}: an answer may contain ${canary}, since a request does`
  }
}
