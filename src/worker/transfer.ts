/** Prepares answers for a transfer to the page. Copies are sent: the worker keeps its tables. */

/** Returns a copy of `value` and the buffers of the copied typed arrays, for a transfer. */
export function packCopy<T>(value: T): { readonly value: T; readonly transfer: ArrayBuffer[] } {
  const transfer: ArrayBuffer[] = [];
  const seen = new Map<object, unknown>();
  return { value: copy(value, transfer, seen) as T, transfer };
}

/** Returns `value` and the buffers of its typed arrays; the worker loses these buffers. */
export function packOwn<T extends object>(
  value: T,
): { readonly value: T; readonly transfer: ArrayBuffer[] } {
  const buffers = Object.values(value)
    .filter((field) => ArrayBuffer.isView(field))
    .map(({ buffer }) => buffer)
    .filter((buffer) => buffer instanceof ArrayBuffer);
  return { value, transfer: [...new Set(buffers)] };
}

function copy(value: unknown, transfer: ArrayBuffer[], seen: Map<object, unknown>): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const known = seen.get(value);
  if (known !== undefined) return known;
  const made = copyObject(value, transfer, seen);
  seen.set(value, made);
  return made;
}

function copyObject(value: object, transfer: ArrayBuffer[], seen: Map<object, unknown>): unknown {
  if (isTypedArray(value)) {
    const own = value.slice();
    if (own.buffer instanceof ArrayBuffer) transfer.push(own.buffer);
    return own;
  }
  // A Blob is passed by reference, so it needs no copy.
  if (value instanceof Blob) return value;
  if (Array.isArray(value)) return value.map((item: unknown) => copy(item, transfer, seen));
  if (value instanceof Map) {
    return new Map([...value].map(([key, item]) => [key, copy(item, transfer, seen)]));
  }
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, copy(item, transfer, seen)]),
  );
}

type TypedArray = { slice(): TypedArray; readonly buffer: ArrayBufferLike };

function isTypedArray(value: object): value is TypedArray {
  return ArrayBuffer.isView(value) && !(value instanceof DataView);
}
