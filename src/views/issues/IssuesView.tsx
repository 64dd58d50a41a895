import { Check, CircleCheck, Hourglass } from 'lucide-react';
import { useId, useMemo, useState } from 'react';
import { formatModule } from '#analysis/formats/registry.ts';
import { allIssues } from '#analysis/lint/issue-list.ts';
import type { Issue } from '#bytes/issue.ts';
import { drawnName } from '#bytes/text.ts';
import { EM } from '#formats/elf/constants.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { sectionCount } from '#model/sections.ts';
import { select } from '#store/address/navigation.ts';
import { useActive } from '#store/session/hooks.ts';
import { usePaneFile } from '#store/session/panes.ts';
import type { FileId } from '#store/session/session.ts';
import { scrollRegion } from '#ui/aria.tsx';
import { Button } from '#ui/Button.tsx';
import { CopyButton } from '#ui/CopyButton.tsx';
import { grouped } from '#ui/grouped.ts';
import { Segmented } from '#ui/inputs.tsx';
import { ViewToolbar } from '#ui/Panel.tsx';
import { rowRenderer } from '#ui/VirtualList.tsx';
import { ProgramProblems, useProgramProblems } from '#views/parts/core/LoadSummary.tsx';
import { IssueFacts, issueReport } from '#views/parts/IssueFacts.tsx';
import { ListPane } from '#views/parts/ListPane.tsx';
import { countOf } from '#views/parts/number-text.ts';
import { offsetCell } from '#views/parts/Offset.tsx';
import { SeverityMark } from '#views/parts/SeverityMark.tsx';
import styles from './IssuesView.module.css';
import { type IssueCounts, type IssueFilter, issueCounts, issueOfSelection } from './issue-list.ts';

/** Shows the issues of the file; if there are none, shows the checks that were done. */
export function IssuesView() {
  const active = useActive();
  const file = usePaneFile();
  const [filter, setFilter] = useState<IssueFilter>('all');
  // The issue most recently clicked. The selection has only its bytes; two issues can share them.
  const [read, setRead] = useState<Issue | null>(null);
  const issues = active?.model.issues;
  const findings = file?.findings ?? null;
  const all = useMemo(() => allIssues(issues ?? [], findings), [issues, findings]);
  const shown = useMemo(
    () => (filter === 'all' ? all : all.filter(({ severity }) => severity === filter)),
    [all, filter],
  );
  const renderRow = useMemo(
    () => rowRenderer(shown, (issue) => <IssueRow issue={issue} />),
    [shown],
  );
  if (active === null || file === null || issues === undefined) return null;
  if (all.length === 0) {
    return (
      <div className="tall scroll-y" {...scrollRegion('Checks')}>
        <NoIssues id={active.id} model={active.model} isLooking={findings === null} />
      </div>
    );
  }

  const open =
    shown.find((issue) => issue === read) ??
    issueOfSelection(shown, active.selection) ??
    shown[0] ??
    null;
  return (
    <div className="column tall">
      <ViewToolbar label="Issues">
        <Segmented
          label="Severity"
          options={filterOptions(issueCounts(issues, findings))}
          value={filter}
          onChange={setFilter}
        />
        <p aria-live="polite" className="small muted">
          {findings === null ? 'Checking records…' : ''}
        </p>
      </ViewToolbar>
      <div className="fill">
        <ListPane
          label="Issues"
          count={shown.length}
          rowHeight={48}
          selectedIndex={open === null ? null : shown.indexOf(open)}
          onSelect={(index) => setRead(shown[index] ?? null)}
          renderRow={renderRow}
          emptyText="No issues of this severity"
          detail={open === null ? null : <IssueDetail issue={open} fileName={file.name} />}
        />
      </div>
    </div>
  );
}

function filterOptions({ error, warning, note }: IssueCounts): Record<IssueFilter, string> {
  return {
    all: `All ${grouped(error + warning + note)}`,
    error: `Errors ${grouped(error)}`,
    warning: `Warnings ${grouped(warning)}`,
    note: `Notes ${grouped(note)}`,
  };
}

type NoIssuesProps = {
  readonly id: FileId;
  readonly model: ObjectModel;
  /** True while records are still being checked. */
  readonly isLooking: boolean;
};

