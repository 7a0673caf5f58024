import { useEffect, useRef, useState } from 'preact/hooks'
import { DataTable } from '../DataTable.tsx'
import type { ChartData } from './chartSeries.ts'
import './chart.css'
import type { Plot } from './plot.ts'
import { useThemeName } from './useThemeName.ts'

/**
 * Values over time or over numbers: a drawing, what it shows in words, and its values as a table for whoever cannot
 * see it. What draws is loaded when the first chart is shown.
 */
export function Chart(props: {
  readonly label: string
  /** What the drawing shows, in a sentence. */
  readonly summary: string
  readonly data: ChartData
}) {
  const { label, summary, data } = props
  const place = useRef<HTMLDivElement>(null)
  const plot = useRef<Plot | undefined>(undefined)
  const latest = useRef(data)
  latest.current = data
  const [failed, setFailed] = useState(false)
  const theme = useThemeName()
  const titles = data.series.map(({ title }) => title).join('\n')

  useEffect(() => {
    let isGone = false
    const resized = new ResizeObserver(([entry]) => {
      if (entry !== undefined) plot.current?.resize(entry.contentRect.width)
    })
    void import('./plot.ts').then(
      ({ drawPlot }) => {
        if (isGone || place.current === null) return
        plot.current = drawPlot(place.current, latest.current)
        resized.observe(place.current)
      },
      () => setFailed(true),
    )
    return () => {
      isGone = true
      resized.disconnect()
      plot.current?.destroy()
      plot.current = undefined
    }
  }, [theme, titles, data.xKind])
  useEffect(
    () => plot.current?.update(latest.current),
    [JSON.stringify([data.x, data.series.map(({ values }) => values)])],
  )

  const rows = data.x.map((x, at) => ({ x, at })).toReversed()
  return (
    <figure class="chart" aria-label={label}>
      <div class="chart-plot" ref={place} aria-hidden="true" />
      <figcaption class="muted">
        {summary}
        {failed ? ' The drawing could not be loaded.' : ''}
      </figcaption>
      <details>
        <summary>Values</summary>
        <DataTable
          label={`${label}: values`}
          rows={rows}
          keyOf={({ at }) => String(at)}
          columns={[
            { title: data.xTitle, cell: ({ x }) => data.xText(x) },
            ...data.series.map(({ title, values, text }) => ({
              title,
              cell: ({ at }: (typeof rows)[number]) => {
                const value = values[at]
                return value === null || value === undefined ? '–' : text(value)
              },
            })),
          ]}
        />
      </details>
    </figure>
  )
}
