/** Script of a file's worker. `serve.ts` handles the messages. */
import type { ToWorker } from './protocol.ts';
import { FileServer } from './serve.ts';

/** Global names of the JavaScript language (ECMA-262, clause 19; ECMA-402; Annex B). */
const LANGUAGE = `AggregateError Array ArrayBuffer Atomics BigInt BigInt64Array BigUint64Array
  Boolean DataView Date Error EvalError FinalizationRegistry Float16Array Float32Array Float64Array
  Function Infinity Int16Array Int32Array Int8Array Intl Iterator JSON Map Math NaN Number Object
  Promise Proxy RangeError ReferenceError Reflect RegExp Set SharedArrayBuffer String
  SuppressedError Symbol SyntaxError TypeError URIError Uint16Array Uint32Array Uint8Array
  Uint8ClampedArray WeakMap WeakRef WeakSet constructor decodeURI decodeURIComponent encodeURI
  encodeURIComponent escape eval globalThis isFinite isNaN parseFloat parseInt undefined unescape`;

/** Platform names that reading a file needs; none reaches the network, storage or other tabs. */
const PLATFORM = `AbortController AbortSignal Blob CompressionStream DOMException
  DecompressionStream File ReadableStream Response TextDecoder TextEncoder URL atob btoa
  clearInterval clearTimeout close console crypto isSecureContext location navigator onerror
  onmessage onmessageerror performance postMessage queueMicrotask reportError self setInterval
  setTimeout structuredClone`;

/** Properties of `navigator` that stay; the page detects the worker's end by a lock. */
const NAVIGATOR = 'constructor locks';

/** Removes properties that `kept` does not name: of `start` and its prototypes before `end`. */
function removeOthers(start: object, end: object | null, kept: string): void {
  const names = new Set(kept.split(/\s+/));
  for (let at = start; at !== end && at !== null; at = Object.getPrototypeOf(at)) {
    for (const [name, { configurable }] of Object.entries(Object.getOwnPropertyDescriptors(at))) {
      if (names.has(name) || configurable !== true) continue;
      // Also removes the getter in the prototype, since it could be called on another object.
      Object.defineProperty(at, name, { value: undefined, writable: false, configurable: false });
    }
  }
}

removeOthers(globalThis, EventTarget.prototype, `${LANGUAGE} ${PLATFORM}`);
removeOthers(navigator, Object.prototype, NAVIGATOR);

const scope = globalThis as unknown as DedicatedWorkerGlobalScope;
const server = new FileServer((message, transfer) => scope.postMessage(message, transfer ?? []));

/** Garbage is collected when this time in ms has passed since the last answer. */
const REST_MS = 6000;
/** No garbage is collected if the worker has worked for less than this time in ms. */
const LITTLE_MS = 50;
/** Bytes to allocate; above V8's limit of 64 MB (`kExternalAllocationSoftLimit`). */
const PRESSURE_BYTES = 96 << 20;

let running = 0;
let workedMs = 0;
let rest = 0;

scope.onmessage = async ({ data }: MessageEvent<ToWorker>) => {
  clearTimeout(rest);
  const start = performance.now();
  running++;
  try {
    await server.handle(data);
  } finally {
    running--;
    workedMs += performance.now() - start;
    if (running === 0 && workedMs > LITTLE_MS) rest = setTimeout(handBack, REST_MS);
  }
};

/**
 * Makes the engine collect garbage by allocating memory, since engines do not collect in an idle
 * worker. Reading a kernel leaves garbage of eight times its size.
 */
function handBack(): void {
  workedMs = 0;
  try {
    void new ArrayBuffer(PRESSURE_BYTES);
  } catch {
    // The allocation can fail if memory is full; then there is nothing to do.
  }
}
