/** Draws the figures of a run as an SVG: bars of CPU time per request, by kind of request. */

import { BarChart } from 'echarts/charts'
import { GridComponent, TitleComponent } from 'echarts/components'
import { init, use } from 'echarts/core'
import { SVGRenderer } from 'echarts/renderers'
import type { EntryFigures } from './figures.ts'

use([BarChart, GridComponent, TitleComponent, SVGRenderer])

const WIDTH = 800
const ROW_HEIGHT = 26
const MARGIN = { top: 70, bottom: 50, left: 250, right: 70 }

/** `subtitle` names the date and the machine. */
export function drawChart(figures: readonly EntryFigures[], subtitle: string): string {
  const rows = figures
    .toSorted((a, b) => a.workload.localeCompare(b.workload) || a.cpuUs - b.cpuUs)
    .toReversed()
  const height = MARGIN.top + MARGIN.bottom + rows.length * ROW_HEIGHT
  const chart = init(null, null, { renderer: 'svg', ssr: true, width: WIDTH, height })
  chart.setOption({
    animation: false,
    backgroundColor: '#ffffff',
    title: { text: 'CPU time per request', subtext: subtitle, left: 10, top: 8 },
    grid: MARGIN,
    xAxis: { type: 'value', name: 'µs', axisLine: { show: true } },
    yAxis: {
      type: 'category',
      data: rows.map(({ contender, workload }) => `${workload.replaceAll('_', ' ')}: ${contender}`),
      axisTick: { show: false },
    },
    series: [
      {
        type: 'bar',
        barWidth: 16,
        label: { show: true, position: 'right' },
        data: rows.map(({ contender, cpuUs }) => ({
          value: Math.round(cpuUs),
          itemStyle: { color: contender === 'waybill' ? '#1f6feb' : '#9aa4b2' },
        })),
      },
    ],
  })
  const svg = chart.renderToSVGString()
  chart.dispose()
  return svg
}
