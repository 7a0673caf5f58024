/** Another process writes the chain, or this one is closing. Nothing was written. */
export class NotWriting extends Error {
  override readonly name = 'NotWriting'

  constructor() {
    super('another process writes the chain')
  }
}
