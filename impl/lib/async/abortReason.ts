/**
 * The reason of an abort that ends work that is no longer needed. `abort()` without a reason
 * creates an error with a stack each time, which costs more than the rest of the call.
 */
export const abortReason = new DOMException('This operation was aborted', 'AbortError')
