/**
 * The `Link` header of a page (RFC 8288): first, prev, next and last, all with the same `as_of`.
 * The targets are queries alone, which resolve against the requested URL even if a proxy changes
 * its path.
 */
export function pageLinks(
  { total, page, size }: { readonly total: number; readonly page: number; readonly size: number },
  asOf: number = total,
): string {
  const last = Math.max(1, Math.ceil(total / size))
  const link = (relation: string, to: number) =>
    `<?page=${to}&size=${size}&as_of=${asOf}>; rel="${relation}"`
  return [
    link('first', 1),
    ...(page > 1 ? [link('prev', Math.min(page - 1, last))] : []),
    ...(page < last ? [link('next', page + 1)] : []),
    link('last', last),
  ].join(', ')
}
