import type { RegoError } from '../errors.ts'
import { nearest } from './nearest.ts'

/** Names that the author may have meant. */
export type Names = {
  readonly builtins: Iterable<string>
  /** Rules and functions, `data.pkg.rule`, and the names of imports. */
  readonly documents: Iterable<string>
}

/** Replacements for built-ins that Rego v1 lacks. */
const REPLACED: Readonly<Record<string, string>> = {
  re_match: 'regex.match(pattern, value)',
  set_diff: 'the operator -',
  'net.cidr_overlap': 'net.cidr_contains(cidr, address)',
  any: '`some x in xs; x`, or `true in xs`',
  all: '`every x in xs { x }`',
  cast_array: 'a comprehension: [x | some x in xs]',
  cast_set: 'a comprehension: {x | some x in xs}',
  cast_string: 'is_string(x), then use x',
  cast_boolean: 'is_boolean(x), then use x',
  cast_null: 'is_null(x)',
  cast_object: 'is_object(x), then use x',
  len: 'count(x)',
  length: 'count(x)',
  size: 'count(x)',
  has: '`x in xs`',
  includes: '`x in xs`, or contains(text, part) for strings',
  tostring: 'sprintf("%v", [x])',
  to_string: 'sprintf("%v", [x])',
  string: 'sprintf("%v", [x])',
  number: 'to_number(x)',
  regex_match: 'regex.match(pattern, value)',
  format: 'sprintf(format, values)',
  join: 'concat(separator, strings)',
}

/**
 * A suggestion for fixing an error: a similar name, or the Rego v1 construct for that of another
 * language. `line` is the source line of the error.
 */
export function suggest(error: RegoError, line: string, names: Names): string | undefined {
  const [message = ''] = error.message.split('\n')
  const called = /^undefined function (\S+)/.exec(message)?.[1]
  if (called !== undefined) return suggestFunction(called, names)
  const unsafe = /^var (\S+) is unsafe/.exec(message)?.[1]
  if (unsafe !== undefined) return suggestVariable(unsafe, names)
  const deprecated = /^deprecated built-in function calls in expression: (\S+)/.exec(message)?.[1]
  if (deprecated !== undefined) return suggestFunction(deprecated, names)
  const rule = /^undefined rule '?([^']+)'?/.exec(message)?.[1]
  if (rule !== undefined) return didYouMean(nearest(rule, names.documents))
  if (error.code === 'rego_type_error') return suggestMember(error.message)
  return error.code === 'rego_parse_error' ? suggestSyntax(message, line) : undefined
}

const didYouMean = (name: string | undefined): string | undefined =>
  name === undefined ? undefined : `did you mean ${name}?`

function suggestFunction(name: string, names: Names): string | undefined {
  const replaced = REPLACED[name]
  if (replaced !== undefined) return `Rego v1 has ${replaced}`
  const documents = [...names.documents]
  const candidates = [...names.builtins, ...documents, ...documents.map(lastName)]
  const direct = nearest(name, candidates)
  if (direct !== undefined) return didYouMean(direct)
  // The right function in the wrong namespace, or without one.
  const last = lastName(name)
  const same = candidates.filter(
    (candidate) => candidate.endsWith(`.${last}`) || candidate === last,
  )
  return didYouMean(same[0])
}

const lastName = (name: string): string => name.slice(name.lastIndexOf('.') + 1)

function suggestVariable(name: string, names: Names): string | undefined {
  const functions = new Set([...names.builtins].map((each) => each.split('.')[0]))
  if (functions.has(name)) return `${name} is a namespace of functions: call one with its arguments`
  if (/^(and|or)$/.test(name)) {
    return name === 'and'
      ? 'write each condition on a separate line: all of them must hold'
      : 'write a second rule of the same name: one of them must hold'
  }
  if (/^(None|nil|undefined|NULL)$/.test(name)) return 'Rego writes null'
  if (/^(True|False|TRUE|FALSE)$/.test(name)) return `Rego writes ${name.toLowerCase()}`
  const found = nearest(name, [...[...names.documents].map(lastName), 'input', 'data'])
  if (found !== undefined) return didYouMean(found)
  return `assign it in this body first, with := or with some ${name} in ...`
}

