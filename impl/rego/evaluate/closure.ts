import type { Value } from '../values/value.ts'
import type { Context } from './context.ts'

/** The slots of one rule body: each is written before it is read. */
export type Frame = (Value | undefined)[]

/** The value of an expression, or undefined. */
export type Eval = (c: Context, f: Frame) => Value | undefined

/** Goes on with what follows; true means that no more solutions are wanted. */
export type Next = (c: Context, f: Frame) => boolean
