/** What an engine said, as comparable texts: `data.a.test_x`: `pass`. */
export type Outcomes = ReadonlyMap<string, string>

/** Differences of two maps, one line each; `nothing` stands for a missing entry. */
export function differences(opa: Outcomes, here: Outcomes, nothing: string): readonly string[] {
  return [...new Set([...opa.keys(), ...here.keys()])].flatMap((key) => {
    const [theirs = nothing, ours = nothing] = [opa.get(key), here.get(key)]
    return theirs === ours ? [] : [`${key}: ${theirs}, here ${ours}`]
  })
}

type TestJson = {
  readonly location: { readonly file: string; readonly row: number }
  readonly package: string
  readonly name: string
  readonly fail?: boolean
  readonly skip?: boolean
  readonly error?: unknown
  readonly sub_results?: Readonly<Record<string, SubResult>>
}
type SubResult = {
  readonly fail?: boolean
  readonly sub_results?: Readonly<Record<string, SubResult>>
}

/** The outcome of every test, with its cases. */
export function testOutcomes(json: string): Outcomes {
  const outcomes = new Map<string, string>()
  const add = (key: string, { sub_results: cases = {} }: SubResult): void => {
    for (const [name, each] of Object.entries(cases)) {
      outcomes.set(`${key}/${name}`, each.fail === true ? 'fail' : 'pass')
      add(`${key}/${name}`, each)
    }
  }
  for (const test of listOf<TestJson>(json)) {
    const { file, row } = test.location
    // In opa, which file has the first test of a name differs from run to run.
    const key = `${file}:${row} ${test.package}.${test.name.replace(/#\d+$/, '')}`
    const word =
      test.error !== undefined ? 'error' : test.skip ? 'skip' : test.fail ? 'fail' : 'pass'
    outcomes.set(key, word)
    add(key, test)
  }
  return outcomes
}

function listOf<T>(json: string): readonly T[] {
  try {
    const value: unknown = JSON.parse(json)
    return Array.isArray(value) ? value : []
  } catch {
    return []
  }
}

type ErrorJson = { readonly code?: string; readonly location?: { readonly file?: string } }

/** The files with errors, and the codes of these. */
export function errorOutcomes(json: string): Outcomes {
  const outcomes = new Map<string, string>()
  for (const { code = '', location } of errorsIn(json)) {
    const file = location?.file ?? '?'
    const known = outcomes.get(file)
    if (known === undefined) outcomes.set(file, code)
    else if (!known.split(' ').includes(code)) {
      outcomes.set(file, [...known.split(' '), code].sort().join(' '))
    }
  }
  return outcomes
}

function errorsIn(json: string): readonly ErrorJson[] {
  try {
    return (JSON.parse(json) as { errors?: readonly ErrorJson[] }).errors ?? []
  } catch {
    return json.trim() === '' ? [] : [{ code: json.trim().split('\n')[0] ?? '' }]
  }
}

/** The value of each package, in order of keys; or the codes of errors. */
export function valueOutcomes(json: string): Outcomes {
  const codes = errorsIn(json).map(({ code = '' }) => code)
  if (codes.length > 0) return new Map([['errors', [...new Set(codes)].sort().join(' ')]])
  type Answer = { result?: [{ expressions: [{ value: Readonly<Record<string, unknown>> }] }] }
  const value = (JSON.parse(json) as Answer).result?.[0].expressions[0].value ?? {}
  return new Map(Object.entries(value).map(([name, each]) => [name, withoutNow(each)]))
}

/** JSON text in which nanoseconds of the last hour are `now`, and times have no minutes. */
function withoutNow(value: unknown): string {
  return JSON.stringify(value)
    .replace(/\b1\d{18}\b/g, (text) =>
      Math.abs(Number(text) / 1e6 - Date.now()) < 3_600_000 ? 'now' : text,
    )
    .replace(/(\d\dT\d\d):\d\d:\d\d(\.\d+)?/g, '$1')
}
