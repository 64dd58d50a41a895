/**
 * Writes the C of one type like `btf dump format c` of bpftool 7.8 (libbpf, btf_dump.c). Omits the
 * suffixes of colliding names (`___2`), which depend on the whole dump.
 */
import { tagKeyword } from '#analysis/types/declarator.ts';
import { decodeText, visible } from '#bytes/text.ts';
import { BtfKind, kindName } from '#formats/btf/kinds.ts';
import { type TypeId, typeId } from '#model/ids.ts';
import { isComposite, isEnum, varSecinfosOf } from '#model/type-items.ts';
import {
  componentIdx,
  hasType,
  kindFlagOf,
  kindOf,
  nameOf,
  nameOffOf,
  sizeOrTypeOf,
  type TypeTable,
  varLinkage,
  vlenOf,
} from '#model/type-table.ts';
import { type ByteText, gathered } from '#print/byte-text.ts';
import { declarator } from './declarators.ts';
import { definition } from './definitions.ts';
import { plainNames } from './names.ts';
import { recordsOf } from './records.ts';
import { type Passage, Reading, Writing } from './writing.ts';

export type CDeclarationOptions = {
  /** Text for one level of indentation. Default: a tab, as in bpftool. */
  readonly indent?: string;
  /** Length in bytes at which the text is cut. Default: eight million. */
  readonly maxLength?: number;
};

/** Default limit: a struct of 65,535 members takes two million bytes, long holes take more. */
const MAX_LENGTH = 1 << 23;
/** Chunk length in bytes; most declarations are shorter. */
const CHUNK_LENGTH = 1 << 12;

const encoder = new TextEncoder();

/**
 * Returns the C of type `id`. For FUNC it is the prototype, for VAR a declaration, for DATASEC its
 * variables with offsets. Cut after `maxLength` bytes, with a comment. Not escaped.
 */
export function cDeclaration(t: TypeTable, id: TypeId, options: CDeclarationOptions = {}): string {
  const records = recordsOf(t);
  const { maxLength = MAX_LENGTH } = options;
  let isCut = false;
  const bytes = gathered((out) => {
    const w = new Writing(records, out, plainNames(records), definition, {
      indent: options.indent ?? '\t',
      commented: true,
    });
    const reading = new Reading(w);
    reading.start(declaration(w, id));
    while (!isCut && !reading.resume()) isCut = out.length > maxLength;
  }, CHUNK_LENGTH);
  if (!isCut) return decodeText(bytes);
  let end = maxLength;
  // Do not cut inside of a UTF-8 character.
  while (((bytes[end] ?? 0) & 0xc0) === 0x80) end--;
  return `${decodeText(bytes.subarray(0, end))}\n/* cut after ${maxLength} bytes */`;
}

function* declaration(w: Writing, id: TypeId): Passage {
  const t = w.records.types;
  const kind = kindOf(t, id);
  if (isComposite(kind) || isEnum(kind) || kind === BtfKind.TYPEDEF) {
    // Mark the type as open: an anonymous type must not be written inside itself.
    w.open.add(id);
    yield* rest(definition(w, id));
    w.out.latin1(';');
    return;
  }
  switch (kind) {
    case BtfKind.FUNC:
      w.out.latin1(linkageWord(vlenOf(t, id)));
      yield* statement(w, typeId(sizeOrTypeOf(t, id)), nameOffOf(t, id));
      break;
    case BtfKind.VAR:
      yield* variable(w, id);
      break;
    case BtfKind.DATASEC:
      yield* section(w, id);
      break;
    case BtfKind.DECL_TAG:
      tagComment(w, id);
      break;
    default:
      if (kind > BtfKind.ENUM64 || !hasType(t, id)) yield* rest(declarator(w, id, 0, 0));
      else yield* statement(w, id, 0);
  }
}

function* rest(passage: Passage | null): Passage {
  if (passage !== null) yield passage;
}

function* statement(w: Writing, id: TypeId, nameOff: number): Passage {
  yield* rest(declarator(w, id, nameOff, 0));
  w.out.latin1(';');
}

/** Returns C's storage class for the linkage of a FUNC or VAR: 0 static, 1 global, 2 extern. */
function linkageWord(linkage: number): string {
  const words = ['static ', '', 'extern '];
  return words[linkage] ?? `/* linkage ${linkage} */ `;
}

function* variable(w: Writing, id: TypeId): Passage {
  const t = w.records.types;
  const linkage = varLinkage(t, id);
  if (linkage === 1) w.out.latin1('/* linkage: global */ ');
  w.out.latin1(linkageWord(linkage));
  yield* statement(w, typeId(sizeOrTypeOf(t, id)), nameOffOf(t, id));
}

function* section(w: Writing, id: TypeId): Passage {
  const t = w.records.types;
  w.out.latin1('/* section ');
  commented(w.out, nameOf(t, id));
  w.out.latin1(`: ${sizeOrTypeOf(t, id)} bytes */`);
  for (const { type, offset, size } of varSecinfosOf(t, id)) {
    w.out.latin1(`\n/* offset ${offset}, ${size} bytes */ `);
    if (kindOf(t, type) === BtfKind.VAR) yield* variable(w, type);
    else yield* statement(w, type, 0);
    if (w.isPauseDue) yield null;
  }
}

/** Writes a name in a comment so that it cannot end the comment. Names elsewhere are unchanged. */
function commented(out: ByteText, name: string): void {
  const text = encoder.encode(visible(name).replaceAll('*/', '*\\x2f'));
  out.bytes(text, 0, text.length);
}

function tagComment({ records, out }: Writing, id: TypeId): void {
  const t = records.types;
  const target = typeId(sizeOrTypeOf(t, id));
  const index = componentIdx(t, id);
  const part = kindOf(t, target) === BtfKind.FUNC ? 'parameter' : 'member';
  const word = tagKeyword(t, target) || (hasType(t, target) ? kindName(kindOf(t, target)) : 'type');
  // If kind_flag is set, the name is the attribute itself.
  const [before, after] = kindFlagOf(t, id) ? ['', ''] : ['btf_decl_tag("', '")'];
  out.latin1(`/* __attribute__((${before}`);
  commented(out, nameOf(t, id));
  out.latin1(`${after})) on ${word} `);
  commented(out, nameOf(t, target) || `[${target}]`);
  out.latin1(index < 0 ? ' */' : `, ${part} ${index} */`);
}
