/** Request counters of the explorer, in the Prometheus text format. */
export const createExplorerMetrics = () => {
  const requests = new Map<string, { count: number; seconds: number }>()
  return {
    /** `route` is the name of a route, or `none`, so that callers cannot create new series. */
    count(route: string, status: number, milliseconds: number) {
      const labels = `route="${route}",status="${status}"`
      const known = requests.get(labels) ?? { count: 0, seconds: 0 }
      known.count += 1
      known.seconds += milliseconds / 1000
      requests.set(labels, known)
    },
    text(): string {
      const lines = ['# TYPE explorer_request_seconds summary']
      for (const [labels, { count, seconds }] of requests) {
        lines.push(`explorer_request_seconds_count{${labels}} ${count}`)
        lines.push(`explorer_request_seconds_sum{${labels}} ${seconds.toFixed(6)}`)
      }
      return `${lines.join('\n')}\n`
    },
  }
}

export type ExplorerMetrics = ReturnType<typeof createExplorerMetrics>
