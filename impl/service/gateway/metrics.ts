/** Metrics of one gateway, in Prometheus text format. */
export const createMetrics = () => {
  const calls = new Map<string, { count: number; seconds: number }>()
  let inFlight = 0
  return {
    begin() {
      inFlight += 1
    },
    /** `method` is a name of the method table or `none`, so that callers cannot create series. */
    end(method: string, outcome: string, milliseconds: number) {
      inFlight -= 1
      const labels = `method="${method}",outcome="${outcome}"`
      const known = calls.get(labels) ?? { count: 0, seconds: 0 }
      known.count += 1
      known.seconds += milliseconds / 1000
      calls.set(labels, known)
    },
    text(): string {
      const lines = ['# TYPE gateway_calls_in_flight gauge', `gateway_calls_in_flight ${inFlight}`]
      lines.push('# TYPE gateway_call_seconds summary')
      for (const [labels, { count, seconds }] of calls) {
        lines.push(`gateway_call_seconds_count{${labels}} ${count}`)
        lines.push(`gateway_call_seconds_sum{${labels}} ${seconds.toFixed(6)}`)
      }
      return `${lines.join('\n')}\n`
    },
  }
}

export type Metrics = ReturnType<typeof createMetrics>
