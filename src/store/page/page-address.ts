/** The page's own address, with which links begin. */

type Place = Pick<Location, 'protocol' | 'host' | 'pathname'>;

/** Returns the address of the page, or of its hosted copy, without query and hash. */
export function pageAddress(place: Place = window.location, hosted = hostedPage()): string {
  const { protocol, host, pathname } = place;
  return isOnDisk(place) && hosted !== null ? hosted : `${protocol}//${host}${pathname}`;
}

/** Returns true if links lead to a page on this computer's disk. */
export function isLinkLocal(place: Place = window.location, hosted = hostedPage()): boolean {
  return isOnDisk(place) && hosted === null;
}

/** Note that the page shows beside links to a page on disk. */
export const LOCAL_LINK =
  'This page was opened from disk, so the link works on this computer only: put the address of a hosted page before the #.';

const isOnDisk = ({ protocol }: Pick<Place, 'protocol'>) => protocol === 'file:';

function hostedPage(): string | null {
  const { content = '' } =
    document.querySelector<HTMLMetaElement>('meta[name="btfscope-hosted"]') ?? {};
  return /^https?:\/\//.test(content) ? content.replace(/[?#].*$/, '') : null;
}
