/** Drawings of the articles. */

const PATHS: Readonly<Record<string, string>> = {
  boots: 'M22 10h14v20c0 3 2 5 6 6l8 3c3 1 4 3 4 6v5H22V10Zm0 34h32M22 18h14',
  jumper: 'M24 14c2 4 14 4 16 0l10 5 6 17-7 3-4-9v22H19V30l-4 9-7-3 6-17 10-5Zm-5 34h26',
  teapot:
    'M20 28h24c2 4 3 8 2 12-1 5-5 8-9 9H27c-4-1-8-4-9-9-1-4 0-8 2-12Zm4 0c1-5 15-5 16 0M32 21v-4M46 33c4-2 8-4 8-9M18 33c-6-3-10 1-8 6 1 3 5 4 9 4',
}

export function Picture({ sku }: { readonly sku: string }) {
  return (
    <svg className="picture" data-sku={sku} viewBox="0 0 64 64" aria-hidden="true">
      <path d={PATHS[sku]} />
    </svg>
  )
}