function suggestMember(message: string): string | undefined {
  const part = /^undefined ref: .*?(?:\.(\w+)|\["([^"]*)"\])$/m.exec(message)
  const list = /want \(one of\): \[(.*)\]/.exec(message)?.[1]
  if (part === null || list === undefined) return undefined
  const members = [...list.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map((match) => match[1] ?? '')
  return didYouMean(nearest(part[1] ?? part[2] ?? '', members))
}

type Hint = readonly [pattern: RegExp, help: (match: RegExpExecArray) => string]

/** Heads of rules in Rego v0 syntax, by line. */
const OLD_HEADS: readonly Hint[] = [
  [
    /^\s*([\w.]+)\[(\w+)\]\s*\{/,
    ([, name, key]) => `Rego v1 writes a partial set as: ${name} contains ${key} if {`,
  ],
  [
    /^\s*([\w.]+)\[(.+)\]\s*:?=\s*(.+?)\s*\{/,
    ([, name, key, value]) => `Rego v1 writes: ${name}[${key}] := ${value} if {`,
  ],
  [/\belse\s*\{/, () => 'Rego v1 writes: else if { or: else := value if {'],
  [
    /^\s*([\w.]+(?:\(.*\))?(?:\s*:?=\s*[^\s{][^{]*?)?)\s*\{/,
    ([, head]) => `Rego v1 requires the keyword if before the body: ${head} if {`,
  ],
]

/** Constructs of other languages. */
const HABITS: readonly Hint[] = [
  [/\belse\s+if\s+[^{\s]|\belif\b/, () => 'Rego writes: else := value if { condition }'],
  [/&&/, () => 'write each condition on a separate line: all of them must hold'],
  [/\|\|/, () => 'write a second rule of the same name: one of them must hold'],
  [/(^|[\s(])!\s*[\w(]/, () => 'Rego negates with: not'],
  [/^\s*(\/\/|--|;;)/, () => 'comments start with #'],
  [/'[^']*'/, () => 'strings are in double quotes, or in back quotes without escapes'],
  [/\b(for|foreach)\b/, () => 'Rego iterates with: some x in xs, or: every x in xs { ... }'],
  [/\breturn\b/, () => 'the value of a rule is in its head: name := value if { ... }'],
  [/\b(let|var|const)\s+\w+\s*=/, () => 'Rego assigns with: name := value'],
  [/\bnot\s+(some|every)\b/, () => 'put the some or every into a rule, and negate that rule'],
  [/\+\+|\+=|-=/, () => 'variables never change; give the new value a new name'],
]

const MESSAGES: readonly Hint[] = [
  [/keyword is required before rule body/, () => 'Rego v1 requires the keyword if before a body'],
  [
    /`contains` keyword is required/,
    () => 'write name contains value, or name[key] := value if { ... }',
  ],
  [/non-terminated string/, () => 'close the string on the same line, or use back quotes'],
  [/illegal escape/, () => 'escape a backslash as \\\\, or use back quotes: `\\d+`'],
  [/empty module|package expected/, () => 'the first statement of a policy is: package name'],
  [/unexpected eof/, () => 'something is not closed: count the braces and brackets above'],
]

function suggestSyntax(message: string, line: string): string | undefined {
  const isHead = /`(if|contains)` keyword|unexpected \{/.test(message)
  // Strings and comments are not code.
  const code = line.replace(/"(?:[^"\\]|\\.)*"|`[^`]*`/g, '""').replace(/#.*/, '')
  return (
    (isHead ? firstHint(OLD_HEADS, line) : undefined) ??
    firstHint(HABITS, code) ??
    firstHint(MESSAGES, message)
  )
}

function firstHint(hints: readonly Hint[], text: string): string | undefined {
  for (const [pattern, help] of hints) {
    const match = pattern.exec(text)
    if (match !== null) return help(match)
  }
  return undefined
}
