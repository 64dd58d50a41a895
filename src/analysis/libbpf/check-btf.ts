/**
 * The verdicts of the kernel and of libbpf on a BTF blob, and each problem with its bytes. Rules
 * are in the order of kernel/bpf/btf.c of Linux 6.18: header, strings, records, references, type
 * tags, special fields. The first broken rule is the kernel's verdict.
 */
import { BlobTypes } from '#analysis/kernel/blob-types.ts';
import { type HasStruct, inEveryKernel } from '#analysis/kernel/field-kinds.ts';
import { checkSpecialFields } from '#analysis/kernel/field-rules.ts';
import { checkReferences, checkTypeTags } from '#analysis/kernel/func-proto-rules.ts';
import {
  checkHeader,
  checkSections,
  type HeaderFields,
  headerFields,
} from '#analysis/kernel/header-rules.ts';
import { checkMetas } from '#analysis/kernel/meta-rules.ts';
import { BPF_NEXT, LINUX_6_18, REFERENCE_RULES } from '#analysis/kernel/rules.ts';
import {
  type KernelVerdict,
  type LibbpfVerdict,
  Report,
  type Verdict,
} from '#analysis/kernel/verdict.ts';
import { LONG_SPELLINGS } from '#analysis/types/sizes.ts';
import { ByteReader } from '#bytes/byte-reader.ts';
import type { Endian } from '#bytes/span.ts';
import {
  BTF_HEADER_SIZE,
  type BtfLayout,
  magicEndian,
  readBtfLayout,
} from '#formats/btf/header.ts';
import { BtfKind } from '#formats/btf/kinds.ts';
import type { TypeTable } from '#model/type-table.ts';
import { checkByLibbpf, libbpfAcceptsHeader } from './btf-rules.ts';

/**
 * Checks `blob`. With a `base`, the blob is a module's BTF, whose types the kernel does not
 * resolve; else it is a program's BTF, for a kernel that has the structs `hasStruct`. Never throws.
 */
export function checkBtf(
  blob: Uint8Array,
  base: TypeTable | null,
  hasStruct: HasStruct = inEveryKernel,
): Verdict {
  const verdict = checkOn(blob, base, { pointerBytes: 8, hasStruct });
  const isPastEnd =
    verdict.native.verdict === 'refused' && verdict.native.rule === REFERENCE_RULES.memberEnd.rule;
  if (!isPastEnd || base !== null || !hasShortLong(blob)) return verdict;
  // BTF of a 32-bit kernel: only a 64-bit one finds that its pointers exceed their structs.
  const short = checkOn(blob, base, { pointerBytes: 4, hasStruct });
  if (short.native.verdict !== 'ok') return verdict;
  const machine = ['32-bit', verdict.machine].filter(Boolean).join(' ');
  const problems = verdict.problems.slice(0, 1).map((problem) => ({
    ...problem,
    sentence: `${problem.sentence} Pointers of this BTF have 4 bytes: it is of a 32-bit machine.`,
  }));
  return { ...short, kernel: verdict.kernel, problems, machine };
}

/** Returns true if the first INT `long` has 4 bytes, as on 32-bit machines. */
function hasShortLong(blob: Uint8Array): boolean {
  const records = recordsOf(blob);
  if (records === null) return false;
  for (let id = records.firstId; id < records.endId; id++) {
    if (records.kind(id) !== BtfKind.INT) continue;
    const size = records.sizeOrType(id);
    const isLong = LONG_SPELLINGS.has(records.text(records.nameOff(id), MAX_LONG_NAME));
    if (isLong && (size === 4 || size === 8)) return size === 4;
  }
  return false;
}

/** Maximum length of the name of an INT `long`, with one byte more. */
const MAX_LONG_NAME = 20;

/** What the verdict depends on in the kernel that judges. */
type Judge = { readonly pointerBytes: 4 | 8; readonly hasStruct: HasStruct };

/** Checks `blob` as the kernel `judge`. */
function checkOn(blob: Uint8Array, base: TypeTable | null, judge: Judge): Verdict {
  const report = new Report();
  const split = base !== null;
  const endian = magicEndian(new ByteReader(blob, '.BTF'));
  checkHeader(blob, 'little', split, report);
  let onLittle = report.takeKernelVerdict();
  if (endian === 'big') checkHeader(blob, 'big', split, report);
  checkBody(blob, endian, base, report, judge);
  const rest = report.takeKernelVerdict();
  if (onLittle.verdict === 'ok') onLittle = rest;
  const native = endian === 'big' ? rest : onLittle;
  return {
    kernel: onLittle,
    native,
    machine: endian === 'big' ? 'big-endian' : '',
    // If 6.18 accepts a blob, bpf-next accepts it, too.
    next: native.verdict === 'ok' ? native : verdictOfNext(blob, endian, base, judge),
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
  { pointerBytes, hasStruct }: Judge,
): void {
  const h = storedHeader(blob, endian ?? 'little', blob.length);
  const split = base !== null;
  const { types, strings } = extentsOf(h);
  const end = Math.max(BTF_HEADER_SIZE, types.end, strings.end);
  if (endian !== null && end <= blob.length) checkSections(blob, h, strings, split, report);
  if (!libbpfAcceptsHeader(blob, endian, h, split, report) || endian === null) return;
  const records = recordsAfter(h, blob, endian, base, LINUX_6_18, pointerBytes);
  checkByKernel(records, report, hasStruct);
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

/** Reads at most `limit` bytes of the header. As in the kernel, fields after `hdr_len` are 0. */
function storedHeader(blob: Uint8Array, endian: Endian, limit: number): HeaderFields {
  const { hdrLen } = headerFields(blob, endian, blob.length);
  return { ...headerFields(blob, endian, Math.min(hdrLen, limit)), hdrLen };
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
  pointerBytes: 4 | 8 = 8,
): BlobTypes {
  const layout = layoutOf(blob, endian, h);
  return new BlobTypes(blob, endian, extentsOf(h), layout, base, kernel, pointerBytes);
}

function verdictOfNext(
  blob: Uint8Array,
  endian: Endian | null,
  base: TypeTable | null,
  { pointerBytes, hasStruct }: Judge,
): KernelVerdict {
  const report = new Report();
  checkHeader(blob, endian ?? 'little', base !== null, report, BPF_NEXT);
  // A wrong header does not state where the sections are.
  if (endian === null || report.isRefused) return report.takeKernelVerdict();
  const h = storedHeader(blob, endian, BPF_NEXT.headerSize);
  checkSections(blob, h, extentsOf(h).strings, base !== null, report);
  const records = recordsAfter(h, blob, endian, base, BPF_NEXT, pointerBytes);
  checkByKernel(records, report, hasStruct);
  return report.takeKernelVerdict();
}

/** Checks all records by the kernel's rules. */
function checkByKernel(records: BlobTypes, report: Report, hasStruct: HasStruct): void {
  const split = records.base !== null;
  checkMetas(records, report);
  if (!split) checkReferences(records, report);
  checkTypeTags(records, report);
  // The kernel parses special fields last, only if all types are valid, and never in a module.
  if (!split && !report.isRefused) checkSpecialFields(records, report, hasStruct);
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