/** Shows that the file has no issues, and which checks were done. */
function NoIssues({ id, model, isLooking }: NoIssuesProps) {
  const isLoading = useProgramProblems(id).length === 0;
  return (
    <div className={styles.page}>
      <CircleCheck size={32} aria-hidden className={styles.icon} data-ok={isLoading} />
      <h2 className={styles.title}>{isLooking ? 'No issues so far' : 'No issues'}</h2>
      <p className={styles.text}>
        {isLooking
          ? 'The file was read without issues. Its records are being checked.'
          : 'No issue was found in what was checked:'}
      </p>
      {isLoading ? null : (
        <div className={styles.programs}>
          <ProgramProblems object={id} />
        </div>
      )}
      <ul className={styles.checks} aria-label="What was checked">
        {checksOf(model).map(({ subject, how, isCloser }) => (
          <li key={subject} className={styles.check}>
            {isLooking && isCloser ? (
              <Hourglass size={14} aria-label="in progress" className={styles.waits} />
            ) : (
              <Check size={14} aria-label="checked" className={styles.done} />
            )}
            <span className="medium">{subject}</span>
            <span className={styles.how}>{how}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Shows one issue in full: place, expected value, found value, advice. */
function IssueDetail({ issue, fileName }: { readonly issue: Issue; readonly fileName: string }) {
  const titleId = useId();
  const { span } = issue;
  return (
    <article className={styles.detail} aria-labelledby={titleId}>
      <SeverityMark severity={issue.severity} />
      <h2 id={titleId} className={styles.message}>
        {drawnName(issue.message)}
      </h2>
      {issue.advice === undefined ? null : (
        <p className="soft break pretty size-14">{drawnName(issue.advice)}</p>
      )}
      <div className={styles.actions}>
        {span === null ? null : (
          <Button
            onClick={() => select({ kind: 'bytes', start: span.start, end: span.end }, 'bytes')}
          >
            Show bytes
          </Button>
        )}
        <CopyButton text={() => issueReport(fileName, issue)} label="Copy as text" />
      </div>
      <IssueFacts issue={issue} />
    </article>
  );
}

function IssueRow({ issue }: { readonly issue: Issue }) {
  return (
    <span className={styles.row}>
      <span className={styles.first}>
        <span className={styles.issueRowMessage}>{drawnName(issue.message)}</span>
      </span>
      <span className={styles.second}>
        <SeverityMark severity={issue.severity} />
        {issue.region === '' ? null : (
          <bdi className={styles.region}>{drawnName(issue.region)}</bdi>
        )}
        {issue.span === null ? null : <span className="mono">{offsetCell(issue.span.start)}</span>}
      </span>
    </span>
  );
}

/** A part of the file that was checked and has no issues. */
type CheckedSubject = {
  readonly subject: string;
  readonly how: string;
  /** True if the check runs after the file is shown. */
  readonly isCloser: boolean;
};

/** Returns a line for each kind of content that the file has and that was checked. */
export function checksOf(model: ObjectModel): CheckedSubject[] {
  const checks: CheckedSubject[] = [];
  const add = (count: number, noun: string, how: string, isCloser = false) => {
    if (count > 0) checks.push({ subject: countOf(count, noun), how, isCloser });
  };
  const { headers, sections, symbols, relocations, types, ext } = model;
  const lines = ext.func.count + ext.line.count;
  add(headers.length, 'header', 'magic numbers, versions, sizes and offsets agree with the file');
  add(sectionCount(sections), 'section', 'inside the file, with a readable name');
  add(symbols.count, 'symbol', 'names and sections exist');
  // The entries of another format than ELF are checked with its other records.
  const isOwn = formatModule(model) !== null;
  add(relocations.count, 'relocation', isOwn ? OWN_RELOCATIONS : RELOCATIONS, isOwn);
  add(types?.count ?? 0, 'type', TYPES, true);
  add(lines, 'func_info and line_info record', INFO, true);
  add(ext.core.count, 'CO-RE relocation', CORE, true);
  if (model.machine !== null && hasCode(model)) {
    checks.push({
      subject: 'BPF code',
      how: 'opcodes, registers and jump targets',
      isCloser: true,
    });
  }
  return checks;
}

const RELOCATIONS = 'the symbol exists, and the offset is inside its section';
const OWN_RELOCATIONS =
  'fields, pairs and expressions are as the document has them, and each place is inside its section';
const TYPES = 'records parse to the end; references, names, sizes and bit-fields are valid';
const INFO =
  'types and strings exist; each function has one function record and a line record at its start, and offsets increase';
const CORE = 'the access string is valid on its type and patches an existing instruction';

const SHF_EXECINSTR = 4n;

function hasCode({ machine, sections }: ObjectModel): boolean {
  if (machine?.number !== EM.bpf && machine?.number !== EM.none) return false;
  return sections.flags.some(
    (flags, i) => (flags & SHF_EXECINSTR) !== 0n && (sections.byteLength[i] ?? 0) > 0,
  );
}
