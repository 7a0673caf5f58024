/**
 * A promise that is awaited after others. If it rejects before its turn, Node does not report an unhandled
 * rejection; awaiting it throws the error as usual.
 */
export function awaitLater<Value>(promise: Promise<Value>): Promise<Value> {
  promise.catch(() => {})
  return promise
}
