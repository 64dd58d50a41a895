/** The address that links begin with. */

type Place = Pick<Location, 'protocol' | 'host' | 'pathname'>;

/** Returns the page's address without query and `#`; on disk that of the hosted page (docs/hosting.md). */
export function pageAddress(place: Place = window.location, hosted = hostedPage()): string {
  const { protocol, host, pathname } = place;
  return isOnDisk(place) && hosted !== null ? hosted : `${protocol}//${host}${pathname}`;
}

/** Returns whether links lead to a page on this computer's disk. */
export function isLinkLocal(place: Place = window.location, hosted = hostedPage()): boolean {
  return isOnDisk(place) && hosted === null;
}

/** Note beside links to a page on disk. */
export const LOCAL_LINK =
  'This page was opened from disk, so the link works on this computer only: put the address of a hosted page before the #.';

const isOnDisk = ({ protocol }: Pick<Place, 'protocol'>) => protocol === 'file:';

function hostedPage(): string | null {
  const { content = '' } =
    document.querySelector<HTMLMetaElement>('meta[name="btfscope-hosted"]') ?? {};
  return /^https?:\/\//.test(content) ? content.replace(/[?#].*$/, '') : null;
}
