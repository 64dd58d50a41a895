// The Alpha eCOFF samples: the examples of the relocation document, one per section.

const WRITER = 'scripts/samples/ecoff.mjs';

function sample(name, title, about) {
  const file = `${name}.ecoff`;
  const source = `src/${name}.json`;
  return {
    file,
    title,
    about,
    source,
    endian: 'little',
    base: null,
    compiler: WRITER,
    steps: [['node', `../../${WRITER}`, source, file]],
    shows: {},
  };
}

/** Descriptions of the samples, in the order of the document. */
export const ALPHA = [
  sample(
    'alpha_data',
    'Alpha: addresses in data',
    'REFLONG, REFQUAD, a jump table of GPREL32, and SREL32: what data can hold of an address.',
  ),
  sample(
    'alpha_literal',
    'Alpha: literals and their uses',
    'LITERAL with LITUSE: an address loaded from .lita, and the instructions a linker may make of it.',
  ),
  sample(
    'alpha_gpdisp',
    'Alpha: a gp load in two halves',
    'GPDISP: one entry, two instructions, in either order.',
  ),
  sample(
    'alpha_branch',
    'Alpha: branches and hints',
    'BRADDR patches 21 bits, HINT 14: where the document lands one instruction too far.',
  ),
  sample(
    'alpha_expression',
    'Alpha: expressions on a stack',
    'PUSH, PSUB, PRSHIFT and STORE: begin_address in .pdata, and a jump hint computed the same way.',
  ),
  sample(
    'alpha_bits',
    'Alpha: bit-fields',
    'Expressions that store 19, 8 and 64 bits of a quadword, and leave the others as they are.',
  ),
  sample(
    'alpha_ranges',
    'Alpha: a second gp',
    'GPVALUE: from the third instruction on, the same displacement reaches another slot.',
  ),
  sample(
    'alpha_halves',
    'Alpha: high and low halves',
    'GPRELHIGH and GPRELLOW, IMMED that share a high half, and thread-local storage.',
  ),
  sample(
    'alpha_compact',
    'Alpha: compact relocations',
    'What a linked file still says of its code, in a subsection of .comment.',
  ),
];
