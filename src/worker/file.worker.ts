/** The worker of one file. All the work is in `serve.ts`. */
import type { ToWorker } from './protocol.ts';
import { FileServer } from './serve.ts';

const scope = globalThis as unknown as DedicatedWorkerGlobalScope;
const server = new FileServer((message, transfer) => scope.postMessage(message, transfer ?? []));

scope.onmessage = (event: MessageEvent<ToWorker>) => {
  void server.handle(event.data);
};
