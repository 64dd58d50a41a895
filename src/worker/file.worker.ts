/** The worker of one file. All the work is in `serve.ts`. */
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

/** What reading a file needs of the browser. None of it reaches the network, storage or another tab. */
const PLATFORM = `AbortController AbortSignal Blob CompressionStream DOMException
  DecompressionStream File ReadableStream Response TextDecoder TextEncoder URL atob btoa
  clearInterval clearTimeout close console crypto isSecureContext location navigator onerror
  onmessage onmessageerror performance postMessage queueMicrotask reportError self setInterval
  setTimeout structuredClone`;

/** Locks tell the page that the worker lives: liveness-lock.ts. */
const NAVIGATOR = 'constructor locks';

/**
 * Takes every property that is not named in `kept` from `start` and its prototypes, up to
 * `end`, for good: a list of what is allowed also holds for what browsers add later.
 */
function removeOthers(start: object, end: object | null, kept: string): void {
  const names = new Set(kept.split(/\s+/));
  for (let at = start; at !== end && at !== null; at = Object.getPrototypeOf(at)) {
    for (const [name, { configurable }] of Object.entries(Object.getOwnPropertyDescriptors(at))) {
      if (names.has(name) || configurable !== true) continue;
      // A getter of a prototype that no other object has, so nothing finds it by name either.
      Object.defineProperty(at, name, { value: undefined, writable: false, configurable: false });
    }
  }
}

removeOthers(globalThis, EventTarget.prototype, `${LANGUAGE} ${PLATFORM}`);
removeOthers(navigator, Object.prototype, NAVIGATOR);

const scope = globalThis as unknown as DedicatedWorkerGlobalScope;
const server = new FileServer((message, transfer) => scope.postMessage(message, transfer ?? []));

/** So long after the last answer a worker is at rest. */
const REST_MS = 6000;
/** Work of fewer milliseconds leaves little behind. */
const LITTLE_MS = 50;
/** More than what V8 lets grow outside of its heap before it collects (`kExternalAllocationSoftLimit`, 64 MB). */
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
 * Reading a kernel leaves eight times its size behind, and no engine collects in a worker that
 * allocates nothing any more. Memory outside of the heap makes it: it is never touched, so that
 * the system never gives it, and goes with the rest.
 */
function handBack(): void {
  workedMs = 0;
  try {
    void new ArrayBuffer(PRESSURE_BYTES);
  } catch {
    // There is not even room to ask for more.
  }
}
