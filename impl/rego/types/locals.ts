import type { Type } from '../builtins/types.ts'

/** Known types of the variables of a body. Types found in a closure stay local to it. */
export class Locals {
  private readonly parent: Locals | undefined
  private readonly types = new Map<string, Type>()

  constructor(parent?: Locals) {
    this.parent = parent
  }

  get(name: string): Type | undefined {
    return this.types.get(name) ?? this.parent?.get(name)
  }

  child(): Locals {
    return new Locals(this)
  }

  put(name: string, type: Type): void {
    this.types.set(name, type)
  }
}
