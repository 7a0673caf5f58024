import { useEffect, useRef, useState } from 'preact/hooks'
import type { PlaygroundAnswer, PlaygroundRequest } from '../../../playground/evaluation.ts'
import { createEvaluator, type Evaluator, startWorker } from './evaluator.ts'

export type Evaluated = {
  /** Of the last evaluation that ended. */
  readonly answer: PlaygroundAnswer | undefined
  /** Why the last one did not end, such as its time limit. */
  readonly error: Error | undefined
  readonly running: boolean
}

/** Milliseconds after the last key. */
const debounceMs = 200

/** Evaluates in a worker whenever the request has changed. */
export function usePlayground(request: PlaygroundRequest): Evaluated {
  const [state, setState] = useState<Evaluated>({
    ...{ answer: undefined, error: undefined, running: true },
  })
  const evaluator = useRef<Evaluator>(null)
  useEffect(() => {
    evaluator.current = createEvaluator(startWorker)
    return () => evaluator.current?.close()
  }, [])

  const text = JSON.stringify(request)
  useEffect(() => {
    let left = false
    setState((known) => ({ ...known, running: true }))
    const timer = setTimeout(async () => {
      try {
        const answer = await evaluator.current!.evaluate(request)
        if (!left) setState({ answer, error: undefined, running: false })
      } catch (error) {
        // An old decision must not seem to be that of this text.
        if (!left) setState({ answer: undefined, error: error as Error, running: false })
      }
    }, debounceMs)
    return () => {
      left = true
      clearTimeout(timer)
    }
  }, [text])
  return state
}
