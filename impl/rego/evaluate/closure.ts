import type { Value } from '../values/value.ts'
import type { Context } from './context.ts'

/** The slots of a rule body: each is written before it is read. */
export type Frame = (Value | undefined)[]

/** The value of an expression, or undefined. */
export type Eval = (c: Context, f: Frame) => Value | undefined

/** The continuation; true means that no more solutions are needed. */
export type Next = (c: Context, f: Frame) => boolean
