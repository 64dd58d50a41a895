// Files larger than any real file, by name. They are written into `.cache/large/` when first used,
// always with the same bytes.
import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { generateBtf } from '../bench/generate-btf.mjs';
import { writeElf } from './elf-file.mjs';
import { kernelWithDwarf, manyRelocations, manySections } from './objects.mjs';
import { wideStruct } from './wide-struct.mjs';

/** Increase this number when a generator changes, so that older files are not used. */
const EDITION = 2;
const FOLDER = fileURLToPath(new URL(`../../.cache/large/${EDITION}/`, import.meta.url));
const MILLION = 1_000_000;
const KERNEL_TYPES = 126_000;

const elf = (of) => (path) => writeElf(path, of());
const blob = (of) => (path) => writeFileSync(path, of());

/** Files by name, with description and writer. */
export const LARGE = {
  'kernel-4gb': {
    about: 'ELF of 4.1 GB with DWARF, and BTF behind 4 GB',
    write: elf(() => kernelWithDwarf(KERNEL_TYPES)),
  },
  'types-10k.btf': { about: 'BTF of 10,000 types', write: blob(() => generateBtf(10_000)) },
  'types-100k.btf': { about: 'BTF of 100,000 types', write: blob(() => generateBtf(100_000)) },
  'types-1m.btf': { about: 'BTF of 1,000,000 types', write: blob(() => generateBtf(MILLION)) },
  'members-65535.btf': {
    about: 'a struct of 65,535 members',
    write: blob(() => wideStruct(65_535)),
  },
  'members-1m.btf': {
    about: 'a struct of 1,000,000 members',
    write: blob(() => wideStruct(MILLION)),
  },
  'sections-100k.o': { about: '100,000 sections', write: elf(() => manySections(50_000)) },
  'sections-800k.o': { about: '800,000 sections', write: elf(() => manySections(400_000)) },
  'relocations-1m.o': {
    about: '1,000,000 relocations',
    write: elf(() => manyRelocations(MILLION)),
  },
};

/** Returns the path of the file with this name; writes the file unless it exists. */
export function largeFile(name) {
  const path = join(FOLDER, name);
  if (existsSync(path)) return path;
  mkdirSync(FOLDER, { recursive: true });
  // Written under another name first, so that an interrupted run leaves no incomplete file.
  const unfinished = `${path}.${process.pid}`;
  LARGE[name].write(unfinished);
  renameSync(unfinished, path);
  return path;
}
