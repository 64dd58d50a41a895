/** The worker of a file without a worker: the same server, in the page of the test. */
import { FileClient, type Port } from '#worker/client.ts';
import { FileServer } from '#worker/serve.ts';

/** In place of `startFileClient`. */
export function startInPage(): FileClient {
  const port: Port = {
    postMessage: (message: Parameters<FileServer['handle']>[0]) => void server.handle(message),
    terminate: () => {
      port.onmessage = null;
    },
    onmessage: null,
    onerror: null,
    onmessageerror: null,
  };
  const server = new FileServer((data) => port.onmessage?.(new MessageEvent('message', { data })));
  return new FileClient(port);
}
