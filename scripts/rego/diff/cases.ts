import { profileBuiltins } from 'polgate-rego/builtins/capabilities.ts'
import { callable } from '../generate/builtinCalls.ts'
import { Choices, numbersFrom } from '../generate/choices.ts'
import { mutate } from '../generate/mutate.ts'
import { operandModule, VALUES } from '../generate/operands.ts'
import { modules } from '../generate/program.ts'
import { schemaModule } from '../generate/schemas.ts'
import type { DiffProgram, PeerName } from './answers.ts'

/** A generated program, and the engines that have all of its built-ins. */
export type Case = {
  readonly index: number
  readonly program: DiffProgram
  readonly peers: readonly PeerName[]
}

const NUMBERS = 70

type Module = DiffProgram['modules'][number]

const SERVICE = [...profileBuiltins('service').values()].filter(({ name }) =>
  profileBuiltins('opa-1.2').has(name),
)
const OPA = [...profileBuiltins('opa-1.2').values()]

/** Refused in Rego v1. */
const DEPRECATED = OPA.filter(({ deprecated }) => deprecated)

const object = {
  number: 3,
  string: 'abc',
  boolean: true,
  array: [3, 1, 2, 9007199254740991],
  object: { a: 1, b: 2, é: 3 },
  nothing: null,
}
const data = JSON.stringify({ base: { ...object, number: 5 }, values: VALUES })
const INPUTS = [
  JSON.stringify(object),
  JSON.stringify(object),
  JSON.stringify({ ...object, array: [], string: '', object: {}, boolean: false }),
  JSON.stringify({ number: '3', array: { 0: 1 }, object: [1], nothing: null }),
  undefined,
]

/** One program in twelve has mistakes, most of them in its syntax. */
const MUTATED = 12

/** A module in which tokens are missing, repeated, swapped or out of place; its package stays. */
function mutated(choices: Choices, { name, source }: Module): Module {
  const [pkg = '', rest = ''] = source.split(/(?<=^package .*\n)/, 2)
  // A zero byte is no more than an illegal token anywhere; U+FFFD stands for bytes that are no text.
  const text = mutate(choices, rest, source).replace(/[\0\ufffd]|\p{Surrogate}/gu, '')
  return { name, source: pkg + text }
}

/** The program of a number: the same for the same seed on every machine. */
export function caseOf(seed: number, index: number): Case {
  const choices = new Choices(numbersFrom(seed * 1_000_003 + index, NUMBERS))
  const strict = choices.rarely(3)
  const isForOpa = choices.rarely(3)
  const wild = choices.rarely(10)
  const input = INPUTS[choices.below(INPUTS.length)]
  const builtins = isForOpa ? OPA : SERVICE
  // In turn, so that few programs call all of them.
  const inTurn = wild && index % 2 === 1 ? DEPRECATED : callable(builtins)
  const isFocused = wild || index % 2 === 0
  const focus = isFocused ? inTurn[(index >> 1) % inTurn.length] : undefined
  const single = (source: string): Module[] => [{ name: 'main.rego', source }]
  const made = choices.rarely(10)
    ? single(operandModule(choices, builtins))
    : isForOpa && focus === undefined && choices.rarely(4)
      ? single(schemaModule(choices))
      : modules(choices, { builtins, wild, focus })
  const changes = new Choices(numbersFrom(seed * 1_000_003 + index + 1_000_000_007, NUMBERS))
  const program: DiffProgram = {
    modules: changes.rarely(MUTATED) ? made.map((module) => mutated(changes, module)) : made,
    query: 'data.gen.main',
    data,
    strict,
    ...(input === undefined ? {} : { input }),
  }
  return { index, program, peers: isForOpa ? ['opa'] : ['opa', 'regorus'] }
}
