import UPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import {
  type ChartData,
  type ChartSeries,
  drawnSeries,
  timeSteps,
  wholeSteps,
  xRange,
} from './chartSeries.ts'

/** A chart on a canvas. */
export type Plot = {
  /** Shows other values of the same series. */
  update(data: ChartData): void
  resize(width: number): void
  destroy(): void
}

const height = 150
const font = '12px system-ui, sans-serif'
const colour = (name: string) => getComputedStyle(document.documentElement).getPropertyValue(name)

const aligned = (data: ChartData): UPlot.AlignedData => [
  [...data.x],
  ...drawnSeries(data).map(({ heights }) => [...heights]),
]

/** Draws into an element, in the colours of the theme that is shown now. */
export function drawPlot(element: HTMLElement, given: ChartData): Plot {
  let data = given
  const bars = UPlot.paths.bars!({ size: [0.7, 40] })
  const line = colour('--line')
  const axis = { font, stroke: colour('--muted'), grid: { stroke: line, width: 1 } }
  const isTime = data.xKind === 'time'
  const drawn = drawnSeries(data).map(({ series }) => series)
  const sideOf = ({ axis: side }: ChartSeries) => (side === undefined ? 'y' : 'right')
  const axisOf = (side: 'y' | 'right'): UPlot.Axis[] => {
    const [first] = drawn.filter((each) => sideOf(each) === side)
    if (first === undefined) return []
    return [
      {
        ...axis,
        scale: side,
        size: 62,
        incrs: [...wholeSteps],
        values: (_, values) => values.map((each) => (first.axisText ?? first.text)(each)),
        ...(side === 'right' ? { side: 1, grid: { show: false } } : {}),
      },
    ]
  }
  const rangeOf =
    (side: 'y' | 'right'): UPlot.Range.Function =>
    (_, __, highest) => {
      const most = drawn.find((each) => sideOf(each) === side)?.most
      return [0, most ?? Math.max(highest ?? 0, 1) * 1.1]
    }
  const plot = new UPlot(
    {
      ...{ width: element.clientWidth, height, ms: 1 },
      cursor: { drag: { x: false, y: false } },
      scales: {
        x: { time: isTime, range: () => [...xRange(data)] as [number, number] },
        y: { range: rangeOf('y') },
        right: { range: rangeOf('right') },
      },
      axes: [
        {
          ...axis,
          ...(isTime ? { incrs: [...timeSteps] } : { size: 30, incrs: [...wholeSteps] }),
        },
        ...axisOf('y'),
        ...axisOf('right'),
      ],
      series: [
        {
          label: data.xTitle,
          value: (_, value: number | null) => (value === null ? '' : data.xText(value)),
        },
        ...drawn.map((series): UPlot.Series => {
          const tone = colour(`--${series.tone}`)
          return {
            label: series.title,
            scale: sideOf(series),
            stroke: tone,
            // The value itself, not the height of a stack of bars.
            value: (_, __, at, index) => {
              if (index === null) return ''
              const value = drawnSeries(data)[at - 1]?.series.values[index]
              return value === null || value === undefined ? 'none' : series.text(value)
            },
            ...(series.draw === 'bars'
              ? { fill: tone, paths: bars, points: { show: false } }
              : { width: 1.5, points: { show: true, size: 4, fill: tone } }),
          }
        }),
      ],
    },
    aligned(data),
    element,
  )
  return {
    update(next) {
      data = next
      plot.setData(aligned(next))
    },
    resize: (width) => plot.setSize({ width, height }),
    destroy: () => plot.destroy(),
  }
}
