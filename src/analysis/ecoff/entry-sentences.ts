/**
 * What an entry does, as one or two plain sentences. Names in them are raw text.
 *
 * Source: Tru64 UNIX Object File and Symbol Table Format Specification, section
 * 4.3.4, "fields" and "operation" of each type.
 */
import type { RelocationTarget } from '#analysis/objects/relocation-target.ts';
import type { EcoffFile } from '#formats/ecoff/ecoff-file.ts';
import { IMMED, LITUSE, R, R_SN_ABS, type Relocation } from '#formats/ecoff/relocations.ts';
import { symbolText, symndxRole } from './entry-text.ts';

/** `target` is what the entry leads to, as far as that is known. */
export function entrySentence(
  file: EcoffFile,
  entry: Relocation,
  target: RelocationTarget | null,
): string {
  const name = symbolText(file, entry);
  const to = leadsTo(entry, name, target);
  const added = entry.rExtern ? `the address of ${name}` : `how far ${name} moves`;
  switch (entry.rType) {
    case R.abs:
      return 'Patches nothing: a deleted entry, a filler, or the number of entries where that is too large for its header.';
    case R.reflong:
      return `Adds ${added} to 32 bits of data, which then hold an address${to}.`;
    case R.refquad:
      return `Adds ${added} to 64 bits of data, which then hold an address${to}.`;
    case R.gprel32:
      return `Makes 32 bits of data hold a distance from gp${to}.`;
    case R.literal:
      return `Loads an address from the literal pool: 16 bits hold the distance of its slot from gp${to}.`;
    case R.lituse:
      return lituseSentence(entry.rSymndx);
    case R.gpdisp:
      return 'Sets gp: an ldah and an lda add up to the distance from the code to gp. One entry names both instructions.';
    case R.braddr:
      return `Makes 21 bits count the instructions from behind the branch to its target${to}.`;
    case R.hint:
      return `Tells the processor where a jump will go, in 14 bits that count instructions${to}. A wrong hint costs time only.`;
    case R.srel16:
    case R.srel32:
    case R.srel64:
      return `Makes data hold the distance from itself to its target${to}.`;
    case R.gpvalue:
      return 'Patches nothing: from its address on, another gp is in effect.';
    case R.gprelhigh:
      return `The high half of a distance of 32 bits from gp. The low halves behind it complete it.`;
    case R.gprellow:
      return `The low half of a distance of 32 bits from gp${to}.`;
    case R.immed:
      return immedSentence(entry.rSize);
    case R.tlsLiteral:
      return 'Loads the key of thread-local storage from the literal pool: 16 bits hold the distance of its slot from gp.';
    case R.tlsHigh:
      return 'The high half of an offset of 32 bits in thread-local storage. The low halves behind it complete it.';
    case R.tlsLow:
      return `The low half of an offset of 32 bits in thread-local storage${to}.`;
    default:
      return stackSentence(entry, name);
  }
}

function leadsTo(entry: Relocation, name: string, target: RelocationTarget | null): string {
  const role = symndxRole(entry);
  if (role !== 'external' && role !== 'section') return '';
  if (target === null) return `: ${name}`;
  const plus = target.what === 'section' ? `+0x${target.offset.toString(16)}` : '';
  return `: ${target.name}${plus}`;
}

function lituseSentence(subtype: number): string {
  switch (subtype) {
    case LITUSE.base:
      return 'Uses the address that the literal before it loaded, as the base of a load or store. Nothing is patched: it tells the linker what it may relax.';
    case LITUSE.jsr:
      return 'Jumps to the address that the literal before it loaded. Nothing is patched: it tells the linker that a branch suffices.';
    case LITUSE.bytoff:
      return 'Uses the low bits of the address that the literal before it loaded. The document says that it should not be used.';
    default:
      return 'Uses the address that the literal before it loaded, in a way that has no name.';
  }
}

function immedSentence(subtype: number): string {
  switch (subtype) {
    case IMMED.gp16:
      return 'An instruction that holds 16 bits of a distance from gp. The document gives no formula.';
    case IMMED.gpHi32:
      return 'The high half of a distance of 32 bits from gp, in a sequence that computes an address. The document gives no formula.';
    case IMMED.scnHi32:
      return 'The high half of a distance of 32 bits from the start of the section. The document gives no formula.';
    case IMMED.brHi32:
      return 'The high half of a distance of 32 bits from behind a branch. The document gives no formula.';
    case IMMED.lo32:
      return 'The low half that belongs to the last high half before it. The document gives no formula.';
    default:
      return 'A part of a sequence of instructions that computes an address, of a kind that has no name.';
  }
}

function stackSentence(entry: Relocation, name: string): string {
  const isConstant = !entry.rExtern && entry.rSymndx === R_SN_ABS;
  const operand = isConstant
    ? `the constant ${entry.rVaddr}`
    : entry.rExtern
      ? `the address of ${name}`
      : `the address 0x${entry.rVaddr.toString(16)}, which moves with ${name},`;
  switch (entry.rType) {
    case R.opPush:
      return `Pushes ${operand} onto the expression stack.`;
    case R.opPsub:
      return `Subtracts ${operand} from the value on top of the stack.`;
    case R.opPrshift:
      return `Shifts the value on top of the stack to the right by ${operand}.`;
    case R.opStore:
      return `Pops the value and stores ${storedBits(entry)}. That ends the expression.`;
    default:
      return `A type that is not in the document.`;
  }
}

function storedBits({ rOffset, rSize }: Relocation): string {
  if (rSize === 0) return 'all 64 bits of it';
  return rOffset === 0 ? `its low ${rSize} bits` : `its low ${rSize} bits, from bit ${rOffset} on`;
}
