/** Lets tests open files without a worker: the worker's server runs in the same thread. */
import { vi } from 'vitest';
import * as client from '#worker/client.ts';
import { FileServer } from '#worker/serve.ts';

/** Makes files that are opened during the test use this server. */
export function openFilesInPage(): void {
  vi.spyOn(client, 'startFileClient').mockImplementation(startInPage);
}

function startInPage(_: unknown, remote: client.RemoteReader | null = null): client.FileClient {
  const port: client.Port = {
    postMessage: (message: Parameters<FileServer['handle']>[0]) => void server.handle(message),
    terminate: () => {
      port.onmessage = null;
    },
    onmessage: null,
    onerror: null,
    onmessageerror: null,
  };
  const server = new FileServer((data) => port.onmessage?.(new MessageEvent('message', { data })));
  return new client.FileClient(port, remote === null ? {} : { remote });
}
