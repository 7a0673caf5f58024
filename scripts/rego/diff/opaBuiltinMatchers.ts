import { RegoObject } from 'polgate-rego/values/object.ts'
import { isArray, isObject, isSet, type Value } from 'polgate-rego/values/value.ts'
import { shown } from './answers.ts'
import { isAscii, isBig, made, opa, partsOf, sortOf, text } from './callMatchers.ts'
import { called, textOf } from './callsOf.ts'
import type { Matcher } from './matcher.ts'
import { renamed } from './rewrite.ts'

/** Entries about built-ins that OPA answers differently: which one, called with what. */
export const OPA_BUILTIN_MATCHERS: Readonly<Record<string, Matcher | readonly Matcher[]>> = {
  'templates-with-other-delimiters': {
    peer: 'opa',
    // The answer may be that of an earlier program to the same server.
    made: made(
      ['regex.template_match'],
      ([template, whole, open, close], result) =>
        (/\W/.test(text(template)) ||
          [open, close].some((each) => text(template).includes(text(each)))) &&
        result === isTemplateOf(text(template), text(whole), text(open), text(close)),
    ),
    exact: true,
  },
  'patterns-in-schemas': {
    peer: 'opa',
    calls: ['json.match_schema', 'json.verify_schema'],
    cause: (evidence) => evidence.isSameAs(renamed(/\bpattern\b/g, 'unknown')),
    exact: true,
  },
  'references-without-target': {
    peer: 'opa',
    calls: ['json.match_schema', 'json.verify_schema'],
    source: /\$ref\\?": *\\?"#[^/"\\]/,
    cause: (evidence) => evidence.isSameAs(renamed(/(?<=\$ref\\?": *\\?"#)[^"\\]+/g, '')),
    exact: true,
  },
  'rounding-near-zero': opa(['floor', 'ceil'], ([a]) => typeof a === 'number' && a > -1 && a < 0),
  'member-missing-from-a-template': [
    {
      peer: 'opa',
      made: made(
        ['strings.render_template'],
        ([template, members], result) =>
          result !== undefined && isRendered(text(template), members, result),
      ),
      theirs: /^(?:undefined$|\{|\[|eval_builtin_error: strings\.render_template)/,
      exact: true,
    },
    {
      peer: 'opa',
      theirs: /^eval_builtin_error: strings\.render_template: .*has no entry for key/,
    },
  ],
  'first-of-several-faults': [
    // Both find the variable of `some x in x`, which has no value yet.
    {
      peer: 'opa',
      source: /some (?:\w+, )?(\w+) in [\s\S]*?\b\1\b/,
      ours: /^rego_compile_error: var \w+ referenced above/,
      theirs: /^rego_unsafe_var_error/,
    },
    // Nothing in a pattern gets a value from what can never match it.
    {
      peer: 'opa',
      ours: /^rego_type_error: match error/,
      theirs: /^rego_unsafe_var_error/,
      exact: true,
    },
  ],
  'functions-of-templates': [
    {
      peer: 'opa',
      calls: ['strings.render_template'],
      ours: /^eval_builtin_error: strings\.render_template: template: function "\w+" not defined/,
      theirs: /^(?!\w+_error)/,
      exact: true,
    },
    {
      peer: 'opa',
      made: made(
        ['strings.render_template'],
        ([template], r) =>
          r === undefined && /\b(?:printf|html|js|urlquery|call)\b/.test(text(template)),
      ),
      ours: /^(undefined|\{|\[)/,
      exact: true,
    },
  ],
  'minimum-of-a-set-with-null': opa(['min'], ([a]) => a !== undefined && isSet(a) && a.has(null)),
  'empty-text-to-be-replaced': [
    opa(
      ['strings.replace_n'],
      ([patterns, whole]) => textOf(patterns).includes('"":') && !isAscii(whole),
    ),
    {
      peer: 'opa',
      made: made(['strings.replace_n'], ([patterns, whole], result) => {
        if (patterns === undefined || !isObject(patterns) || patterns.size !== 1) return false
        const by = text(patterns.get(''))
        return (
          !isAscii(whole) &&
          result === `${by}${[...text(whole)].map((each) => `${each}${by}`).join('')}`
        )
      }),
      exact: true,
    },
  ],
  'paths-through-cycles': opa(['graph.reachable_paths'], ([graph]) => hasCycle(graph)),
  'text-block-without-indentation': {
    made: made(
      ['yaml.unmarshal'],
      ([a], result) => /^\|-?\n\S[^\n]*$/.test(text(a)) && text(a).endsWith(`\n${text(result)}`),
    ),
    exact: true,
  },
  'globs-whose-rest-is-empty': {
    peer: 'opa',
    made: made(
      ['regex.globs_match'],
      ([one, other], result) => result === true && haveCommonText(text(one), text(other)),
    ),
    exact: true,
  },
  'glob-question-mark-and-empty-text': opa(
    ['glob.match'],
    ([glob, , whole]) => /^(?:[?*]|\[[^\]]*\])+$/.test(text(glob)) && whole === '',
  ),
  'glob-three-asterisks-and-empty-text': opa(
    ['glob.match'],
    ([glob, , whole]) => text(glob).includes('***') && whole === '',
  ),
  'glob-alternatives-within-text': {
    peer: 'opa',
    made: made(
      ['glob.match'],
      ([glob, delimiters = null, whole = null], result) =>
        /\{[^}]*\*[^}]*\}/.test(text(glob)) &&
        result ===
          alternatives(text(glob)).some((each) => called('glob.match', each, delimiters, whole)),
    ),
    exact: true,
  },
  'glob-open-alternatives': opa(['glob.match'], ([glob], result) => {
    const open = text(glob).replaceAll(/\\./g, '').match(/[{}]/g)?.join('') ?? ''
    return result === undefined && /\{(?!\})/.test(open)
  }),
  'cidr-matches-of-other-types': {
    peer: 'opa',
    made: made(
      ['net.cidr_contains_matches'],
      (args, result) =>
        result === undefined && args.some((each) => !/string|array|object|set/.test(sortOf(each))),
    ),
    ours: /^(?:undefined$|\{|\[|eval_type_error: net\.cidr_contains_matches)/,
    exact: true,
  },
  'json-followed-by-null': opa(['json.unmarshal', 'json.is_valid'], ([a]) =>
    /\S\s*null\s*$/.test(text(a)),
  ),
  'add-date-beyond-years': opa(
    ['time.add_date'],
    ([, years, months, days], result) =>
      result === undefined &&
      [years, months, days].some((each) => Math.abs(Number(each)) > 2 ** 31),
  ),
  'subset-of-an-array-with-repeated-members': opa(
    ['object.subset'],
    ([a, b]) => sortOf(a) === 'array' && sortOf(b) === 'set',
  ),
  'sprintf-of-large-integers-with-other-verbs': {
    peer: 'opa',
    made: made(
      ['sprintf'],
      ([format, values]) =>
        /%[-+# 0]*[^-+# 0sdvxXbcoOqeEfFgGtTU%]/.test(text(format)) &&
        isArray(values ?? null) &&
        partsOf(values!).some(isBig),
    ),
    alike: (ours, theirs) => inside(shown(ours)) === inside(shown(theirs)),
    exact: true,
  },
}

/** An integer as a structure of Go, or its address, without what is in it. */
const inside = (answer: string): string =>
  answer.replace(/\*?big\.Int=(?:-?\d+|(?:&|\\u0026)\{\w+ \[[\d ]*\]\})|0x[0-9a-f]+/g, '')

const escaped = (literal: string): string => literal.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')

/** Whether a text is one of a template with regular expressions between delimiters; undefined if it cannot be read so. */
function isTemplateOf(
  template: string,
  whole: string,
  open: string,
  close: string,
): boolean | undefined {
  if (open.length !== 1 || close.length !== 1 || open === close) return undefined
  let pattern = ''
  for (let rest = template; rest !== ''; ) {
    const from = rest.indexOf(open)
    const to = rest.indexOf(close)
    if (from < 0 && to < 0) {
      pattern += escaped(rest)
      break
    }
    if (from < 0 || to < from) return undefined
    pattern += `${escaped(rest.slice(0, from))}(?:${rest.slice(from + 1, to)})`
    rest = rest.slice(to + 1)
  }
  try {
    return new RegExp(`^${pattern}$`, 'u').test(whole)
  } catch {
    return undefined
  }
}

/** Whether both globs match a text that one of them has without what its asterisks repeat. */
function haveCommonText(one: string, other: string): boolean {
  const isMatch = (glob: string, whole: string): boolean => {
    try {
      return new RegExp(`^(?:${glob})$`).test(whole)
    } catch {
      return false
    }
  }
  return [one, other]
    .flatMap((glob) => [glob.replace(/(?:\[[^\]]*\]|\\?.)\*/g, ''), glob.replace(/[*+]/g, '')])
    .map((whole) => whole.replace(/\./g, 'a').replace(/\\/g, ''))
    .some((whole) => isMatch(one, whole) && isMatch(other, whole))
}

/** The globs of which a glob with alternatives is made. */
function alternatives(glob: string): string[] {
  const [all, inner] = /\{([^{}]*)\}/.exec(glob) ?? []
  if (all === undefined || inner === undefined) return [glob]
  return inner.split(',').flatMap((each) => alternatives(glob.replace(all, () => each)))
}

/** Whether a vertex of a graph can be reached from itself. */
function hasCycle(graph: Value | undefined): boolean {
  if (graph === undefined || !isObject(graph)) return false
  const next = new Map(
    graph.entries().map(([from, to]) => [textOf(from), partsOf(to).map(textOf)] as const),
  )
  const reaches = (from: string, seen: ReadonlySet<string>): boolean =>
    (next.get(from) ?? []).some((to) => seen.has(to) || reaches(to, new Set([...seen, to])))
  return [...next.keys()].some((vertex) => reaches(vertex, new Set([vertex])))
}

/** Whether a template has a member that is missing, and this result as soon as it has one: nothing, or what stands for it. */
function isRendered(template: string, members: Value | undefined, result: Value): boolean {
  if (members === undefined || !isObject(members)) return false
  const missing = [...template.matchAll(/\.(\w+)/g)]
    .map(([, name]) => name!)
    .filter((name) => !members.has(name))
  if (missing.length === 0) return false
  return ['<undefined>', false, []].some((value) => {
    const all = RegoObject.from([
      ...members.entries(),
      ...missing.map((name) => [name, value] as const),
    ])
    return called('strings.render_template', template, all) === result
  })
}
