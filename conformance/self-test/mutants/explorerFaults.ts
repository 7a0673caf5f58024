import type { ServiceParts } from 'polgate-service/serviceParts.ts'
import type { MarkFired } from './mutant.ts'
import { answered, changedExplorer, type Json, wrapListener } from './wrappedListeners.ts'

const taskPaths = /^\/v1\/(task|policy\/(id|address)\/[^/]+\/task)(\/|$)/
const policyPaths = /^\/v1\/policy(\/0x[^/]*)?$/i

const isPage = (answer: Json) => Array.isArray(answer?.results)
const isRow = (answer: Json) => answer?.id !== undefined || answer?.address !== undefined

const everyRow = (path: RegExp, change: (row: Json) => Json) =>
  changedExplorer(path, (answer) => {
    if (isPage(answer)) return { ...answer, results: answer.results.map(change) }
    return isRow(answer) ? change(answer) : answer
  })

/** Every shown task, alone or in a list. */
export const everyTask = (change: (task: Json) => Json) => everyRow(taskPaths, change)
/** Every shown policy. */
export const everyPolicy = (change: (policy: Json) => Json) => everyRow(policyPaths, change)

/** The detail of a task. */
export const taskDetail = (change: (task: Json) => Json) =>
  changedExplorer(/^\/v1\/task\/./, (answer) => (isRow(answer) ? change(answer) : answer))

/** Every list; `query` is that of the request. */
export const everyList = (change: (page: Json, query: URLSearchParams) => Json, path = /./) =>
  changedExplorer(path, (answer, { request }) =>
    isPage(answer) ? change(answer, new URL(request.url).searchParams) : answer,
  )

export const stats = (change: (counts: Json) => Json) =>
  changedExplorer(/^\/v1\/stats$/, (answer) =>
    answer?.total_tasks === undefined ? answer : change(answer),
  )

/** Answers another request than the one that was sent. */
export const requestAs =
  (change: (url: URL, headers: Headers) => void) =>
  (markFired: MarkFired): ServiceParts =>
    wrapListener('wrapExplorerFetch', async ({ request }, pass) => {
      const url = new URL(request.url)
      const headers = new Headers(request.headers)
      change(url, headers)
      const same =
        url.href === new URL(request.url).href &&
        JSON.stringify([...headers]) === JSON.stringify([...request.headers])
      if (same) return pass(request)
      markFired()
      return pass(new Request(url, { method: request.method, headers }))
    })()

/** Changes the query of a request. */
export const queryAs = (change: (query: URLSearchParams, path: string) => void) =>
  requestAs((url) => change(url.searchParams, url.pathname))

/** Errors of the explorer, with another status or body. */
export const refusedAs =
  (
    applies: (status: number, body: Json, path: string) => boolean,
    change: (status: number, body: Json) => { readonly status?: number; readonly body?: Json },
  ) =>
  (markFired: MarkFired): ServiceParts =>
    wrapListener('wrapExplorerFetch', async ({ request }, pass) => {
      const response = await pass(request)
      if (response.status < 400) return response
      const body = await response
        .clone()
        .json()
        .catch(() => undefined)
      if (!applies(response.status, body, new URL(request.url).pathname)) return response
      markFired()
      const { status = response.status, body: instead = body } = change(response.status, body)
      return answered(response, JSON.stringify(instead), status)
    })()
