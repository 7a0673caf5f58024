/** What a run did to the files of one directory, in the order of the calls. Paths are relative to it. */
export type TraceEvent =
  | { readonly kind: 'create'; readonly node: number; readonly directory: boolean }
  /** An entry of a directory: `node` is what it names, undefined for a removal. */
  | {
      readonly kind: 'entry'
      readonly parent: number
      readonly name: string
      readonly node: number | undefined
      /** A rename: this entry of the same directory ends in the same moment. */
      readonly from?: string | undefined
    }
  | { readonly kind: 'write'; readonly node: number; readonly at: number; readonly bytes: Buffer }
  | { readonly kind: 'size'; readonly node: number; readonly size: number }
  | Sync

/** Puts on disk what was done to the node before event number `since`, when the call began. */
export type Sync = {
  readonly kind: 'sync'
  readonly node: number
  readonly since: number
  readonly path: string
  readonly directory: boolean
}

/** The node of the recorded directory. */
export const root = 0
