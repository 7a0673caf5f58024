/** One value of the text format of Prometheus. */
export type MetricSample = {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

const line = /^([A-Za-z_:][\w:]*)(?:\{(.*)\})?\s+(\S+)(?:\s+-?\d+)?$/
const label = /([A-Za-z_]\w*)="((?:[^"\\]|\\.)*)"/g

/** Most lines that are read: a gateway has a few hundred. */
const mostLines = 20_000

/** The samples of `/metrics`. Lines that are none are skipped. */
export const metricSamples = (text: string): readonly MetricSample[] =>
  text.split('\n', mostLines).flatMap((each) => {
    const [, name, labels = '', value] = line.exec(each.trim()) ?? []
    const number = Number(value)
    if (name === undefined || Number.isNaN(number)) return []
    const pairs = [...labels.matchAll(label)].map(([, key, text]) => [key, text])
    return [{ name, labels: Object.fromEntries(pairs), value: number }]
  })
