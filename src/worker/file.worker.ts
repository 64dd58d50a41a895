/** The worker of one file. `serve.ts` does all the work. */
import type { ToWorker } from './protocol.ts';
import { FileServer } from './serve.ts';

/** Global names of the language (ECMA-262, clause 19; ECMA-402; Annex B). */
const LANGUAGE = `AggregateError Array ArrayBuffer Atomics BigInt BigInt64Array BigUint64Array
  Boolean DataView Date Error EvalError FinalizationRegistry Float16Array Float32Array Float64Array
  Function Infinity Int16Array Int32Array Int8Array Intl Iterator JSON Map Math NaN Number Object
  Promise Proxy RangeError ReferenceError Reflect RegExp Set SharedArrayBuffer String
  SuppressedError Symbol SyntaxError TypeError URIError Uint16Array Uint32Array Uint8Array
  Uint8ClampedArray WeakMap WeakRef WeakSet constructor decodeURI decodeURIComponent encodeURI
  encodeURIComponent escape eval globalThis isFinite isNaN parseFloat parseInt undefined unescape`;

/** Platform names that reading a file needs: no network, no storage, no other tabs. */
const PLATFORM = `AbortController AbortSignal Blob CompressionStream DOMException
  DecompressionStream File ReadableStream Response TextDecoder TextEncoder URL atob btoa
  clearInterval clearTimeout close console crypto isSecureContext location navigator onerror
  onmessage onmessageerror performance postMessage queueMicrotask reportError self setInterval
  setTimeout structuredClone`;

/** A lock shows the page that the worker lives: worker-crash.ts. */
const NAVIGATOR = 'constructor locks';

/** Removes every property of `start` and its prototypes up to `end` that `kept` does not name. */
function removeOthers(start: object, end: object | null, kept: string): void {
  const names = new Set(kept.split(/\s+/));
  for (let at = start; at !== end && at !== null; at = Object.getPrototypeOf(at)) {
    for (const [name, { configurable }] of Object.entries(Object.getOwnPropertyDescriptors(at))) {
      if (names.has(name) || configurable !== true) continue;
      // No other object has the prototype's getter, so that nothing can reach the getter by another
      // name.
      Object.defineProperty(at, name, { value: undefined, writable: false, configurable: false });
    }
  }
}

removeOthers(globalThis, EventTarget.prototype, `${LANGUAGE} ${PLATFORM}`);
removeOthers(navigator, Object.prototype, NAVIGATOR);

const scope = globalThis as unknown as DedicatedWorkerGlobalScope;
const server = new FileServer((message, transfer) => scope.postMessage(message, transfer ?? []));

/** Milliseconds after the last answer at which a worker is at rest. */
const REST_MS = 6000;
/** Shorter work leaves little garbage. */
const LITTLE_MS = 50;
/** More than V8 allows outside of its heap (`kExternalAllocationSoftLimit`, 64 MB). */
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
 * Triggers a garbage collection by allocating memory outside of the heap, since no engine collects
 * in an idle worker. Reading a kernel leaves eight times its size as garbage.
 */
function handBack(): void {
  workedMs = 0;
  try {
    void new ArrayBuffer(PRESSURE_BYTES);
  } catch {
    // Allocation failed: memory is full.
  }
}
