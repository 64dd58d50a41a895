/** The address that links begin with. */

type Place = Pick<Location, 'protocol' | 'host' | 'pathname'>;

/**
 * This page without its query and `#`. Of a page that was opened from disk it is the hosted one,
 * which `npm run build:single` names where it is told (docs/hosting.md).
 */
export function pageAddress(place: Place = window.location, hosted = hostedPage()): string {
  const { protocol, host, pathname } = place;
  return isOnDisk(place) && hosted !== null ? hosted : `${protocol}//${host}${pathname}`;
}

/** Do links lead to a file of this computer? */
export function isLinkLocal(place: Place = window.location, hosted = hostedPage()): boolean {
  return isOnDisk(place) && hosted === null;
}

/** Said beside such links. */
export const LOCAL_LINK =
  'This page was opened from disk, so the link works on this computer only: put the address of a hosted page before the #.';

const isOnDisk = ({ protocol }: Pick<Place, 'protocol'>) => protocol === 'file:';

function hostedPage(): string | null {
  const { content = '' } =
    document.querySelector<HTMLMetaElement>('meta[name="btfscope-hosted"]') ?? {};
  return /^https?:\/\//.test(content) ? content.replace(/[?#].*$/, '') : null;
}
