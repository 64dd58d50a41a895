/**
 * The views of the page, in the order of the tabs. To take a view out, delete its folder and its
 * line here.
 */
import '#views/workbench/view.ts';
import '#views/overview/view.ts';
import '#views/history/view.ts';
import '#views/types/view.ts';
import '#views/text/view.ts';
import '#views/query/view.ts';
import '#views/graph/view.ts';
import '#views/bytes/view.ts';
import '#views/code/view.ts';
import '#views/data/view.ts';
import '#views/relocations/view.ts';
import '#views/core/view.ts';
import '#views/load/view.ts';
import '#views/playground/view.ts';
import '#views/log/view.ts';
import '#views/needs/view.ts';
import '#views/compare/view.ts';
import '#views/check/view.ts';
import '#views/issues/view.ts';
