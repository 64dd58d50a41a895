import type { ReactNode } from 'react';
import { kernelInfo } from '#analysis/atlas/kernel-name.ts';
import { licenseOf } from '#analysis/libbpf/programs.ts';
import { loaderSections } from '#analysis/objects/loader-sections.ts';
import { sectionSpan } from '#analysis/selection/selection.ts';
import { drawnName } from '#bytes/text.ts';
import { EM } from '#formats/elf/constants.ts';
import { compilerOf, dwarfTitle } from '#model/dwarf.ts';
import type { SectionIndex } from '#model/ids.ts';
import { formatName, isBpf, type ObjectModel } from '#model/object-model.ts';
import { select } from '#store/address/navigation.ts';
import { useBytes } from '#store/session/hooks.ts';
import type { OpenFile } from '#store/session/session.ts';
import { Landmark } from '#ui/aria.tsx';
import { CopyButton } from '#ui/CopyButton.tsx';
import { Name } from '#views/parts/Name.tsx';
import { countOf, sizeText } from '#views/parts/number-text.ts';
import { useRun } from '#views/parts/WhenReady.tsx';
import styles from './Identity.module.css';

/** Labels of the kernel version, by the place where it was found. */
const VERSION_TERMS = {
  'boot header': 'Kernel, from the image’s boot header',
  linux_banner: 'Kernel, from linux_banner in the image',
} as const;

type IdentityProps = { readonly file: OpenFile; readonly model: ObjectModel };

/** Shows the name, format, size, hash and licence of the file. */
export function Identity({ file, model }: IdentityProps) {
  const containers = containerText(model.containers);
  const split = splitSentence(model);
  const kernel = isBpf(model) ? null : kernelSentence(file.name);
  const version = model.kernelVersion;
  const typesFact = typesSentence(model);
  const license = useRun(loaderSections.runOf(model.sections))?.license[0] ?? null;
  return (
    <Landmark className="grid gap-1 shrink" aria-label="Identity">
      <h2 className={styles.name}>
        <Name text={file.name} otherwise="(no name)" />
      </h2>
      <p className="soft size-14">
        {formatSentence(model)}
        {containers === null ? '' : `, ${containers}`}
      </p>
      {split === null ? null : <p className={styles.split}>{split}</p>}
      <dl className={styles.facts}>
        <Fact term="Size">
          {countOf(model.size, 'byte')}
          {model.size < 1024 ? '' : ` (${sizeText(model.size)})`}
          {model.containers.length === 0 ? '' : `, ${sizeText(file.size)} packed`}
        </Fact>
        {version !== null ? (
          <Fact term={VERSION_TERMS[version.from]}>{drawnName(version.release)}</Fact>
        ) : kernel !== null ? (
          <Fact term="Kernel, by the name of the file">{kernel}</Fact>
        ) : null}
        {typesFact === null ? null : <Fact term="Types">{typesFact}</Fact>}
        {license === null ? null : (
          <License key={file.id} file={file} model={model} section={license} />
        )}
        <Fact term="SHA-256" isMono>
          {file.sha256 === null ? (
            <span className="muted">computing…</span>
          ) : (
            <>
              <span className="shrink break">{file.sha256}</span>
              <CopyButton text={file.sha256} label="Copy the SHA-256" isIconOnly />
            </>
          )}
        </Fact>
      </dl>
    </Landmark>
  );
}

/** Returns the kernel version in a file name as `6.12.117, rt, amd64`; null without a version. */
export function kernelSentence(name: string): string | null {
  const { version, flavour, arch } = kernelInfo(name);
  return version === '' ? null : [version, flavour, arch].filter((part) => part !== '').join(', ');
}

function Fact(props: {
  readonly term: string;
  readonly isMono?: boolean;
  readonly children: ReactNode;
}) {
  return (
    <div className={styles.fact}>
      <dt>{props.term}</dt>
      <dd data-mono={props.isMono === true}>{props.children}</dd>
    </div>
  );
}

/** Maximum bytes shown of the licence section, which can be large in a hostile file. */
const MAX_LICENSE_BYTES = 4096;

function License({ file, model, section }: IdentityProps & { readonly section: SectionIndex }) {
  const span = sectionSpan(model, section) ?? { start: 0, end: 0 };
  const bytes = useBytes(file.id, span.start, Math.min(span.end, span.start + MAX_LICENSE_BYTES));
  const license = bytes === null ? null : licenseOf(model, bytes);
  return (
    <Fact term="Licence">
      <button
        type="button"
        className={styles.link}
        title="Show the bytes of the license section"
        onClick={() => select({ kind: 'section', section }, 'bytes')}
      >
        {bytes === null ? '…' : <Name text={license ?? ''} otherwise="(empty)" />}
      </button>
    </Fact>
  );
}

const FILE_TYPES: ReadonlyMap<string, string> = new Map([
  ['relocatable', 'relocatable object'],
  ['none', 'ET_NONE'],
]);

/** Returns a file's format as a text: `ELF64 relocatable object for BPF, little-endian`. */
export function formatSentence(model: ObjectModel): string {
  const order = `${model.endian}-endian`;
  if (model.format === 'btf') {
    return `Raw BTF${model.types?.split === true ? ' (split)' : ''}, ${order}`;
  }
  const what = FILE_TYPES.get(model.fileType) ?? model.fileType;
  const format = model.format === 'elf' ? `ELF${model.addressBits}` : formatName(model);
  return `${format} ${what}${machineWords(model)}, ${order}`;
}

function machineWords({ machine }: ObjectModel): string {
  if (machine === null || machine.number === 0) return ', EM_NONE';
  return ` for ${machine.number === EM.bpf ? 'BPF' : machine.name || `machine ${machine.number}`}`;
}

/** Returns `unpacked from gzip`; null for a plain file. `containers` are outermost first. */
export function containerText(containers: readonly string[]): string | null {
  if (containers.length === 0) return null;
  return `unpacked from ${containers.toReversed().join(' in ')}`;
}

/** Returns where the types come from: `from DWARF 5 of C, clang 19`; null for BTF alone. */
export function typesSentence({ types, dwarf }: ObjectModel): string | null {
  if (dwarf === null) return null;
  const compiler = drawnName(compilerOf(dwarf));
  const file = dwarf.debugFile === null ? '' : ` in ${drawnName(dwarf.debugFile)}`;
  const title = `${dwarfTitle(dwarf)}${file}${compiler === '' ? '' : `, ${compiler}`}`;
  if (types === null) return `none; ${title}`;
  return dwarf.dieOffset === null ? `from BTF; ${title} too` : `from ${title}`;
}

/** Codes of the issues that say whether the base of a split BTF is missing or open. */
const BASE_CODES: readonly string[] = ['btf.base-missing', 'btf.base-in-use'];

/** Returns a sentence about the base of a split BTF and whether it is open; else null. */
export function splitSentence(model: ObjectModel): string | null {
  if (model.types?.split !== true) return null;
  const baseIssue = model.issues.find((issue) => BASE_CODES.includes(issue.code));
  if (baseIssue === undefined) {
    return `Split BTF on a base of ${countOf(model.types.firstId - 1, 'type')}.`;
  }
  return [baseIssue.message, baseIssue.advice ?? '']
    .filter((part) => part !== '')
    .map((part) => (part.endsWith('.') ? part : `${part}.`))
    .join(' ');
}
