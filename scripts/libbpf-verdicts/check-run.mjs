// Functions of src/ that scripts/libbpf-verdicts.mjs calls.

import { btfExtFailure } from '#analysis/libbpf/btf-ext-rules.ts';
import { checkBtf } from '#analysis/libbpf/check-btf.ts';
import { resolveSize } from '#analysis/libbpf/resolve-size.ts';
import { ingestBtf } from '#ingest/btf.ts';
import { sectionName } from '#model/sections.ts';
import { kindOf, lastId, nameOf } from '#model/type-table.ts';
import { openModel } from '#testing/open-model.ts';

const HEADER_LENGTH = 24;
const FNV_OFFSET = 2166136261;
const FNV_PRIME = 16777619;
const ERROR_CODES = { EINVAL: -22, E2BIG: -7 };

/** Returns the little-endian .BTF.ext of an object as a list, which is empty if there is none. */
export async function extOf(bytes) {
  const { sections } = await openModel('object', new Uint8Array(bytes));
  return Array.from(sections.fileOffset, (start, i) => [start, i])
    .filter(([, i]) => sectionName(sections, i) === '.BTF.ext')
    .map(([start, i]) => Buffer.from(bytes).subarray(start, start + sections.byteLength[i]))
    .filter((ext) => ext.length > 24 && ext.readUInt16LE(0) === 0xeb9f);
}

/** Returns the errno of `btf_ext__new`, or `ok`. */
export function judgeExt(bytes) {
  return { errno: btfExtFailure(new Uint8Array(bytes), 'little')?.errno ?? 'ok' };
}

/** Returns the base that `judgeBtf` takes. */
export const openBase = async (bytes) => (await openModel('base', new Uint8Array(bytes))).types;

/** Returns libbpf's verdict on BTF, and what `verdicts.c` prints of accepted BTF. */
export async function judgeBtf(bytes, base) {
  const blob = new Uint8Array(bytes);
  const { libbpf } = checkBtf(blob, base);
  if (libbpf.verdict !== 'ok') return { errno: libbpf.errno, line: libbpf.message };
  // libbpf takes fields after a short header as 0; the reader refuses it, as kernels do.
  if (Buffer.from(bytes).readUInt32LE(4) < HEADER_LENGTH) return { errno: 'ok' };
  try {
    const { types } = ingestBtf({ bytes: blob, region: '.BTF', fileOffset: 0 }, base, []);
    return { errno: 'ok', count: types.count, hash: hashOf(types) };
  } catch (error) {
    return { errno: 'ok', unread: error.message };
  }
}

function hashOf(types) {
  let hash = FNV_OFFSET;
  const add = (bytes) => {
    for (const byte of bytes) hash = Math.imul(hash ^ byte, FNV_PRIME);
  };
  for (let id = types.firstId; id <= lastId(types); id++) {
    const size = resolveSize(types, id);
    add([kindOf(types, id)]);
    add(Buffer.from(`${nameOf(types, id)}\0`));
    add(new Uint8Array(Int32Array.of(ERROR_CODES[size] ?? size).buffer));
  }
  return hash >>> 0;
}
