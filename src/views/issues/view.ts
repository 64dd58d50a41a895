import { ANY_OBJECT, registerView } from '#store/session/views.ts';
import { issueCounts, seriousCount } from './issue-list.ts';

declare module '#store/session/views.ts' {
  interface ViewNames {
    readonly issues: true;
  }
}

registerView({
  name: 'issues',
  title: 'Issues',
  tab: 'check',
  files: ANY_OBJECT,
  count: ({ issues }, findings) => ({
    count: seriousCount(issues, findings),
    tone: issueCounts(issues, findings).error > 0 ? 'danger' : 'warning',
  }),
  load: async () => (await import('./IssuesView.tsx')).IssuesView,
});
