/** Another process writes the chain by now, or this one is closing: nothing was written. */
export class NotWriting extends Error {
  override readonly name = 'NotWriting'

  constructor() {
    super('another process writes the chain')
  }
}
