/**
 * Go declarations. Names begin with a capital letter or `X`, as in cgo, so that other packages can
 * access them. Pointers are numbers, which the garbage collector does not follow. Unions, and
 * fields below their alignment, are bytes. Offsets are those of BTF on 64-bit targets.
 */
import { declarationsIn, fieldComment, type Language, plainIdentifier } from './declarations.ts';
import { shapeAlign, shapeSize } from './shape.ts';

const GO: Language = {
  spell(raw) {
    const name = plainIdentifier(raw);
    return name.startsWith('_') ? `X${name}` : name.charAt(0).toUpperCase() + name.slice(1);
  },
  hasPointers: false,
  hasUnions: false,
  hasGlobalEnumerators: true,
  doc: '//',
  indent: '\t',
  types: {
    signed: 'int',
    unsigned: 'uint',
    float: 'float',
    boolean: 'bool',
    byte: 'byte',
    pointer: ({ byteSize }) => `uint${8 * byteSize}`,
    array: (of, count) => `[${count}]${of}`,
  },
  opaque: (name) => `type ${name} struct{}`,
  alias: (name, type) => `type ${name} = ${type}`,
  variable: (name, type) => `var ${name} ${type}`,
  composite(name, { form, byteSize, align }) {
    const head = `type ${name} struct {\n`;
    if (form === 'struct' || byteSize === 0) return head;
    const aligner = align > 1 ? `\t_ [0]uint${8 * align} // for the alignment\n` : '';
    return `${head}${aligner}\tData [${byteSize}]byte // one of these:\n`;
  },
  field(field, name, type, composite) {
    const { form, shape } = field;
    if (composite.form === 'union') {
      if (form === 'padding') return null;
      return `//   ${name}: *(*${type})(unsafe.Pointer(&u.Data)), ${fieldComment(field)}`;
    }
    const isPacked = composite.packed !== null && shapeAlign(shape) > composite.packed;
    // Go adds a byte after a last field of size 0.
    const start = shapeSize(shape) === 0 ? '// ' : '';
    const goType = isPacked ? `[${shapeSize(shape)}]byte` : type;
    return `${start}${form === 'padding' ? '_' : name} ${goType} // ${fieldComment(field)}`;
  },
  compositeEnd: '}\n',
  enumeration: (name, number) => `type ${name} ${number}\n`,
  *enumerators(name, all) {
    for (const { word, value } of all) yield `${word} ${name} = ${value}`;
  },
  enumStart: '\nconst (\n',
  enumEnd: ')\n',
};

export const goDeclaration = declarationsIn(GO);
