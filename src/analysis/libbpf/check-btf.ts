/**
 * The verdicts of the kernel and of libbpf on a BTF blob, and each problem with its bytes. Rules
 * are in the order of kernel/bpf/btf.c of Linux 6.18: header, strings, records, references, type
 * tags, special fields. The first broken rule is the kernel's verdict.
 */
import { BlobTypes } from '#analysis/kernel/blob-types.ts';
import { checkSpecialFields } from '#analysis/kernel/field-rules.ts';
import { checkReferences, checkTypeTags } from '#analysis/kernel/func-proto-rules.ts';
import {
  checkHeader,
  checkSections,
  type HeaderFields,
  headerFields,
} from '#analysis/kernel/header-rules.ts';
import { checkMetas } from '#analysis/kernel/meta-rules.ts';
import { BPF_NEXT, LINUX_6_18 } from '#analysis/kernel/rules.ts';
import {
  type KernelVerdict,
  type LibbpfVerdict,
  Report,
  type Verdict,
} from '#analysis/kernel/verdict.ts';
import { ByteReader } from '#bytes/byte-reader.ts';
import type { Endian } from '#bytes/span.ts';
import {
  BTF_HEADER_SIZE,
  type BtfLayout,
  magicEndian,
  readBtfLayout,
} from '#formats/btf/header.ts';
import type { TypeTable } from '#model/type-table.ts';
import { checkByLibbpf, libbpfAcceptsHeader } from './btf-rules.ts';

/**
 * Checks `blob`. With a `base`, the blob is a module's BTF, whose types the kernel does not
 * resolve; else it is a program's BTF. Never throws.
 */
export function checkBtf(blob: Uint8Array, base: TypeTable | null): Verdict {
  const report = new Report();
  const split = base !== null;
  const endian = magicEndian(new ByteReader(blob, '.BTF'));
  checkHeader(blob, 'little', split, report);
  let onLittle = report.takeKernelVerdict();
  if (endian === 'big') checkHeader(blob, 'big', split, report);
  checkBody(blob, endian, base, report);
  const rest = report.takeKernelVerdict();
  if (onLittle.verdict === 'ok') onLittle = rest;
  const native = endian === 'big' ? rest : onLittle;
  return {
    kernel: onLittle,
    native,
    // If 6.18 accepts a blob, bpf-next accepts it, too.
    next: native.verdict === 'ok' ? native : verdictOfNext(blob, endian, base),
    libbpf: report.libbpfVerdict,
    problems: report.problems,
    moreProblems: report.more,
  };
}

/** Checks the sections and, if libbpf accepted the header, the records. */
function checkBody(
  blob: Uint8Array,
  endian: Endian | null,
  base: TypeTable | null,
  report: Report,
): void {
  const h = storedHeader(blob, endian ?? 'little', blob.length);
  const split = base !== null;
  const { types, strings } = extentsOf(h);
  const end = Math.max(BTF_HEADER_SIZE, types.end, strings.end);
  if (endian !== null && end <= blob.length) checkSections(blob, h, strings, split, report);
  if (!libbpfAcceptsHeader(blob, endian, h, split, report) || endian === null) return;
  const records = recordsAfter(h, blob, endian, base);
  checkByKernel(records, report);
  checkByLibbpf(records, endian, layoutOf(blob, endian, h), report);
}

/** Returns libbpf's verdict on the BTF of a kernel or module to which records are relocated. */
export function libbpfVerdictOn(blob: Uint8Array): LibbpfVerdict {
  const report = new Report();
  const endian = magicEndian(new ByteReader(blob, '.BTF'));
  const h = storedHeader(blob, endian ?? 'little', blob.length);
  if (libbpfAcceptsHeader(blob, endian, h, false, report) && endian !== null) {
    const records = recordsAfter(h, blob, endian, null);
    checkByLibbpf(records, endian, layoutOf(blob, endian, h), report);
  }
  return report.libbpfVerdict;
}

/** Reads at most `limit` bytes of the header. As in the kernel, fields after hdr_len are 0. */
function storedHeader(blob: Uint8Array, endian: Endian, limit: number): HeaderFields {
  const { hdrLen } = headerFields(blob, endian, blob.length);
  return headerFields(blob, endian, Math.min(hdrLen, limit));
}

/** Returns the records of a blob with a valid header; null without a magic number. */
export function recordsOf(blob: Uint8Array): BlobTypes | null {
  const endian = magicEndian(new ByteReader(blob, '.BTF'));
  return endian && recordsAfter(storedHeader(blob, endian, blob.length), blob, endian, null);
}

/** Returns the records that follow a valid header, as a kernel reads them. */
function recordsAfter(
  h: HeaderFields,
  blob: Uint8Array,
  endian: Endian,
  base: TypeTable | null,
  kernel = LINUX_6_18,
): BlobTypes {
  return new BlobTypes(blob, endian, extentsOf(h), layoutOf(blob, endian, h), base, kernel);
}

function verdictOfNext(
  blob: Uint8Array,
  endian: Endian | null,
  base: TypeTable | null,
): KernelVerdict {
  const report = new Report();
  checkHeader(blob, endian ?? 'little', base !== null, report, BPF_NEXT);
  // A wrong header does not state where the sections are.
  if (endian === null || report.isRefused) return report.takeKernelVerdict();
  const h = storedHeader(blob, endian, BPF_NEXT.headerSize);
  checkSections(blob, h, extentsOf(h).strings, base !== null, report);
  checkByKernel(recordsAfter(h, blob, endian, base, BPF_NEXT), report);
  return report.takeKernelVerdict();
}

/** Checks all records by the kernel's rules. */
function checkByKernel(records: BlobTypes, report: Report): void {
  const split = records.base !== null;
  checkMetas(records, report);
  if (!split) checkReferences(records, report);
  checkTypeTags(records, report);
  // The kernel parses special fields last, only if all types are valid, and never in a module.
  if (!split && !report.isRefused) checkSpecialFields(records, report);
}

function extentsOf(h: HeaderFields) {
  const extent = (off: number, len: number) => ({
    start: h.hdrLen + off,
    end: h.hdrLen + off + len,
  });
  return { types: extent(h.typeOff, h.typeLen), strings: extent(h.strOff, h.strLen) };
}

/** Returns the layout section, already checked to be before the strings; null if there is none. */
function layoutOf(blob: Uint8Array, endian: Endian, h: HeaderFields): BtfLayout | null {
  if (h.layoutLen === 0) return null;
  const start = h.hdrLen + h.layoutOff;
  return readBtfLayout(new ByteReader(blob, '.BTF', endian), { start, end: start + h.layoutLen });
}
