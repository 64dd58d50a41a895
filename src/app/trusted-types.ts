/** Trusted Types: the policy of the page allows workers with scripts of the page only. */
type TrustedTypes = {
  createPolicy(
    name: string,
    rules: { readonly createScriptURL: (address: string) => string | null },
  ): unknown;
};

/** Returns true if a URL is a script of the page: a file beside the page, or a `blob:` URL. */
export function isOwnScript(address: string, page: string): boolean {
  const url = URL.canParse(address, page) ? new URL(address, page) : null;
  if (url === null) return false;
  // The single-file page starts its worker from a `blob:` URL.
  if (url.protocol === 'blob:') return true;
  const folder = new URL('./', page);
  if (url.origin !== folder.origin || !url.pathname.startsWith(folder.pathname)) return false;
  const path = url.pathname.slice(folder.pathname.length);
  return path === 'service-worker.js' || /^assets\/[\w.-]+\.js$/.test(path);
}

/** Creates the policy. Call it before a worker starts. */
export function trustOwnScripts(): void {
  const { trustedTypes } = globalThis as { readonly trustedTypes?: TrustedTypes };
  trustedTypes?.createPolicy('default', {
    createScriptURL: (address) => (isOwnScript(address, document.baseURI) ? address : null),
  });
}
