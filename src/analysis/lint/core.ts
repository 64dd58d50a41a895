/** Lint of CO-RE records. Source: "CO-RE Relocation Record"; libbpf, `bpf_core_patch_insn`. */
import { accessStringAt } from '#analysis/core/access-string.ts';
import { coreKind } from '#analysis/core/core-kinds.ts';
import { type AccessPath, walkAccess } from '#analysis/core/parse-spec.ts';
import { localValue, patchedValue } from '#analysis/core/patch-insn.ts';
import { type SectionCode, secondHalves } from '#analysis/objects/section-code.ts';
import { type Issue, IssueCollector } from '#bytes/issue.ts';
import { type Span, spanOf } from '#bytes/span.ts';
import { decodeInsn, SLOT_SIZE } from '#formats/bpf/insn.ts';
import { coreIndex, typeId } from '#model/ids.ts';
import { isBpf, type ObjectModel } from '#model/object-model.ts';
import { strLenOf, type TypeTable } from '#model/type-table.ts';

const ROWS_PER_STEP = 16;
/** Maximum number of access paths in the cache. */
const MAX_KNOWN_PATHS = 10_000;

type Code = SectionCode & { readonly halves: Uint8Array };

/** Returns the issues of CO-RE records. `code` has the readable sections. Yields between steps. */
export function* coreFindings(
  model: ObjectModel,
  types: TypeTable,
  code: readonly SectionCode[],
): Generator<void, Issue[]> {
  const sections = new Map<number, Code>();
  for (const section of code) {
    sections.set(section.section, { ...section, halves: secondHalves(section.bytes) });
    yield;
  }
  const pass = new CorePass(model, types, sections);
  for (let row = 0; row < model.ext.core.count; row++) {
    pass.check(row);
    if (row % ROWS_PER_STEP === 0) yield;
  }
  return pass.issues.issues();
}

class CorePass {
  readonly issues = new IssueCollector('.BTF.ext');
  readonly #model: ObjectModel;
  readonly #types: TypeTable;
  readonly #sections: ReadonlyMap<number, Code>;
  readonly #paths = new Map<string, AccessPath>();

  constructor(model: ObjectModel, types: TypeTable, sections: ReadonlyMap<number, Code>) {
    this.#model = model;
    this.#types = types;
    this.#sections = sections;
  }

  check(row: number): void {
    const { core } = this.#model.ext;
    const hasInsn = this.#checkPlace(row);
    const kind = core.kind[row] ?? 0;
    if (coreKind(kind) === null) {
      this.issues.add('core.unknown-kind', () => ({
        message: `${label(row)}: unknown kind ${kind}`,
        span: this.#field(row, 12),
        expected: '0 to 12',
        found: `${kind}`,
      }));
      return;
    }
    const accessStrOff = core.accessStrOff[row] ?? 0;
    const limit = strLenOf(this.#types);
    if (accessStrOff >= limit) {
      this.issues.add('core.access-string-outside', () => ({
        message: `${label(row)}: access string outside the strings`,
        span: this.#field(row, 8),
        expected: `below ${limit}`,
        found: `${accessStrOff}`,
      }));
      return;
    }
    const path = this.#path(core.typeId[row] ?? 0, accessStrOff, kind);
    if (path.error !== null) this.#reportPath(row, path, path.error);
    else if (hasInsn) this.#checkValue(row, path);
  }

  #field(row: number, offset: number): Span {
    return spanOf((this.#model.ext.core.recordOffset[row] ?? 0) + offset, 4);
  }

  /** Checks the place of a record. Returns true if its instruction exists and can be read. */
  #checkPlace(row: number): boolean {
    const { core } = this.#model.ext;
    const section = core.section[row] ?? -1;
    // A missing section was already reported when the file was read.
    if (section < 0) return false;
    const insnOff = core.insnOff[row] ?? 0;
    const length = this.#model.sections.byteLength[section] ?? 0;
    const code = this.#sections.get(section);
    const isHalf = code?.halves[insnOff / SLOT_SIZE] === 1;
    if (insnOff % SLOT_SIZE === 0 && insnOff + SLOT_SIZE <= length && !isHalf) {
      return code !== undefined && insnOff + SLOT_SIZE <= code.bytes.length;
    }
    this.issues.add('core.no-such-instruction', () => ({
      message: `${label(row)}: no such instruction${isHalf ? ', but the second half of one' : ''}`,
      span: this.#field(row, 0),
      expected: `a multiple of 8, at most ${Math.max(0, length - SLOT_SIZE)}`,
      found: `${insnOff}`,
    }));
    return false;
  }

  #path(root: number, accessStrOff: number, kind: number): AccessPath {
    const key = `${root}/${accessStrOff}/${kind}`;
    let path = this.#paths.get(key);
    if (path === undefined) {
      const accessStr = accessStringAt(this.#types, accessStrOff);
      path = walkAccess(this.#types, typeId(root), accessStr, kind);
      if (this.#paths.size < MAX_KNOWN_PATHS) this.#paths.set(key, path);
    }
    return path;
  }

  #reportPath(row: number, path: AccessPath, error: NonNullable<AccessPath['error']>): void {
    const text = path.accessStr.length > 60 ? `${path.accessStr.slice(0, 60)}…` : path.accessStr;
    switch (error.reason) {
      case 'root':
        this.issues.add('core.root-type', () => ({
          message: `${label(row)}: root type does not fit: ${error.message}`,
          span: this.#field(row, 4),
          found: `[${path.root}]`,
        }));
        break;
      case 'string':
        this.issues.add('core.access-string', () => ({
          message: `${label(row)}: access string '${text}' does not parse: ${error.message}`,
          span: this.#field(row, 8),
          expected: 'numbers with colons between them',
          found: text,
        }));
        break;
      default:
        this.issues.add('core.access-path', () => ({
          message: `${label(row)}: access string '${text}' does not fit: ${error.message}`,
          span: this.#field(row, 8),
          found: text,
        }));
    }
  }

  /** Checks the value in an instruction. Faults are only notes: compilers write such records. */
  #checkValue(row: number, path: AccessPath): void {
    const { core } = this.#model.ext;
    const code = this.#sections.get(core.section[row] ?? -1);
    const insnOff = core.insnOff[row] ?? 0;
    if (code === undefined || !isBpf(this.#model)) return;
    const insn = decodeInsn(code.bytes, insnOff, this.#model.endian);
    if (insn === null) return;
    const held = patchedValue(insn);
    const span = spanOf(code.fileOffset + insnOff, insn.length);
    if (held === null) {
      this.issues.add('core.instruction', () => ({
        severity: 'note',
        message: `${label(row)}: libbpf cannot patch this instruction`,
        span,
        expected: 'a load, a store, a ld_imm64, or arithmetic with imm',
        found: `opcode 0x${insn.opcode.toString(16)}`,
      }));
      return;
    }
    const local = localValue(this.#types, path, path.kind, this.#model.endian);
    if (local.error !== null) {
      const error = local.error;
      this.issues.add('core.local-value', () => ({
        severity: 'note',
        message: `${label(row)}: libbpf will reject it: ${error}`,
        span: this.#field(row, 0),
      }));
    } else if (local.validate && local.value !== held) {
      this.issues.add('core.unexpected-value', () => ({
        severity: 'note',
        message: `${label(row)}: the instruction does not hold the value of the local types; libbpf will reject it`,
        span,
        expected: `${local.value}`,
        found: `${held}`,
      }));
    }
  }
}

function label(row: number): string {
  return `CO-RE record ${coreIndex(row)}`;
}
