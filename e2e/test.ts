/**
 * Exports `test`, which all end-to-end tests use. A test fails if a page, a frame or a worker of any
 * context throws an error, or rejects a promise, that nothing handles.
 */
import { type BrowserContext, test as base, expect, type WebError } from '@playwright/test';

export const test = base.extend<{
  /** Messages of uncaught errors. A test that causes an error takes its message out. */
  uncaught: string[];
}>({
  uncaught: [
    async ({ browser }, use) => {
      const uncaught: string[] = [];
      const hear = (event: WebError) => {
        const error: unknown = event.error();
        uncaught.push(error instanceof Error ? (error.stack ?? error.message) : String(error));
      };
      const listen = (context: BrowserContext) => context.on('weberror', hear);
      const contexts = browser.contexts();
      contexts.forEach(listen);
      browser.on('context', listen);
      await use(uncaught);
      browser.off('context', listen);
      for (const context of browser.contexts()) context.off('weberror', hear);
      expect(uncaught, 'errors that the page or a worker does not catch').toEqual([]);
    },
    { auto: true },
  ],
});
