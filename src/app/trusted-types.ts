/** Trusted Types: the page's policy allows only URLs of its own scripts, for workers. All other values throw. */
type TrustedTypes = {
  createPolicy(
    name: string,
    rules: { readonly createScriptURL: (address: string) => string | null },
  ): unknown;
};

/** Returns whether a URL is a script of the page itself: beside it, or in it. */
export function isOwnScript(address: string, page: string): boolean {
  const url = URL.canParse(address, page) ? new URL(address, page) : null;
  if (url === null) return false;
  // The single-file page makes a `blob:` URL for its worker.
  if (url.protocol === 'blob:') return true;
  const folder = new URL('./', page);
  if (url.origin !== folder.origin || !url.pathname.startsWith(folder.pathname)) return false;
  const path = url.pathname.slice(folder.pathname.length);
  return path === 'service-worker.js' || /^assets\/[\w.-]+\.js$/.test(path);
}

/** Creates the policy; call it before any worker is started. Does nothing without Trusted Types. */
export function trustOwnScripts(): void {
  const { trustedTypes } = globalThis as { readonly trustedTypes?: TrustedTypes };
  trustedTypes?.createPolicy('default', {
    createScriptURL: (address) => (isOwnScript(address, document.baseURI) ? address : null),
  });
}
