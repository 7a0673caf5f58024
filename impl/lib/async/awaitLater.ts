/**
 * A promise that is awaited after others. If it rejects before its turn, Node does not report an unhandled
 * rejection; whoever awaits it gets the error.
 */
export function awaitLater<Value>(promise: Promise<Value>): Promise<Value> {
  promise.catch(() => {})
  return promise
}
