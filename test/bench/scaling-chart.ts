/** Draws the figures of `bench:scaling` as an SVG: one line chart for each series. */
import { LineChart } from 'echarts/charts'
import { GridComponent, TitleComponent } from 'echarts/components'
import { init, use } from 'echarts/core'
import { SVGRenderer } from 'echarts/renderers'

use([LineChart, GridComponent, TitleComponent, SVGRenderer])

export type Series = {
  /** What grows. */
  readonly name: string
  /** What is measured. */
  readonly unit: string
  /** The horizontal axis. Linear growth is a straight line with `value`. */
  readonly axis: 'log' | 'value'
  readonly points: readonly (readonly [size: number, us: number])[]
}

const WIDTH = 800
const HEIGHT = 620
const COLUMNS = 2
/** Of a chart, including its titles and axes. */
const CELL = { width: 380, height: 270 }
const TOP = 70

/** `subtitle` names the date and the machine. */
export function drawScaling(series: readonly Series[], subtitle: string): string {
  const chart = init(null, null, { renderer: 'svg', ssr: true, width: WIDTH, height: HEIGHT })
  const cells = series.map((_, index) => ({
    left: 20 + (index % COLUMNS) * (CELL.width + 10),
    top: TOP + Math.floor(index / COLUMNS) * CELL.height,
  }))
  chart.setOption({
    animation: false,
    backgroundColor: '#ffffff',
    title: [
      { text: 'Time by size', subtext: subtitle, left: 10, top: 8 },
      ...series.map(({ name, unit }, index) => ({
        ...cells[index],
        text: name,
        subtext: unit,
        textStyle: { fontSize: 13 },
      })),
    ],
    grid: cells.map(({ left, top }) => ({
      left: left + 40,
      top: top + 55,
      width: CELL.width - 70,
      height: CELL.height - 100,
    })),
    xAxis: series.map(({ axis, points }, index) => ({
      type: axis,
      gridIndex: index,
      min: points[0]?.[0],
      max: points.at(-1)?.[0],
    })),
    yAxis: series.map((_, index) => ({ type: 'value', gridIndex: index, min: 0 })),
    series: series.map(({ points }, index) => ({
      type: 'line',
      xAxisIndex: index,
      yAxisIndex: index,
      data: points,
      symbolSize: 7,
      lineStyle: { color: '#1f6feb' },
      itemStyle: { color: '#1f6feb' },
    })),
  })
  const svg = chart.renderToSVGString()
  chart.dispose()
  return svg
}
