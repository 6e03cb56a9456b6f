/** What the charts use of ECharts, which is not installed when types are checked. */
declare module 'echarts/core' {
  export function use(parts: readonly object[]): void
  export function init(
    element: null,
    theme: null,
    options: { renderer: 'svg'; ssr: true; width: number; height: number },
  ): { setOption(option: object): void; renderToSVGString(): string; dispose(): void }
}

declare module 'echarts/charts' {
  export const BarChart: object
  export const LineChart: object
}

declare module 'echarts/components' {
  export const GridComponent: object
  export const TitleComponent: object
}

declare module 'echarts/renderers' {
  export const SVGRenderer: object
}
