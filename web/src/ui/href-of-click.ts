/**
 * The page of ours that a plain click on a link asks for; null where the browser should do what it
 * does.
 */
export function hrefOfClick(event: MouseEvent): string | null {
  if (event.defaultPrevented || event.button !== 0) return null;
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return null;
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  if (
    link === null ||
    link.origin !== location.origin ||
    link.target !== '' ||
    link.hasAttribute('download')
  ) {
    return null;
  }
  // A place on the page that is already shown.
  if (link.hash !== '' && link.pathname === location.pathname) return null;
  return link.pathname + link.search + link.hash;
}
