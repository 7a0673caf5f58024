import type { BuiltinContext } from '../builtins/builtin.ts'
import { LimitError } from '../errors.ts'
import { type Meter, metered } from '../values/limits.ts'
import { type BuiltinOptions, BuiltinView } from './builtinView.ts'
import { Deadline, type DeadlineOptions } from './deadline.ts'
import { STACK } from './stack.ts'

/** Limits of one evaluation. */
export type Limits = {
  /** CPU time of the evaluation, milliseconds; ten times as much by the wall clock. */
  readonly deadlineMs: number
  /** Steps of work: visited elements, calls. */
  readonly steps: number
  /** Approximate memory of values created during the evaluation, in bytes. */
  readonly memoryBytes: number
}

export const DEFAULT_LIMITS: Limits = {
  deadlineMs: 10_000,
  steps: 1_000_000_000,
  memoryBytes: 512 * 1024 * 1024,
}

export type RunOptions = BuiltinOptions & {
  readonly strict: boolean
  readonly limits: Limits
  readonly deadline: DeadlineOptions
}

/** Steps between two checks of the clock. */
const INTERVAL = 2_048

/** One evaluation: its budget, and the context for built-ins. */
export class Run implements Meter {
  readonly strict: boolean
  /** Steps until the next check of the clock. */
  private left = INTERVAL
  private steps: number
  private memory: number
  private stack = 0
  private readonly deadline: Deadline
  private readonly options: RunOptions
  private context: BuiltinContext | undefined

  constructor(options: RunOptions) {
    this.options = options
    this.strict = options.strict
    this.steps = options.limits.steps
    this.memory = options.limits.memoryBytes
    this.deadline = new Deadline(options.deadline)
  }

  charge(units: number): void {
    this.left -= units
    if (this.left < 0) this.look()
  }

  private look(): void {
    this.steps -= INTERVAL - this.left
    this.left = INTERVAL
    if (!(this.steps >= 0)) throw new LimitError('evaluation used up its steps')
    if (this.deadline.passed()) throw new LimitError('execution exceeded time limit')
  }

  allocate(bytes: number): void {
    this.memory -= bytes
    if (!(this.memory >= 0)) throw new LimitError('evaluation used up its memory')
  }

  /** Runs an evaluation within its limits of time, memory and stack. */
  evaluate<T>(evaluate: () => T): T {
    this.stack = 0
    return metered(this, evaluate)
  }

  /** Whether its errors must not contain values. */
  get isPrivate(): boolean {
    return this.options.privateData !== undefined
  }

  /** Enters a rule that uses `bytes` of the stack; `leave` follows unless the evaluation ends. */
  enter(bytes: number): void {
    this.stack += bytes
    if (this.stack > STACK) throw new LimitError('evaluation nests too deeply')
  }

  leave(bytes: number): void {
    this.stack -= bytes
  }

  /** The context for built-ins; created on first use. */
  get builtins(): BuiltinContext {
    this.context ??= new BuiltinView(this.options, this)
    return this.context
  }
}
