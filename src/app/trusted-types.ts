/**
 * The page's policy asks for a trusted value wherever text could become markup or code.
 * This is the one place that gives trust, and to one thing: the address of a script of
 * our own, which starts a worker. Everything else that would turn text into more than
 * text throws.
 */
type TrustedTypes = {
  createPolicy(
    name: string,
    rules: { readonly createScriptURL: (address: string) => string | null },
  ): unknown;
};

/** Is it a script that was built with this page: beside it, or carried by it? */
export function isOwnScript(address: string, page: string): boolean {
  const url = URL.canParse(address, page) ? new URL(address, page) : null;
  if (url === null) return false;
  // The page that is one file makes the address of its worker itself.
  if (url.protocol === 'blob:') return true;
  const folder = new URL('./', page);
  if (url.origin !== folder.origin || !url.pathname.startsWith(folder.pathname)) return false;
  const path = url.pathname.slice(folder.pathname.length);
  return path === 'service-worker.js' || /^assets\/[\w.-]+\.js$/.test(path);
}

/** Call it before any worker is started. Does nothing in a browser without trusted types. */
export function trustOwnScripts(): void {
  const { trustedTypes } = globalThis as { readonly trustedTypes?: TrustedTypes };
  trustedTypes?.createPolicy('default', {
    createScriptURL: (address) => (isOwnScript(address, document.baseURI) ? address : null),
  });
}
